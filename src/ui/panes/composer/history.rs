//! Earlier messages, walked with Up and Down and searched.
//!
//! The one invariant: walking never loses words. What was being written, and what was changed on an earlier
//! message, stands there again when one comes back to it.

use std::collections::BTreeMap;

/// Most messages that are kept.
const KEPT: usize = 1_000;

/// Earlier messages, and where the person stands among them.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// Oldest first.
    entries: Vec<String>,
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

    /// Messages that hold every word of the query, the latest first.
    pub fn search(&self, query: &str) -> Vec<&str> {
        let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
        self.entries
            .iter()
            .rev()
            .filter(|entry| {
                let entry = entry.to_lowercase();
                words.iter().all(|word| entry.contains(word))
            })
            .map(String::as_str)
            .collect()
    }

    fn push(&mut self, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        self.entries.retain(|entry| entry != text);
        self.entries.push(text.to_owned());
        if self.entries.len() > KEPT {
            self.entries.remove(0);
        }
    }

    fn walk(&mut self, shown: &str, target: Option<usize>) -> String {
        let original = self.at.and_then(|at| self.entries.get(at));
        if original.is_none_or(|original| original != shown) {
            self.left.insert(self.at, shown.to_owned());
        }
        self.at = target;
        if let Some(left) = self.left.get(&target) {
            return left.clone();
        }
        target
            .and_then(|at| self.entries.get(at))
            .cloned()
            .unwrap_or_default()
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

        assert_eq!(
            history.search("FETCHER the"),
            ["test the fetcher", "Fix the fetcher"]
        );
        assert_eq!(history.search("nothing"), Vec::<&str>::new());
    }
}
