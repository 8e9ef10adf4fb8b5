//! What the list above the composer offers for the word at the cursor: slash names and files.
//!
//! The list is a function of the text before the cursor and of what is known; it decides nothing by itself.

use nucleo_matcher::{
    Config, Matcher, Utf32Str,
    pattern::{CaseMatching, Normalization, Pattern},
};

use crate::ui::keymap::action;

/// Most rows that are offered.
pub const OFFERED: usize = 8;

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
    pub fn offers(&self, files: &[String]) -> Vec<Offer> {
        match self {
            Self::Slash { query } => slash_offers(query),
            Self::File { query, .. } => file_offers(query, files),
        }
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

fn file_offers(query: &str, files: &[String]) -> Vec<Offer> {
    let pattern = Pattern::parse(query, CaseMatching::Smart, Normalization::Smart);
    let mut matcher = Matcher::new(Config::DEFAULT.match_paths());
    let mut characters = Vec::new();
    let mut found: Vec<(u32, usize, &String)> = files
        .iter()
        .filter_map(|path| {
            let score = pattern.score(Utf32Str::new(path, &mut characters), &mut matcher)?;
            Some((score, path.len(), path))
        })
        .collect();
    found.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)).then(a.2.cmp(b.2)));
    found
        .into_iter()
        .take(OFFERED * 8)
        .map(|(_, _, path)| Offer {
            insert: if path.contains(char::is_whitespace) {
                format!("@\"{path}\" ")
            } else {
                format!("@{path} ")
            },
            label: path.clone(),
            note: String::new(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> Vec<String> {
        [
            "src/fetch.rs",
            "src/ui/fetcher_view.rs",
            "docs/a b.md",
            "Cargo.toml",
        ]
        .map(str::to_owned)
        .to_vec()
    }

    fn inserts(before: &str) -> Vec<String> {
        Word::at_cursor(before, true)
            .map(|word| word.offers(&files()))
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
    fn slash_names_that_begin_with_the_word_come_first() {
        let offered = inserts("/co");

        assert_eq!(offered.first().map(String::as_str), Some("/commands"));
        assert!(offered.iter().all(|name| name.contains("co")));
    }
}
