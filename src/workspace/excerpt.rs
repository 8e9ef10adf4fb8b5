//! A line of a file as text of bounded length, with the places of its matches.

use std::{borrow::Cow, ops::Range, str::Utf8Chunks};

/// A line as text without its end, at most so many characters around its first match, and the matches in that text.
pub(super) fn trimmed(
    line: &[u8],
    ranges: impl Iterator<Item = Range<usize>>,
    most: usize,
) -> (String, Vec<(usize, usize)>) {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let mut places = Places::of(line);
    let mut ranges: Vec<(usize, usize)> = ranges
        .map(|range| (places.of_byte(range.start), places.of_byte(range.end)))
        .collect();
    let text: Cow<'_, str> = String::from_utf8_lossy(line);
    if text.chars().count() <= most {
        return (text.into_owned(), ranges);
    }
    let first = ranges.first().map_or(0, |(start, _)| *start);
    let before = text.get(..first).unwrap_or_default().chars().count();
    // A quarter of the room stays in front of the match.
    let skip = if before < most { 0 } else { before - most / 4 };
    let kept: String = text.chars().skip(skip).take(most).collect();
    let head = text.chars().skip(skip).count() - kept.chars().count();
    let cut: usize = text.chars().take(skip).map(char::len_utf8).sum();
    let mark = if skip > 0 { "…" } else { "" };
    let end = mark.len() + kept.len();
    ranges = ranges
        .into_iter()
        .filter(|(start, _)| *start >= cut)
        .map(|(start, stop)| (start - cut + mark.len(), (stop - cut + mark.len()).min(end)))
        .filter(|(start, stop)| start < stop)
        .collect();
    let tail = if head > 0 { "…" } else { "" };
    (format!("{mark}{kept}{tail}"), ranges)
}

/// Positions of bytes as positions of the text, where a sequence of bad bytes is one sign of three. They are asked for
/// in ascending order, so that a long line is gone through once.
struct Places<'a> {
    chunks: Utf8Chunks<'a>,
    /// Where the valid part, the bad part and the next chunk begin, in bytes.
    valid: usize,
    bad: usize,
    next: usize,
    /// Where the valid part begins in the text.
    text: usize,
}

impl<'a> Places<'a> {
    fn of(line: &'a [u8]) -> Self {
        Self {
            chunks: line.utf8_chunks(),
            valid: 0,
            bad: 0,
            next: 0,
            text: 0,
        }
    }

    fn of_byte(&mut self, at: usize) -> usize {
        while at >= self.next {
            let Some(chunk) = self.chunks.next() else {
                break;
            };
            self.text += self.bad - self.valid + bad_length(self.bad, self.next);
            self.valid = self.next;
            self.bad = self.valid + chunk.valid().len();
            self.next = self.bad + chunk.invalid().len();
        }
        let whole = at.min(self.bad) - self.valid.min(at);
        self.text + whole + bad_length(self.bad, at.min(self.next))
    }
}

/// Bytes of the text that stand for a bad sequence, as far as it is passed.
fn bad_length(start: usize, end: usize) -> usize {
    if end > start {
        '\u{FFFD}'.len_utf8()
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_long_line_is_cut_around_its_first_match() {
        let line = format!("{}needle{}\r\n", "a".repeat(100), "b".repeat(100));

        let (text, ranges) = trimmed(line.as_bytes(), std::iter::once(100..106), 20);

        assert_eq!(text, format!("…aaaaaneedle{}…", "b".repeat(9)));
        assert_eq!(ranges, [(8, 14)]);
    }

    proptest! {
        #[test]
        fn a_place_is_the_length_of_the_text_before_it(
            line in prop::collection::vec(prop::sample::select(b"ab\xC3\xA9\xE2\x86\xFF".to_vec()), 0..24),
            mut at in prop::collection::vec(0usize..30, 0..6),
        ) {
            at.sort_unstable();
            let mut places = Places::of(&line);
            for at in at {
                // Inside a bad sequence the text before it is not defined by its bytes alone.
                let head = line.get(..at).unwrap_or(&line);
                let text = String::from_utf8_lossy(&line);
                let place = places.of_byte(at);
                let before = String::from_utf8_lossy(head);
                if text.starts_with(before.as_ref()) {
                    prop_assert_eq!(place, before.len());
                } else {
                    prop_assert!(place <= text.len());
                }
            }
        }
    }
}
