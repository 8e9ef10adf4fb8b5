//! Finding what a person means by a few letters: commands, files, sessions.
//!
//! A wrapper around the matcher of the `nucleo` crates: words in any order, smart case, `^`, `$`, `'` and `!` as
//! in other finders. Positions are byte ranges, ready to be drawn.

use std::ops::Range;

use nucleo_matcher::{
    Config, Matcher, Utf32Str,
    pattern::{CaseMatching, Normalization, Pattern},
};
use unicode_segmentation::UnicodeSegmentation;

/// What is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Names and sentences.
    Words,
    /// Paths: a match behind a `/` counts more.
    Paths,
}

/// A candidate that matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// Place among the candidates given.
    pub index: usize,
    /// How well it matches; more is better.
    pub score: u32,
    /// The letters that matched, as byte ranges of the candidate, merged and in order.
    pub ranges: Vec<Range<usize>>,
}

/// A query, ready to be held against many candidates.
pub struct Finder {
    pattern: Pattern,
    matcher: Matcher,
    characters: Vec<char>,
    indices: Vec<u32>,
}

impl Finder {
    /// A finder of `query`. An empty query matches everything with score 0.
    pub fn new(query: &str, subject: Subject) -> Self {
        let config = match subject {
            Subject::Words => Config::DEFAULT,
            Subject::Paths => Config::DEFAULT.match_paths(),
        };
        Self {
            pattern: Pattern::parse(query, CaseMatching::Smart, Normalization::Smart),
            matcher: Matcher::new(config),
            characters: Vec::new(),
            indices: Vec::new(),
        }
    }

    /// How well a candidate matches, `None` when it does not.
    pub fn score(&mut self, candidate: &str) -> Option<u32> {
        let haystack = Utf32Str::new(candidate, &mut self.characters);
        self.pattern.score(haystack, &mut self.matcher)
    }

    /// The byte ranges of a candidate that matched; empty when it does not match.
    pub fn ranges(&mut self, candidate: &str) -> Vec<Range<usize>> {
        self.indices.clear();
        let haystack = Utf32Str::new(candidate, &mut self.characters);
        self.pattern
            .indices(haystack, &mut self.matcher, &mut self.indices);
        self.indices.sort_unstable();
        self.indices.dedup();
        let mut wanted = self.indices.iter().copied().peekable();
        let mut ranges: Vec<Range<usize>> = Vec::new();
        // The matcher counts graphemes.
        for (number, (at, grapheme)) in candidate.grapheme_indices(true).enumerate() {
            match wanted.peek() {
                None => break,
                Some(index) if *index as usize != number => continue,
                Some(_) => wanted.next(),
            };
            let end = at + grapheme.len();
            match ranges.last_mut() {
                Some(last) if last.end == at => last.end = end,
                _ => ranges.push(at..end),
            }
        }
        ranges
    }

    /// The best `limit` candidates, the best first; equal ones stay in the order given, shorter ones first.
    pub fn rank<'text>(
        &mut self,
        candidates: impl IntoIterator<Item = &'text str>,
        limit: usize,
    ) -> Vec<Match> {
        let is_empty = self.pattern.atoms.is_empty();
        let mut found: Vec<(u32, usize, usize, &str)> = candidates
            .into_iter()
            .enumerate()
            .filter_map(|(index, candidate)| {
                let score = self.score(candidate)?;
                let length = if is_empty { 0 } else { candidate.len() };
                Some((score, length, index, candidate))
            })
            .collect();
        found.sort_unstable_by_key(|(score, length, index, _)| {
            (std::cmp::Reverse(*score), *length, *index)
        });
        found.truncate(limit);
        found
            .into_iter()
            .map(|(score, _, index, candidate)| Match {
                index,
                score,
                ranges: self.ranges(candidate),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(query: &str, candidates: &[&str]) -> Vec<usize> {
        Finder::new(query, Subject::Paths)
            .rank(candidates.iter().copied(), 10)
            .into_iter()
            .map(|found| found.index)
            .collect()
    }

    #[test]
    fn the_best_candidate_comes_first() {
        let files = [
            "src/text/truncate.rs",
            "src/tools/files/file_read.rs",
            "src/text/tokens.rs",
            "README.md",
        ];

        assert_eq!(found("fread", &files), [1]);
        assert_eq!(found("text to", &files), [2]);
        assert_eq!(found("nothing here", &files), [0; 0]);
    }

    #[test]
    fn an_empty_query_keeps_everything_in_order() {
        assert_eq!(found("", &["longer", "b", "aa"]), [0, 1, 2]);
    }

    #[test]
    fn matched_letters_are_byte_ranges() {
        let mut finder = Finder::new("read", Subject::Words);

        assert_eq!(
            finder.ranges("各 file_read.rs"),
            [Range { start: 9, end: 13 }]
        );
        assert!(finder.ranges("no").is_empty());
    }
}
