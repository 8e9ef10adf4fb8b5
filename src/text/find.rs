//! Words as they stand in a text: in any case, unless they have capitals.

use regex::{Regex, RegexBuilder};

/// What finds these words; `None` when there are none.
pub fn words(words: &str) -> Option<Regex> {
    if words.is_empty() {
        return None;
    }
    let any_case = !words.chars().any(char::is_uppercase);
    RegexBuilder::new(&regex::escape(words))
        .case_insensitive(any_case)
        .build()
        .ok()
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;

    fn found(text: &str, query: &str) -> Vec<Range<usize>> {
        words(query).map_or_else(Vec::new, |pattern| {
            pattern.find_iter(text).map(|found| found.range()).collect()
        })
    }

    #[test]
    fn words_are_found_without_regard_to_case_unless_it_is_given() {
        assert_eq!(found("Über FOO foo", "foo"), [6..9, 10..13]);
        assert_eq!(found("Über FOO FOO", "FOO"), [6..9, 10..13]);
        assert_eq!(found("Über, über", "über"), [0..5, 7..12]);
        assert_eq!(found("a.b axb", "a.b"), [Range { start: 0, end: 3 }]);
        assert_eq!(found("abc", ""), Vec::<Range<usize>>::new());
    }
}
