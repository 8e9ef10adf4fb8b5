//! What the list above the composer offers for the word at the cursor: slash names and files.
//!
//! The list is a function of the text before the cursor and of what is known; it decides nothing by itself.

use std::cmp::Reverse;

use crate::{
    text::fuzzy::{Finder, Subject},
    ui::keymap::action,
};

/// Most rows that are shown at once.
pub const OFFERED: usize = 8;
/// Most files that are offered.
const MOST_FILES: usize = OFFERED * 8;

/// The word at the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// `/na` at the very start of the text.
    Slash {
        /// What was typed behind the slash.
        query: String,
    },
    /// `@pa` behind a blank or at the start of a line.
    File {
        /// Where the `@` stands, in characters of the line.
        start: usize,
        /// What was typed behind it.
        query: String,
    },
}

/// One row of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// What is put in.
    pub insert: String,
    /// What is shown.
    pub label: String,
    /// What it is, in a few words.
    pub note: String,
}

impl Word {
    /// The word that ends at the cursor. `before` is the cursor's line up to the cursor.
    pub fn at_cursor(before: &str, is_first_line: bool) -> Option<Self> {
        if let Some(query) = before.strip_prefix('/')
            && is_first_line
            && !query.contains(|c: char| c.is_whitespace() || c == '/')
        {
            return Some(Self::Slash {
                query: query.to_owned(),
            });
        }
        let characters: Vec<char> = before.chars().collect();
        let start = characters.iter().rposition(|c| *c == '@')?;
        let is_at_word_start = start
            .checked_sub(1)
            .and_then(|index| characters.get(index))
            .is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '[' | '"' | '\''));
        let query: String = characters.get(start + 1..)?.iter().collect();
        if !is_at_word_start || query.contains(char::is_whitespace) {
            return None;
        }
        Some(Self::File { start, query })
    }

    /// What is offered, the best first.
    pub fn offers(&self, files: Option<&mut Files>) -> Vec<Offer> {
        match (self, files) {
            (Self::Slash { query }, _) => slash_offers(query),
            (Self::File { query, .. }, Some(files)) => files.offers(query),
            (Self::File { .. }, None) => Vec::new(),
        }
    }
}

/// Paths, and which of them matched the latest query: what goes on with it is looked for among those.
#[derive(Clone, Debug, Default)]
pub struct Files {
    paths: Vec<String>,
    query: String,
    /// Places of the paths that match `query`.
    matching: Vec<usize>,
    /// Paths that were held against a query so far.
    held: usize,
}

impl Files {
    /// These paths.
    pub fn of(paths: Vec<String>) -> Self {
        Self {
            matching: (0..paths.len()).collect(),
            paths,
            ..Self::default()
        }
    }

    fn offers(&mut self, query: &str) -> Vec<Offer> {
        let narrows = query.starts_with(&self.query) && is_plain(query);
        let among = if narrows {
            std::mem::take(&mut self.matching)
        } else {
            (0..self.paths.len()).collect()
        };
        self.held += among.len();
        let mut finder = Finder::new(query, Subject::Paths);
        let path = |at: usize| self.paths.get(at).map_or("", String::as_str);
        let mut found: Vec<(u32, usize)> = among
            .into_iter()
            .filter_map(|at| Some((finder.score(path(at))?, at)))
            .collect();
        self.matching = found.iter().map(|(_, at)| *at).collect();
        let order = |(score, at): &(u32, usize)| (Reverse(*score), path(*at).len(), *at);
        if found.len() > MOST_FILES {
            found.select_nth_unstable_by_key(MOST_FILES, order);
            found.truncate(MOST_FILES);
        }
        found.sort_unstable_by_key(order);
        let offers = found
            .into_iter()
            .map(|(_, at)| file_offer(path(at)))
            .collect();
        query.clone_into(&mut self.query);
        offers
    }
}

