//! One view of line ends for models, the file's own on disk.
//!
//! A model always sees `\n`. [`Unified`] remembers which of them are `\r\n` in the file, so that a change touches
//! only the bytes of its own range, and new lines get the ends of their neighbours.

use std::ops::Range;

/// A text with `\n` only, and where it had `\r\n`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unified {
    /// The text with `\n` only.
    pub text: String,
    /// Positions in `text` of the line ends that are `\r\n` in the file, ascending.
    carriage: Vec<usize>,
    /// How many line ends there are.
    ends: usize,
}

/// A replacement of a range of [`Unified::text`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    /// What is replaced.
    pub range: Range<usize>,
    /// What stands there afterwards, with `\n` only.
    pub new: String,
}

impl Unified {
    /// The view of a file's text.
    pub fn of(body: &str) -> Self {
        let ends = memchr::memchr_iter(b'\n', body.as_bytes()).count();
        let mut text = String::with_capacity(body.len());
        let mut carriage = Vec::new();
        let mut rest = body;
        // From one carriage return to the next: most files have none.
        while let Some(at) = memchr::memchr(b'\r', rest.as_bytes()) {
            let (line, end) = rest.split_at(at);
            text.push_str(line);
            rest = end.strip_prefix('\r').unwrap_or(end);
            if rest.starts_with('\n') {
                carriage.push(text.len());
            } else {
                text.push('\r');
            }
        }
        text.push_str(rest);
        Self {
            text,
            carriage,
            ends,
        }
    }

    /// A text from a model with `\n` only.
    pub fn plain(text: &str) -> String {
        text.replace("\r\n", "\n")
    }

    /// Whether lines end in `\r\n`, in `\n`, or both; for a note to the model.
    pub fn note(&self) -> Option<&'static str> {
        match self.carriage.len() {
            0 => None,
            all if all == self.ends => Some("CRLF line ends"),
            _ => Some("mixed line ends"),
        }
    }

    /// The file's text after some replacements, which are sorted and do not overlap. Everything outside them is
    /// as it was, byte for byte.
    pub fn splice(&self, body: &str, splices: &[Splice]) -> String {
        let mut result = String::with_capacity(body.len());
        let mut done = 0;
        for splice in splices {
            let start = self.in_body(splice.range.start);
            result.push_str(body.get(done..start).unwrap_or_default());
            self.push_new(&mut result, splice);
            done = self.in_body(splice.range.end);
        }
        result.push_str(body.get(done..).unwrap_or_default());
        result
    }

    /// Whether the file has line ends of its own, which a rewrite keeps.
    pub fn has_ends(&self) -> bool {
        self.ends > 0
    }

    /// The whole text replaced: lines that stay keep their ends, new ones get those of the line before. A model that
    /// saw only `\n` cannot mean to change them; a text without any takes those that it is given.
    pub fn rewrite(&self, body: &str, new: &str) -> String {
        if !self.has_ends() {
            return new.to_owned();
        }
        let new = Self::plain(new);
        if self.carriage.is_empty() {
            return new;
        }
        if self.carriage.len() == self.ends {
            return new.replace('\n', "\r\n");
        }
        let diff = similar::TextDiff::configure()
            .timeout(std::time::Duration::from_millis(500))
            .diff_lines(self.text.as_str(), new.as_str());
        let (mut olds, mut news) = (Offsets::of(&self.text), Offsets::of(&new));
        let mut splices = Vec::new();
        for op in diff.ops() {
            if op.tag() != similar::DiffTag::Equal {
                let replaced = news.range(op.new_range());
                splices.push(Splice {
                    range: olds.range(op.old_range()),
                    new: new.get(replaced).unwrap_or_default().to_owned(),
                });
            }
        }
        self.splice(body, &splices)
    }

    /// The new text of one splice, its line ends taken from the lines it replaces, else from those around.
    fn push_new(&self, result: &mut String, splice: &Splice) {
        let replaced = self
            .text
            .get(splice.range.clone())
            .unwrap_or_default()
            .bytes()
            .enumerate()
            .filter(|(_, byte)| *byte == b'\n')
            .map(|(at, _)| self.is_carriage(splice.range.start + at));
        let replaced: Vec<bool> = replaced.collect();
        let around = self.around(&splice.range);
        let mut pieces = splice.new.split('\n');
        result.push_str(pieces.next().unwrap_or_default());
        for (index, piece) in pieces.enumerate() {
            let carriage = replaced.get(index).or(replaced.last()).copied();
            result.push_str(if carriage.unwrap_or(around) {
                "\r\n"
            } else {
                "\n"
            });
            result.push_str(piece);
        }
    }

    /// The end of the line before a range, else of the line it is in.
    fn around(&self, range: &Range<usize>) -> bool {
        let before = self
            .text
            .get(..range.start)
            .and_then(|text| text.rfind('\n'));
        let after = || {
            let rest = self.text.get(range.end..)?;
            rest.find('\n').map(|at| range.end + at)
        };
        before.or_else(after).is_some_and(|at| self.is_carriage(at))
    }

    fn is_carriage(&self, at: usize) -> bool {
        self.carriage.binary_search(&at).is_ok()
    }

    /// A position of `text` as a position of the file's text.
    fn in_body(&self, at: usize) -> usize {
        at + self.carriage.partition_point(|carriage| *carriage < at)
    }
}

