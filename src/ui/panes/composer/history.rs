//! Earlier messages, walked with Up and Down and searched.
//!
//! The one invariant: walking never loses words. What was being written, and what was changed on an earlier
//! message, stands there again when one comes back to it.

use std::{
    collections::{BTreeMap, VecDeque},
    rc::Rc,
};

use super::editor::Editor;

/// Most messages that are kept.
const KEPT: usize = 1_000;
/// Most bytes of them; the latest one is kept whatever its size.
const KEPT_BYTES: usize = 2 << 20;

/// Earlier messages, and where the person stands among them.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// Oldest first.
    entries: VecDeque<Rc<str>>,
    bytes: usize,
    /// The shown one; `None` while the draft is shown.
    at: Option<usize>,
    /// Words left behind at places of this walk; `None` is the draft's.
    left: BTreeMap<Option<usize>, String>,
}

impl History {
    /// Replaces everything by the prompts of this folder, oldest first.
    pub fn replace(&mut self, prompts: &[String]) {
        let left = std::mem::take(self).left;
        for text in prompts.iter().chain(left.values()) {
            self.push(text);
        }
    }

    /// Adds a message as the latest and ends the walk; words left behind on it become messages too.
    pub fn add(&mut self, text: &str) {
        self.at = None;
        for left in std::mem::take(&mut self.left).into_values() {
            self.push(&left);
        }
        self.push(text);
    }

    /// Goes to the message before the shown one; `None` when there is none.
    pub fn older(&mut self, shown: &str) -> Option<String> {
        let target = match self.at {
            None => self.entries.len().checked_sub(1)?,
            Some(at) => at.checked_sub(1)?,
        };
        Some(self.walk(shown, Some(target)))
    }

    /// Goes to the message after the shown one, at last to the draft; `None` when the draft is shown.
    pub fn newer(&mut self, shown: &str) -> Option<String> {
        let at = self.at?;
        let target = (at + 1 < self.entries.len()).then_some(at + 1);
        Some(self.walk(shown, target))
    }

    /// Begins a search.
    pub fn begin_search(&self) -> Search {
        let mut search = Search {
            query: Editor::single_line(),
            selected: 0,
            all: Vec::new(),
            found: Vec::new(),
        };
        search.renew(self);
        search
    }

    fn push(&mut self, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        if let Some(known) = self.entries.iter().position(|entry| **entry == *text) {
            self.entries.remove(known);
            self.bytes -= text.len();
        }
        self.entries.push_back(text.into());
        self.bytes += text.len();
        while self.entries.len() > KEPT || (self.entries.len() > 1 && self.bytes > KEPT_BYTES) {
            let oldest = self.entries.pop_front();
            self.bytes -= oldest.map_or(0, |oldest| oldest.len());
        }
    }

    fn walk(&mut self, shown: &str, target: Option<usize>) -> String {
        let original = self.at.and_then(|at| self.entries.get(at));
        if original.is_none_or(|original| **original != *shown) {
            self.left.insert(self.at, shown.to_owned());
        }
        self.at = target;
        if let Some(left) = self.left.get(&target) {
            return left.clone();
        }
        target
            .and_then(|at| self.entries.get(at))
            .map(ToString::to_string)
            .unwrap_or_default()
    }
}

/// A search in earlier messages.
#[derive(Clone, Debug)]
pub struct Search {
    /// What is searched for.
    pub query: Editor,
    /// The selected match, the latest first.
    pub selected: usize,
    /// Every message with its small letters, the latest first: made when the search begins, not with every key.
    all: Vec<(Rc<str>, String)>,
    found: Vec<Rc<str>>,
}

impl Search {
    /// Searches in these messages from now on.
    pub fn renew(&mut self, history: &History) {
        let small = |entry: &Rc<str>| (Rc::clone(entry), entry.to_lowercase());
        self.all = history.entries.iter().rev().map(small).collect();
        self.find();
    }

    /// Finds the messages that hold every word of the query; to be called when the query has changed.
    pub fn find(&mut self) {
        let query = self.query.text();
        let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
        let holds = |small: &str| words.iter().all(|word| small.contains(word));
        self.found = self
            .all
            .iter()
            .filter(|(_, small)| holds(small))
            .map(|(entry, _)| Rc::clone(entry))
            .collect();
        self.select(self.selected);
    }

    /// What was found, the latest first.
    pub fn found(&self) -> &[Rc<str>] {
        &self.found
    }

    /// Selects a match; the last one at most.
    pub fn select(&mut self, at: usize) {
        self.selected = at.min(self.found.len().saturating_sub(1));
    }

    /// The selected message.
    pub fn chosen(&self) -> Option<&str> {
        self.found.get(self.selected).map(|entry| &**entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(entries: &[&str]) -> History {
        let mut history = History::default();
        for entry in entries {
            history.add(entry);
        }
        history
    }

    #[test]
    fn walking_up_and_down_comes_back_to_the_draft() {
        let mut history = history(&["one", "two"]);

        assert_eq!(history.older("dra"), Some("two".to_owned()));
        assert_eq!(history.older("two"), Some("one".to_owned()));
        assert_eq!(history.older("one"), None);
        assert_eq!(history.newer("one"), Some("two".to_owned()));
        assert_eq!(history.newer("two"), Some("dra".to_owned()));
        assert_eq!(history.newer("dra"), None);
    }

    #[test]
    fn what_was_changed_on_an_earlier_message_is_there_again() {
        let mut history = history(&["one", "two"]);
        history.older("");
        history.older("two, changed");

        assert_eq!(history.newer("one"), Some("two, changed".to_owned()));
    }

    #[test]
    fn a_draft_left_behind_outlives_the_message_sent_from_the_walk() {
        let mut history = history(&["one"]);
        history.older("half a thought");
        history.add("one");

        assert_eq!(history.older(""), Some("one".to_owned()));
        assert_eq!(history.older("one"), Some("half a thought".to_owned()));
    }

    #[test]
    fn a_message_sent_again_becomes_the_latest_once() {
        let mut history = history(&["one", "two", "one", "  "]);

        assert_eq!(history.older(""), Some("one".to_owned()));
        assert_eq!(history.older("one"), Some("two".to_owned()));
        assert_eq!(history.older("two"), None);
    }

    #[test]
    fn a_search_wants_every_word_in_any_case() {
        let history = history(&["Fix the fetcher", "test the fetcher", "fix docs"]);
        let mut search = history.begin_search();
        let mut found = |query: &str| -> Vec<String> {
            search.query.set_text(query);
            search.find();
            search.found().iter().map(ToString::to_string).collect()
        };

        assert_eq!(
            found("FETCHER the"),
            ["test the fetcher", "Fix the fetcher"]
        );
        assert_eq!(found("nothing"), Vec::<String>::new());
        assert_eq!(found("").len(), 3);
    }

    #[test]
    fn large_messages_push_out_old_ones() {
        let mut history = history(&["first"]);
        for number in 0..100 {
            history.add(&format!("{number} {}", "x".repeat(100_000)));
        }

        assert!(history.bytes <= KEPT_BYTES);
        assert_eq!(history.entries.len(), KEPT_BYTES / 100_010);
        let huge = "x".repeat(2 * KEPT_BYTES);
        history.add(&huge);
        assert_eq!(history.older(""), Some(huge));
        assert_eq!(history.entries.len(), 1);
    }
}
