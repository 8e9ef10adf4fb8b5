//! Cutting text to a size, always saying that something is missing.
//!
//! Cuts by columns leave an ellipsis and fall between graphemes; cuts by lines and bytes keep both ends and
//! count what lies between. A text that fits is returned as it is.

use std::borrow::Cow;

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

use super::width::{TAB_STOP, columns, fitting, grapheme_columns};

/// What stands for the missing part of a line.
pub const ELLIPSIS: &str = "…";

/// The beginning of a line within `limit` columns: `src/tools/fi…`.
pub fn head(line: &str, limit: usize) -> Cow<'_, str> {
    if columns(line) <= limit {
        return Cow::Borrowed(line);
    }
    if limit == 0 {
        return Cow::Borrowed("");
    }
    let (end, _) = fitting(line, limit - 1);
    Cow::Owned(format!("{}{ELLIPSIS}", &line[..end]))
}

/// The end of a line within `limit` columns: `…tools/files.rs`.
pub fn tail(line: &str, limit: usize) -> Cow<'_, str> {
    if columns(line) <= limit {
        return Cow::Borrowed(line);
    }
    if limit == 0 {
        return Cow::Borrowed("");
    }
    let start = fitting_end(line, limit - 1);
    Cow::Owned(format!("{ELLIPSIS}{}", &line[start..]))
}

/// Both ends of a line within `limit` columns: `src/to…ad.rs`.
pub fn middle(line: &str, limit: usize) -> Cow<'_, str> {
    if columns(line) <= limit {
        return Cow::Borrowed(line);
    }
    if limit < 3 {
        return head(line, limit);
    }
    let (end, taken) = fitting(line, (limit - 1).div_ceil(2));
    let start = fitting_end(line, limit - 1 - taken).max(end);
    Cow::Owned(format!("{}{ELLIPSIS}{}", &line[..end], &line[start..]))
}

/// The start of the longest end of a line that fits into `limit` columns; a tab counts as a whole stop.
fn fitting_end(line: &str, limit: usize) -> usize {
    let mut column = 0;
    for (offset, grapheme) in line.grapheme_indices(true).rev() {
        column += match grapheme {
            "\t" => TAB_STOP,
            _ => grapheme_columns(grapheme),
        };
        if column > limit {
            return offset + grapheme.len();
        }
    }
    0
}

/// A text of which the middle is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ends<'text> {
    /// The beginning; the whole text when nothing is left out.
    pub head: &'text str,
    /// The end; empty when nothing is left out.
    pub tail: &'text str,
    /// Lines left out; a line cut in two counts.
    pub omitted_lines: usize,
    /// Bytes left out.
    pub omitted_bytes: usize,
}

impl<'text> Ends<'text> {
    fn whole(text: &'text str) -> Self {
        Self {
            head: text,
            tail: "",
            omitted_lines: 0,
            omitted_bytes: 0,
        }
    }

    fn between(text: &'text str, head_end: usize, tail_start: usize) -> Self {
        if head_end >= tail_start {
            return Self::whole(text);
        }
        let omitted = &text[head_end..tail_start];
        Self {
            head: &text[..head_end],
            tail: &text[tail_start..],
            omitted_lines: omitted.lines().count(),
            omitted_bytes: omitted.len(),
        }
    }

    /// Whether something is left out.
    pub fn is_cut(&self) -> bool {
        self.omitted_bytes > 0
    }

    /// Both ends with a line between them that says what is left out.
    pub fn joined(&self) -> Cow<'text, str> {
        if !self.is_cut() {
            return Cow::Borrowed(self.head);
        }
        let gap = if self.head.is_empty() || self.head.ends_with('\n') {
            ""
        } else {
            "\n"
        };
        let note = omission(self.omitted_lines, self.omitted_bytes);
        Cow::Owned(format!("{}{gap}[{note}]\n{}", self.head, self.tail))
    }
}

/// The words for a missing part: `… 1,204 lines (88,120 bytes) left out …`.
pub fn omission(lines: usize, bytes: usize) -> String {
    let noun = if lines == 1 { "line" } else { "lines" };
    let (lines, bytes) = (grouped(lines), grouped(bytes));
    format!("{ELLIPSIS} {lines} {noun} ({bytes} bytes) left out {ELLIPSIS}")
}

/// A number with a comma between groups of three digits.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.char_indices() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// The first `head` and the last `tail` lines.
pub fn by_lines(text: &str, head: usize, tail: usize) -> Ends<'_> {
    let head_end = match head {
        0 => 0,
        _ => text
            .match_indices('\n')
            .nth(head - 1)
            .map_or(text.len(), |(at, _)| at + 1),
    };
    let body = text.strip_suffix('\n').unwrap_or(text);
    let tail_start = match tail {
        0 => text.len(),
        _ => body
            .rmatch_indices('\n')
            .nth(tail - 1)
            .map_or(0, |(at, _)| at + 1),
    };
    Ends::between(text, head_end, tail_start)
}

/// The first `head` and the last `tail` bytes, moved inwards to grapheme boundaries.
pub fn by_bytes(text: &str, head: usize, tail: usize) -> Ends<'_> {
    if text.len() <= head.saturating_add(tail) {
        return Ends::whole(text);
    }
    let head_end = floor_boundary(text, head);
    let tail_start = ceil_boundary(text, text.len() - tail);
    Ends::between(text, head_end, tail_start)
}

