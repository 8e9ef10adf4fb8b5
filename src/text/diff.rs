//! What changed between two texts: hunks of lines, and the words that changed inside paired lines.
//!
//! Lines are compared with their ends, so a changed line end or a newline missing at the end of the file is a
//! change and is told. The cost is bounded: texts that are too large to compare are one replaced hunk, lines that
//! are too long have no changed words.

use std::{fmt::Write as _, ops::Range};

use similar::{Algorithm, DiffOp, capture_diff_slices, group_diff_ops};
use unicode_segmentation::UnicodeSegmentation;

/// Lines that are compared after the equal ones at both ends are set aside.
const MOST_LINES: usize = 100_000;
/// Bytes of a pair of lines whose words are compared.
const LONGEST_PAIR: usize = 4_000;
/// Lines of a replaced block whose words are compared.
const LARGEST_BLOCK: usize = 200;
/// Lines ahead in which the partner of a line is looked for.
const PARTNERS_AHEAD: usize = 8;
/// The part of a pair, in percent, that must be equal for single words to be marked.
const LEAST_ALIKE: usize = 40;

/// The difference of two texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff<'text> {
    /// The changed places with their surroundings, in order.
    pub hunks: Vec<Hunk<'text>>,
    /// Lines added.
    pub added: usize,
    /// Lines removed.
    pub removed: usize,
}

/// One changed place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk<'text> {
    /// Lines of the old text, from 0.
    pub old: Range<usize>,
    /// Lines of the new text, from 0.
    pub new: Range<usize>,
    /// The lines in the order to show them.
    pub lines: Vec<DiffLine<'text>>,
}

/// On which side a line stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// On both.
    Both,
    /// Only in the old text.
    Removed,
    /// Only in the new text.
    Added,
}

/// How a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// `\n`.
    Lf,
    /// `\r\n`.
    CrLf,
    /// The text ends without a newline.
    Missing,
}

/// One line of a hunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffLine<'text> {
    /// On which side it stands.
    pub side: Side,
    /// Its number in the old text, from 1.
    pub old: Option<usize>,
    /// Its number in the new text, from 1.
    pub new: Option<usize>,
    /// The line without its end.
    pub text: &'text str,
    /// Its end.
    pub end: LineEnd,
    /// What changed inside, as byte ranges; empty when the whole line is new, gone or unchanged.
    pub changed: Vec<Range<usize>>,
}

/// The difference from `old` to `new` with up to `context` unchanged lines around each change.
pub fn lines<'text>(old: &'text str, new: &'text str, context: usize) -> Diff<'text> {
    let old: Vec<&str> = old.split_inclusive('\n').collect();
    let new: Vec<&str> = new.split_inclusive('\n').collect();
    let mut diff = Diff::default();
    for group in group_diff_ops(compare(&old, &new), context) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else {
            continue;
        };
        let mut hunk = Hunk {
            old: first.old_range().start..last.old_range().end,
            new: first.new_range().start..last.new_range().end,
            lines: Vec::new(),
        };
        for op in &group {
            hunk.extend(op, &old, &new);
        }
        let count = |side| hunk.lines.iter().filter(|line| line.side == side).count();
        diff.added += count(Side::Added);
        diff.removed += count(Side::Removed);
        if count(Side::Added) + count(Side::Removed) > 0 {
            diff.hunks.push(hunk);
        }
    }
    diff
}

impl Diff<'_> {
    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.hunks.is_empty()
    }

    /// The difference as plain text: old number, new number, sign, line. `first_line` is the number of the first
    /// line of both texts within their file.
    pub fn numbered(&self, first_line: usize) -> String {
        let shift = first_line.saturating_sub(1);
        let last = self
            .hunks
            .last()
            .map_or(0, |hunk| hunk.old.end.max(hunk.new.end));
        let width = (last + shift).to_string().len();
        let mut text = String::new();
        for (place, hunk) in self.hunks.iter().enumerate() {
            if place > 0 {
                text.push_str("...\n");
            }
            for line in &hunk.lines {
                let number = |number: Option<usize>| {
                    number.map_or_else(String::new, |number| (number + shift).to_string())
                };
                let sign = match line.side {
                    Side::Both => ' ',
                    Side::Removed => '-',
                    Side::Added => '+',
                };
                let (old, new) = (number(line.old), number(line.new));
                let _ = writeln!(text, "{old:>width$} {new:>width$} {sign}{}", line.text);
                if line.end == LineEnd::Missing {
                    text.push_str("\\ no newline at the end\n");
                }
            }
        }
        text
    }
}

