//! Link definitions (`[name]: url`). Blocks are parsed one by one, so definitions are collected over the whole text.

use std::{borrow::Cow, collections::HashMap};

/// Definitions kept; more than any honest text has.
const CAPACITY: usize = 1_000;

/// Targets by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Definitions {
    targets: HashMap<String, String>,
    /// The definition that the unfinished last line is so far.
    unfinished: Option<(String, String)>,
}

impl Definitions {
    /// Takes a finished line and says whether it is a new definition.
    pub(super) fn read(&mut self, line: &str) -> bool {
        let Some((name, target)) = parse(line) else {
            return false;
        };
        let name = normal(name);
        if self.targets.len() >= CAPACITY || self.targets.contains_key(&name) {
            return false;
        }
        self.targets.insert(name, target.to_owned());
        true
    }

    /// Takes the unfinished last line in place of the one before and says whether that changes anything.
    pub(super) fn read_unfinished(&mut self, line: &str) -> bool {
        let read = parse(line).map(|(name, target)| (normal(name), target.to_owned()));
        let changed = read != self.unfinished;
        self.unfinished = read;
        changed
    }

    /// The target of a name.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let name = normal(name);
        let last = self.unfinished.as_ref();
        self.targets
            .get(&name)
            .or_else(|| last.filter(|last| last.0 == name).map(|last| &last.1))
            .map(String::as_str)
    }
}

fn parse(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_end();
    let body = line.trim_start_matches(' ');
    if line.len() - body.len() > 3 || line.len() > 2_048 {
        return None;
    }
    let (name, rest) = body.strip_prefix('[')?.split_once("]:")?;
    let target = rest.split_whitespace().next()?;
    let target = target.trim_start_matches('<').trim_end_matches('>');
    let named = !name.trim().is_empty() && !name.contains('[') && !name.starts_with('^');
    named.then_some((name, target))
}

/// Names are compared without case and with single blanks.
fn normal(name: &str) -> String {
    let words: Cow<'_, str> = name.split_whitespace().collect::<Vec<_>>().join(" ").into();
    words.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_is_found_without_case_and_the_first_one_holds() {
        let mut found = Definitions::default();

        assert!(found.read("[The  Book]: https://example.org/book \"title\"\n"));
        assert!(!found.read("[the book]: https://example.org/other\n"));
        assert!(!found.read("    [code]: https://example.org\n"));
        assert!(!found.read("see [this]\n"));

        assert_eq!(found.get("the book"), Some("https://example.org/book"));
        assert_eq!(found.get("code"), None);
    }
}
