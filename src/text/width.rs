//! Graphemes and the columns that they take.
//!
//! The width of a text is the sum of the widths of its graphemes, counted as the drawing library counts them,
//! so that what is measured here is what is drawn. Control characters take no column (they are never drawn);
//! tabs run to the next stop.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Columns from one tab stop to the next where nothing else is said.
pub const TAB_STOP: usize = 4;

/// The graphemes of a text with their byte offsets.
pub fn graphemes(text: &str) -> Graphemes<'_> {
    Graphemes { text, at: 0 }
}

/// The graphemes of a text with their byte offsets.
#[derive(Clone, Debug)]
pub struct Graphemes<'text> {
    text: &'text str,
    at: usize,
}

impl<'text> Iterator for Graphemes<'text> {
    type Item = (usize, &'text str);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.text.get(self.at..)?;
        // Most text is ASCII, where every character but `\r` stands alone in front of another one.
        let grapheme = match rest.as_bytes() {
            [] => return None,
            [first, second, ..] if *first != b'\r' && first.is_ascii() && second.is_ascii() => {
                rest.get(..1)?
            }
            _ => rest.graphemes(true).next()?,
        };
        let at = self.at;
        self.at += grapheme.len();
        Some((at, grapheme))
    }
}

/// Columns of one grapheme; a tab counts nothing here, see [`advance`].
pub fn grapheme_columns(grapheme: &str) -> usize {
    let mut characters = grapheme.chars();
    match (characters.next(), characters.next()) {
        (Some(first), None) if first.is_ascii() => usize::from(!first.is_ascii_control()),
        _ if grapheme.contains(char::is_control) => 0,
        // Half-width voicing marks get one column more from the drawing library than from the tables.
        _ => {
            let marks = grapheme.matches(['\u{ff9e}', '\u{ff9f}']).count();
            grapheme.width() + marks
        }
    }
}

/// The column behind a grapheme that starts at `column`. A `stop` of 0 counts as 1.
pub fn advance(column: usize, grapheme: &str, stop: usize) -> usize {
    if grapheme == "\t" {
        let stop = stop.max(1);
        (column / stop + 1) * stop
    } else {
        column + grapheme_columns(grapheme)
    }
}

/// Columns of one line of text that starts in column 0, with tab stops of [`TAB_STOP`].
pub fn columns(text: &str) -> usize {
    columns_from(text, 0, TAB_STOP)
}

/// The column behind a line of text that starts at `column`.
pub fn columns_from(text: &str, column: usize, stop: usize) -> usize {
    if text.bytes().all(|byte| (0x20..0x7f).contains(&byte)) {
        return column + text.len();
    }
    graphemes(text).fold(column, |column, (_, grapheme)| {
        advance(column, grapheme, stop)
    })
}

/// The text with its tabs opened to spaces. Each line starts in column 0 again, the first one at `column`.
pub fn expand_tabs(text: &str, column: usize, stop: usize) -> Cow<'_, str> {
    if !text.contains('\t') {
        return Cow::Borrowed(text);
    }
    let mut column = column;
    let mut opened = String::with_capacity(text.len() + 16);
    for (_, grapheme) in graphemes(text) {
        let next = advance(column, grapheme, stop);
        if grapheme == "\t" {
            opened.extend(std::iter::repeat_n(' ', next - column));
        } else {
            opened.push_str(grapheme);
        }
        column = if grapheme.ends_with('\n') { 0 } else { next };
    }
    Cow::Owned(opened)
}

/// The longest prefix that fits into `limit` columns, as a byte length, with the columns that it takes.
pub fn fitting(text: &str, limit: usize) -> (usize, usize) {
    let mut column = 0;
    for (offset, grapheme) in graphemes(text) {
        let next = advance(column, grapheme, TAB_STOP);
        if next > limit {
            return (offset, column);
        }
        column = next;
    }
    (text.len(), column)
}

/// The byte offset of the grapheme that covers `column`, or the length of the text when it is shorter.
pub fn offset_at(text: &str, column: usize) -> usize {
    fitting(text, column).0
}

/// The text filled with spaces to `target` columns; unchanged when it is as wide already.
pub fn pad(text: &str, target: usize) -> Cow<'_, str> {
    let missing = target.saturating_sub(columns(text));
    if missing == 0 {
        return Cow::Borrowed(text);
    }
    let mut padded = String::with_capacity(text.len() + missing);
    padded.push_str(text);
    padded.extend(std::iter::repeat_n(' ', missing));
    Cow::Owned(padded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn graphemes_take_the_columns_that_are_drawn() {
        let widths: Vec<usize> = [
            "a", "各", "é", "e\u{301}", "👍🏽", "\u{1b}", "ｶﾞ", "", "\u{200b}",
        ]
        .into_iter()
        .map(grapheme_columns)
        .collect();

        assert_eq!(widths, [1, 2, 1, 1, 2, 0, 3, 0, 0]);
    }

    #[test]
    fn graphemes_are_those_of_the_standard() {
        let text = "a\r\nb\te\u{301}各👩\u{200d}👧🇩🇪🇫🇷\r\n\n\u{301}x";

        let standard: Vec<(usize, &str)> = text.grapheme_indices(true).collect();

        assert_eq!(graphemes(text).collect::<Vec<_>>(), standard);
    }

    #[test]
    fn a_tab_runs_to_the_next_stop() {
        assert_eq!(columns("\tx"), 5);
        assert_eq!(columns("abc\tx"), 5);
        assert_eq!(columns("abcd\tx"), 9);
        assert_eq!(columns_from("\tx", 2, 8), 9);
        assert_eq!(columns_from("\t\t", 0, 0), 2);
    }

    #[test]
    fn tabs_open_to_spaces_line_by_line() {
        let source = "\tif x {\n\t\t各\ty\n\t}\n";

        let opened = expand_tabs(source, 0, 4);

        assert_eq!(opened, "    if x {\n        各  y\n    }\n");
        assert_eq!(expand_tabs("\tx", 3, 4), " x");
        assert!(matches!(expand_tabs("plain", 0, 4), Cow::Borrowed(_)));
    }

    #[test]
    fn a_prefix_never_splits_a_wide_grapheme() {
        let title = "各".repeat(40);

        for limit in 0..130 {
            let (bytes, columns) = fitting(&title, limit);

            assert_eq!(bytes, (limit / 2).min(40) * 3);
            assert_eq!(columns, (limit / 2).min(40) * 2);
        }
    }

    #[test]
    fn padding_counts_columns() {
        assert_eq!(pad("各", 4), "各  ");
        assert_eq!(pad("abcd", 3), "abcd");
    }
}