/// The first `head` and the last `tail` characters, moved inwards to grapheme boundaries.
pub fn by_characters(text: &str, head: usize, tail: usize) -> Ends<'_> {
    let count = text.chars().count();
    if count <= head.saturating_add(tail) {
        return Ends::whole(text);
    }
    let place = |at: usize| text.char_indices().nth(at).map_or(text.len(), |(at, _)| at);
    by_bytes(text, place(head), text.len() - place(count - tail))
}

/// The last grapheme boundary at or before `at`.
pub fn floor_boundary(text: &str, at: usize) -> usize {
    let at = text.floor_char_boundary(at);
    let mut cursor = GraphemeCursor::new(at, text.len(), true);
    match cursor.is_boundary(text, 0) {
        Ok(true) | Err(_) => at,
        Ok(false) => cursor.prev_boundary(text, 0).ok().flatten().unwrap_or(0),
    }
}

/// The first grapheme boundary at or behind `at`.
pub fn ceil_boundary(text: &str, at: usize) -> usize {
    let at = text.ceil_char_boundary(at.min(text.len()));
    let mut cursor = GraphemeCursor::new(at, text.len(), true);
    match cursor.is_boundary(text, 0) {
        Ok(true) | Err(_) => at,
        Ok(false) => cursor
            .next_boundary(text, 0)
            .ok()
            .flatten()
            .unwrap_or(text.len()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::width::graphemes;

    #[test]
    fn a_line_is_cut_at_either_end_or_in_the_middle() {
        let path = "src/tools/files/file_read.rs";

        assert_eq!(head(path, 10), "src/tools…");
        assert_eq!(tail(path, 13), "…file_read.rs");
        assert_eq!(middle(path, 12), "src/to…ad.rs");
        assert_eq!(head(path, 28), path);
        assert_eq!(
            (head(path, 0), tail(path, 0), middle(path, 1)),
            ("".into(), "".into(), "…".into())
        );
    }

    #[test]
    fn cuts_fall_between_wide_graphemes_at_every_width() {
        let title = "各".repeat(40);

        for limit in 0..=130 {
            for cut in [
                head(&title, limit),
                tail(&title, limit),
                middle(&title, limit),
            ] {
                assert!(columns(&cut) <= limit, "{cut} at {limit}");
                assert!(
                    cut.chars()
                        .all(|character| character == '各' || character == '…')
                );
            }
        }
        assert_eq!(middle(&title, 80), title);
    }

    #[test]
    fn lines_are_kept_at_both_ends_and_the_rest_is_counted() {
        let text = "1\n2\n3\n4\n5\n";

        let ends = by_lines(text, 1, 2);

        assert_eq!(
            ends,
            Ends {
                head: "1\n",
                tail: "4\n5\n",
                omitted_lines: 2,
                omitted_bytes: 4
            }
        );
        assert_eq!(ends.joined(), "1\n[… 2 lines (4 bytes) left out …]\n4\n5\n");
        assert_eq!(by_lines(text, 3, 2), Ends::whole(text));
        assert_eq!(by_lines("1\n2\n3", 0, 1).tail, "3");
        assert_eq!(by_lines("1\n2\n3", 1, 0).omitted_lines, 2);
    }

    #[test]
    fn bytes_are_kept_at_both_ends_without_splitting_a_character() {
        let arrows = "→".repeat(1_000);

        let ends = by_bytes(&arrows, 100, 50);

        assert_eq!((ends.head.len(), ends.tail.len()), (99, 48));
        assert_eq!(ends.omitted_bytes, 3_000 - 147);
        assert!(
            ends.joined()
                .contains("→\n[… 1 line (2,853 bytes) left out …]\n→")
        );
    }

    #[test]
    fn numbers_are_grouped_by_three() {
        assert_eq!(
            [0, 999, 1_000, 1_234_567].map(grouped),
            ["0", "999", "1,000", "1,234,567"]
        );
    }

    proptest! {
        #[test]
        fn a_cut_line_never_exceeds_the_limit(line in "[^\n\t]{0,40}", limit in 0usize..50) {
            for cut in [head(&line, limit), tail(&line, limit), middle(&line, limit)] {
                prop_assert!(columns(&cut) <= limit, "{:?}", cut);
            }
        }

        /// What is kept of a line are whole graphemes of it, from its ends.
        #[test]
        fn a_cut_splits_no_character(
            pieces in prop::collection::vec(
                prop::sample::select(vec!["a", " ", "各", "e\u{301}", "👩\u{200d}👩\u{200d}👧", "⚠\u{fe0f}", "🇩🇪"]),
                0..20,
            ),
            limit in 0usize..40,
        ) {
            let line = pieces.concat();
            let of = |text: &str| graphemes(text).map(|(_, piece)| piece.to_owned()).collect::<Vec<_>>();
            let all = of(&line);
            for cut in [head(&line, limit), tail(&line, limit), middle(&line, limit)] {
                let (first, last) = cut.split_once('…').unwrap_or((&cut, ""));
                prop_assert!(all.starts_with(&of(first)), "{:?} of {:?}", cut, line);
                prop_assert!(all.ends_with(&of(last)), "{:?} of {:?}", cut, line);
            }
        }

        #[test]
        fn both_ends_and_the_omitted_bytes_make_the_whole(text in "\\PC{0,60}", head in 0usize..80, tail in 0usize..80) {
            let ends = by_bytes(&text, head, tail);
            prop_assert!(text.starts_with(ends.head) && text.ends_with(ends.tail));
            prop_assert_eq!(ends.head.len() + ends.omitted_bytes + ends.tail.len(), text.len());
            if ends.is_cut() {
                prop_assert!(ends.head.len() <= head && ends.tail.len() <= tail);
            }
        }
    }
}
