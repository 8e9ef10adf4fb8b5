//! What is wrong in a theme or keymap file, with file and line, and the known name that was probably meant.

use std::fmt;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file's name.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what to do about it.
    pub text: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.text)
    }
}

/// Collects what is wrong in one file.
#[derive(Debug)]
pub struct Reporter<'a> {
    file: &'a str,
    source: &'a str,
    /// What was found so far.
    pub problems: Vec<Problem>,
}

impl<'a> Reporter<'a> {
    /// Nothing found yet.
    pub fn new(file: &'a str, source: &'a str) -> Self {
        Self {
            file,
            source,
            problems: Vec::new(),
        }
    }

    /// Reports something at this byte of the file.
    pub fn report(&mut self, at: usize, text: impl Into<String>) {
        let line = self.line(at);
        self.problems.push(Problem {
            file: self.file.to_owned(),
            line,
            text: text.into(),
        });
    }

    /// Reports that the file is no TOML at all.
    pub fn report_syntax(&mut self, error: &toml::de::Error) {
        let at = error.span().map_or(0, |span| span.start);
        self.report(at, error.message());
    }

    /// The line of this byte, from 1.
    pub fn line(&self, at: usize) -> usize {
        let before = self.source.as_bytes().iter().take(at);
        before.filter(|byte| **byte == b'\n').count() + 1
    }
}

/// ` (did you mean …?)` with the nearest known name, or nothing when none is near.
pub fn did_you_mean<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    known
        .map(|candidate| (distance(name, candidate), candidate))
        .min()
        .filter(|(distance, _)| *distance <= 1 + name.chars().count() / 3)
        .map(|(_, candidate)| format!(" (did you mean `{candidate}`?)"))
        .unwrap_or_default()
}

/// Number of characters to insert, delete or replace.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        let mut next = vec![left];
        for (to, above) in b.iter().zip(row.iter().skip(1)) {
            left = (diagonal + usize::from(from != *to))
                .min(*above + 1)
                .min(left + 1);
            diagonal = *above;
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_offered_only_when_it_is_near() {
        let known = ["allow_once", "reject", "zoom"];

        assert_eq!(
            did_you_mean("alow_once", known.into_iter()),
            " (did you mean `allow_once`?)"
        );
        assert_eq!(did_you_mean("quarterdeck", known.into_iter()), "");
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "ab"), 2);
    }
}