/// Byte ranges of ascending ranges of lines.
struct Offsets<'a> {
    lines: std::str::SplitInclusive<'a, char>,
    line: usize,
    offset: usize,
}

impl<'a> Offsets<'a> {
    fn of(text: &'a str) -> Self {
        Self {
            lines: text.split_inclusive('\n'),
            line: 0,
            offset: 0,
        }
    }

    fn range(&mut self, lines: Range<usize>) -> Range<usize> {
        let start = self.advance(lines.start);
        start..self.advance(lines.end)
    }

    fn advance(&mut self, line: usize) -> usize {
        while self.line < line {
            self.offset += self.lines.next().map_or(0, str::len);
            self.line += 1;
        }
        self.offset
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn splice(body: &str, old: &str, new: &str) -> String {
        let unified = Unified::of(body);
        let start = unified.text.find(old).unwrap();
        let splice = Splice {
            range: start..start + old.len(),
            new: new.to_owned(),
        };
        unified.splice(body, &[splice])
    }

    #[test]
    fn new_lines_get_the_ends_of_the_lines_they_replace() {
        assert_eq!(splice("p\r\nq\nr", "r", "R"), "p\r\nq\nR");
        assert_eq!(splice("x\r\ny\r\n", "y\n", "y\nz\n"), "x\r\ny\r\nz\r\n");
        assert_eq!(splice("a\nb\r\nc\n", "a\nb", "A\nN\nB"), "A\nN\nB\r\nc\n");
        assert_eq!(splice("a\r\nb", "b", "b\nc"), "a\r\nb\r\nc");
        assert_eq!(splice("a", "a", "a\nb"), "a\nb");
    }

    #[test]
    fn a_whole_rewrite_keeps_the_kind_of_line_end() {
        let rewrite = |body: &str, new: &str| Unified::of(body).rewrite(body, new);

        assert_eq!(rewrite("a\r\nb\r\n", "a\nc\nd\n"), "a\r\nc\r\nd\r\n");
        assert_eq!(rewrite("a\nb\n", "a\r\nc\r\n"), "a\nc\n");
        assert_eq!(rewrite("", "a\r\nc\r\n"), "a\r\nc\r\n");
        assert_eq!(rewrite("a\r\nb\nc\n", "a\nB\nc\n"), "a\r\nB\nc\n");
    }

    proptest! {
        #[test]
        fn a_splice_changes_no_byte_outside_its_range(
            lines in prop::collection::vec(("[a-cé]{0,4}", prop::bool::ANY), 0..8),
            new in "[x\n]{0,6}",
            pick in any::<(prop::sample::Index, prop::sample::Index)>(),
        ) {
            let body: String = lines
                .iter()
                .map(|(line, carriage)| format!("{line}{}", if *carriage { "\r\n" } else { "\n" }))
                .collect();
            let unified = Unified::of(&body);
            let places: Vec<usize> = (0..=unified.text.len())
                .filter(|at| unified.text.is_char_boundary(*at))
                .collect();
            let (a, b) = (*pick.0.get(&places), *pick.1.get(&places));
            let range = a.min(b)..a.max(b);
            let head = body.get(..unified.in_body(range.start)).unwrap();
            let tail = body.get(unified.in_body(range.end)..).unwrap();

            let result = unified.splice(&body, &[Splice { range: range.clone(), new: new.clone() }]);

            prop_assert!(result.starts_with(head) && result.ends_with(tail));
            let middle = result.get(head.len()..result.len() - tail.len()).unwrap();
            prop_assert_eq!(Unified::plain(middle), new);
        }
    }
}