/// The operations that lead from `old` to `new`.
fn compare(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let prefix = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old[prefix..], &new[prefix..]);
    let suffix = old_rest
        .iter()
        .rev()
        .zip(new_rest.iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    let old_len = old_rest.len() - suffix;
    let new_len = new_rest.len() - suffix;
    if old_len.max(new_len) <= MOST_LINES {
        return capture_diff_slices(Algorithm::Myers, old, new);
    }
    vec![
        DiffOp::Equal {
            old_index: 0,
            new_index: 0,
            len: prefix,
        },
        DiffOp::Replace {
            old_index: prefix,
            old_len,
            new_index: prefix,
            new_len,
        },
        DiffOp::Equal {
            old_index: prefix + old_len,
            new_index: prefix + new_len,
            len: suffix,
        },
    ]
}

impl<'text> Hunk<'text> {
    fn extend(&mut self, op: &DiffOp, old: &[&'text str], new: &[&'text str]) {
        let (old_range, new_range) = (op.old_range(), op.new_range());
        if let DiffOp::Equal { .. } = op {
            for (a, b) in old_range.zip(new_range) {
                self.lines.push(line(Side::Both, Some(a), Some(b), old[a]));
            }
            return;
        }
        let removed = self.lines.len();
        let added = removed + old_range.len();
        for a in old_range {
            self.lines.push(line(Side::Removed, Some(a), None, old[a]));
        }
        for b in new_range {
            self.lines.push(line(Side::Added, None, Some(b), new[b]));
        }
        let (before, after) = self.lines.split_at_mut(added);
        mark_words(&mut before[removed..], after);
    }
}

fn line(side: Side, old: Option<usize>, new: Option<usize>, text: &str) -> DiffLine<'_> {
    let (text, end) = match text.strip_suffix('\n') {
        None => (text, LineEnd::Missing),
        Some(text) => match text.strip_suffix('\r') {
            Some(text) => (text, LineEnd::CrLf),
            None => (text, LineEnd::Lf),
        },
    };
    DiffLine {
        side,
        old: old.map(|number| number + 1),
        new: new.map(|number| number + 1),
        text,
        end,
        changed: Vec::new(),
    }
}

/// Pairs removed with added lines, in order, and marks what changed inside each pair.
fn mark_words(removed: &mut [DiffLine<'_>], added: &mut [DiffLine<'_>]) {
    if removed.len().max(added.len()) > LARGEST_BLOCK {
        return;
    }
    let mut next = 0;
    for old in removed {
        let window = next..(next + PARTNERS_AHEAD).min(added.len());
        for place in window {
            let new = &mut added[place];
            if let Some((old_changed, new_changed)) = changed_words(old.text, new.text) {
                old.changed = old_changed;
                new.changed = new_changed;
                next = place + 1;
                break;
            }
        }
    }
}

/// What changed in an old line, and what in the new one.
pub type ChangedWords = (Vec<Range<usize>>, Vec<Range<usize>>);

/// The ranges that differ in two lines; `None` when the lines have too little in common.
pub fn changed_words(old: &str, new: &str) -> Option<ChangedWords> {
    if old.len() + new.len() > LONGEST_PAIR {
        return None;
    }
    let old_words: Vec<&str> = old.split_word_bounds().collect();
    let new_words: Vec<&str> = new.split_word_bounds().collect();
    let (mut old_at, mut new_at, mut alike) = (0, 0, 0);
    let (mut old_changed, mut new_changed) = (Vec::new(), Vec::new());
    for op in capture_diff_slices(Algorithm::Myers, &old_words, &new_words) {
        let old_len: usize = old_words[op.old_range()]
            .iter()
            .map(|word| word.len())
            .sum();
        let new_len: usize = new_words[op.new_range()]
            .iter()
            .map(|word| word.len())
            .sum();
        if let DiffOp::Equal { .. } = op {
            let equal = &old[old_at..old_at + old_len];
            alike += equal
                .bytes()
                .filter(|byte| !byte.is_ascii_whitespace())
                .count();
        } else {
            old_changed.extend((old_len > 0).then_some(old_at..old_at + old_len));
            new_changed.extend((new_len > 0).then_some(new_at..new_at + new_len));
        }
        old_at += old_len;
        new_at += new_len;
    }
    let solid = |text: &str| {
        text.bytes()
            .filter(|byte| !byte.is_ascii_whitespace())
            .count()
    };
    let total = solid(old) + solid(new);
    (2 * alike * 100 >= total * LEAST_ALIKE && total > 0).then_some((old_changed, new_changed))
}

#[cfg(test)]
#[path = "diff_tests.rs"]
mod tests;