/// Whether every letter means itself, so that a longer query matches nothing that a shorter one does not.
fn is_plain(query: &str) -> bool {
    !query.contains(['^', '$', '\'', '!', '\\', ' '])
}

fn file_offer(path: &str) -> Offer {
    Offer {
        insert: if path.contains(char::is_whitespace) {
            format!("@\"{path}\" ")
        } else {
            format!("@{path} ")
        },
        label: path.to_owned(),
        note: String::new(),
    }
}

fn slash_offers(query: &str) -> Vec<Offer> {
    let query = query.to_lowercase();
    let mut found: Vec<(bool, &str, Offer)> = action::slash_commands()
        // One letter names a beginning; more may stand anywhere.
        .filter(|(name, _)| name.starts_with(&query) || (query.len() > 1 && name.contains(&query)))
        .map(|(name, action)| {
            let offer = Offer {
                insert: format!("/{name}"),
                label: format!("/{name}"),
                note: action.doc().trim_end_matches('.').to_owned(),
            };
            (!name.starts_with(&query), name, offer)
        })
        .collect();
    found.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)));
    found.into_iter().map(|(_, _, offer)| offer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> Files {
        let paths = [
            "src/fetch.rs",
            "src/ui/fetcher_view.rs",
            "docs/a b.md",
            "Cargo.toml",
        ]
        .map(str::to_owned);
        Files::of(paths.to_vec())
    }

    fn inserts(before: &str) -> Vec<String> {
        Word::at_cursor(before, true)
            .map(|word| word.offers(Some(&mut files())))
            .unwrap_or_default()
            .into_iter()
            .map(|offer| offer.insert)
            .collect()
    }

    #[test]
    fn a_word_begins_behind_a_blank_and_ends_at_one() {
        let file = |start, query: &str| {
            Some(Word::File {
                start,
                query: query.to_owned(),
            })
        };

        assert_eq!(Word::at_cursor("see @fe", false), file(4, "fe"));
        assert_eq!(Word::at_cursor("各@", false), None);
        assert_eq!(Word::at_cursor("各 @x", false), file(2, "x"));
        assert_eq!(Word::at_cursor("@fe then", false), None);
        assert_eq!(Word::at_cursor("mail me@home", false), None);
        assert_eq!(Word::at_cursor("/he", false), None);
        assert_eq!(Word::at_cursor("/help me", true), None);
    }

    #[test]
    fn files_are_found_by_scattered_letters_the_closest_first() {
        assert_eq!(
            inserts("read @fetch"),
            ["@src/fetch.rs ", "@src/ui/fetcher_view.rs "]
        );
        assert_eq!(inserts("@a.b"), Vec::<String>::new());
        assert_eq!(inserts("@abmd"), ["@\"docs/a b.md\" "]);
    }

    #[test]
    fn a_query_that_goes_on_is_held_against_what_matched_before() {
        let paths = (0..1_000).map(|number| format!("src/{number}/file.rs"));
        let mut files = Files::of(paths.chain(["Z.rs".to_owned()]).collect());
        let mut offered = |query: &str| {
            let before = files.held;
            let offers = files.offers(query);
            let whole = Files::of(files.paths.clone()).offers(query);
            assert_eq!(offers, whole, "{query}");
            files.held - before
        };

        assert_eq!(offered("z"), 1_001);
        assert_eq!(offered("z."), 1);
        assert_eq!(offered("z.r"), 1);
        assert_eq!(offered("z"), 1_001, "a shorter one begins anew");
        assert_eq!(offered("!zr"), 1_001, "so does one that leaves out");
        assert_eq!(offered("!zrx"), 1_001);
        assert_eq!(offered("Z"), 1_001);
    }

    #[test]
    fn slash_names_that_begin_with_the_word_come_first() {
        let offered = inserts("/co");

        assert_eq!(offered.first().map(String::as_str), Some("/commands"));
        assert!(offered.iter().all(|name| name.contains("co")));
    }
}
