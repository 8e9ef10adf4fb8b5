//! Where the characters of an edited text stand on the screen: soft wrap by graphemes.
//!
//! The one invariant: a grapheme is never split, and the caret always has a cell, so rows are one
//! column narrower than the space given. What cannot be seen (bidi and zero-width characters, the
//! stand-ins of chips) is given a visible label here, so that width, caret and drawing agree.

use std::{cell::RefCell, rc::Rc};

use crate::text::{
    sanitize::{Hazard, hazard},
    truncate::head,
    width::{TAB_STOP, columns, grapheme_columns, graphemes},
};

/// The widest gap that a tab makes.
const BLANKS: &str = "        ";
const _: () = assert!(BLANKS.len() >= TAB_STOP);

/// What a piece is, for its style.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    /// Ordinary text.
    Plain,
    /// Blank.
    Space,
    /// A label that stands for a pasted text.
    Chip,
    /// A label that stands for a character that cannot be seen.
    Hidden,
}

/// A grapheme, or a label that stands for one character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Bytes of the row's text that it takes.
    pub bytes: usize,
    /// What it is.
    pub kind: PieceKind,
    /// How many characters of the text it stands for.
    pub chars: usize,
    /// Columns that it takes.
    pub width: usize,
}

/// One row of the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrappedRow {
    /// Line of the text that it belongs to.
    pub line: usize,
    /// First character of the line on this row.
    pub start: usize,
    /// First character of the line that is not on this row.
    pub end: usize,
    /// Whether the line ends here.
    pub last: bool,
    /// What is drawn.
    pub text: String,
    /// What stands on it.
    pub pieces: Vec<Piece>,
}

impl WrappedRow {
    /// Its texts from left to right, neighbours of one kind together.
    pub fn spans(&self) -> Vec<(&str, PieceKind)> {
        let mut spans = Vec::new();
        let (mut begin, mut end) = (0, 0);
        for (index, piece) in self.pieces.iter().enumerate() {
            end += piece.bytes;
            let next = self.pieces.get(index + 1);
            if next.is_none_or(|next| next.kind != piece.kind) {
                spans.push((self.text.get(begin..end).unwrap_or_default(), piece.kind));
                begin = end;
            }
        }
        spans
    }

    /// The column of a character.
    pub fn column_of(&self, char_index: usize) -> usize {
        let mut at = self.start;
        let mut column = 0;
        for piece in &self.pieces {
            if at >= char_index {
                break;
            }
            at += piece.chars;
            column += piece.width;
        }
        column
    }

    /// The character nearest to a column, never inside a piece.
    pub fn char_at(&self, column: usize) -> usize {
        let mut at = self.start;
        let mut reached = 0;
        let count = self.pieces.len();
        for (index, piece) in self.pieces.iter().enumerate() {
            // The end of a wrapped row is the start of the next one, so the caret stops before it.
            let is_stop = !self.last && index + 1 == count;
            if is_stop || reached + piece.width > column {
                break;
            }
            at += piece.chars;
            reached += piece.width;
        }
        at
    }
}

/// The rows of a text, kept: they are asked for several times a frame and change only with the text and the width.
#[derive(Clone, Debug, Default)]
pub(super) struct WrappedMemo {
    kept: RefCell<Option<Kept>>,
}

#[derive(Clone, Debug)]
struct Kept {
    revision: u64,
    width: usize,
    rows: Rc<[WrappedRow]>,
}

impl WrappedMemo {
    /// The rows of this revision of the text at this width.
    pub(super) fn rows(
        &self,
        revision: u64,
        width: usize,
        wrap: impl FnOnce() -> Vec<WrappedRow>,
    ) -> Rc<[WrappedRow]> {
        if let Some(kept) = &*self.kept.borrow()
            && (kept.revision, kept.width) == (revision, width)
        {
            return Rc::clone(&kept.rows);
        }
        let rows: Rc<[WrappedRow]> = wrap().into();
        self.kept.replace(Some(Kept {
            revision,
            width,
            rows: Rc::clone(&rows),
        }));
        rows
    }

    /// Something else than the text has changed.
    pub(super) fn forget(&self) {
        self.kept.take();
    }
}

/// Wraps lines to a width; `labels` names the characters that stand for something else.
pub fn wrap_lines(
    lines: &[String],
    width: usize,
    labels: &dyn Fn(char) -> Option<String>,
) -> Vec<WrappedRow> {
    let width = width.saturating_sub(1).max(1);
    let mut rows = Vec::with_capacity(lines.len());
    for (line, text) in lines.iter().enumerate() {
        wrap_line(line, text, width, labels, &mut rows);
    }
    rows
}

/// The row and column of the caret.
pub fn caret_of(rows: &[WrappedRow], (line, column): (usize, usize)) -> (usize, usize) {
    rows.iter()
        .enumerate()
        .find(|(_, row)| row.line == line && column >= row.start && (column < row.end || row.last))
        .map_or((0, 0), |(index, row)| (index, row.column_of(column)))
}

fn wrap_line(
    line: usize,
    text: &str,
    width: usize,
    labels: &dyn Fn(char) -> Option<String>,
    rows: &mut Vec<WrappedRow>,
) {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut drawn = String::new();
    let mut start = 0;
    let mut used = 0;
    for (_, grapheme) in graphemes(text) {
        // Where a piece begins decides how wide a tab is, and nothing else.
        let at = used;
        each_piece(grapheme, at, width, labels, &mut |text, kind, chars| {
            let piece = Piece {
                bytes: text.len(),
                kind,
                chars,
                width: columns(text),
            };
            // One blank may hang in the caret's column: the caret behind it stands on the next row.
            let hangs = kind == PieceKind::Space && piece.width == 1 && used == width;
            if used + piece.width > width && !hangs && !pieces.is_empty() {
                let rest = pieces.split_off(break_after(&pieces, kind));
                let bytes = pieces.iter().map(|piece| piece.bytes).sum();
                let rest_drawn = drawn.split_off(bytes);
                let end = start + chars_of(&pieces);
                rows.push(WrappedRow {
                    line,
                    start,
                    end,
                    last: false,
                    text: std::mem::replace(&mut drawn, rest_drawn),
                    pieces: std::mem::replace(&mut pieces, rest),
                });
                start = end;
                used = pieces.iter().map(|piece| piece.width).sum();
            }
            used += piece.width;
            drawn.push_str(text);
            pieces.push(piece);
        });
    }
    let end = start + chars_of(&pieces);
    let is_full = used > width
        && pieces
            .last()
            .is_some_and(|last| last.kind == PieceKind::Space);
    rows.push(WrappedRow {
        line,
        start,
        end,
        last: !is_full,
        text: drawn,
        pieces,
    });
    if is_full {
        rows.push(WrappedRow {
            line,
            start: end,
            end,
            last: true,
            text: String::new(),
            pieces: Vec::new(),
        });
    }
}

/// How many pieces stay on the row: up to the last blank, or all when there is no earlier place.
fn break_after(pieces: &[Piece], next: PieceKind) -> usize {
    if matches!(next, PieceKind::Space | PieceKind::Chip) {
        return pieces.len();
    }
    pieces
        .iter()
        .rposition(|piece| matches!(piece.kind, PieceKind::Space | PieceKind::Chip))
        .map_or(pieces.len(), |index| index + 1)
}

fn chars_of(pieces: &[Piece]) -> usize {
    pieces.iter().map(|piece| piece.chars).sum()
}

/// Takes what is drawn for a grapheme apart: its text, what it is, and for how many characters it stands.
fn each_piece(
    grapheme: &str,
    column: usize,
    width: usize,
    labels: &dyn Fn(char) -> Option<String>,
    take: &mut dyn FnMut(&str, PieceKind, usize),
) {
    if grapheme == "\t" {
        let gap = (TAB_STOP - column % TAB_STOP).min(width);
        return take(BLANKS.get(..gap).unwrap_or(BLANKS), PieceKind::Space, 1);
    }
    let needs_labels = grapheme
        .chars()
        .any(|c| is_hidden(c, grapheme) || labels(c).is_some());
    if !needs_labels {
        let kind = if grapheme.chars().all(char::is_whitespace) {
            PieceKind::Space
        } else {
            PieceKind::Plain
        };
        return take(grapheme, kind, grapheme.chars().count());
    }
    for c in grapheme.chars() {
        match labels(c) {
            Some(label) => take(&head(&label, width), PieceKind::Chip, 1),
            None if is_hidden(c, grapheme) => {
                let label = format!("\\u{{{:x}}}", u32::from(c));
                take(&head(&label, width), PieceKind::Hidden, 1);
            }
            None => take(c.encode_utf8(&mut [0; 4]), PieceKind::Plain, 1),
        }
    }
}

/// Whether a character would hide or reorder what stands around it.
///
/// Joiners and variation selectors inside a visible grapheme are what they should be.
fn is_hidden(c: char, grapheme: &str) -> bool {
    match hazard(c) {
        Some(Hazard::Bidirectional | Hazard::Control) => true,
        Some(Hazard::Invisible) | None => grapheme_columns(grapheme) == 0,
        Some(Hazard::OddBlank) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(text: &str, width: usize) -> Vec<String> {
        let lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
        wrap_lines(&lines, width, &|c| {
            (c == '\u{fdd0}').then(|| "[paste 1]".to_owned())
        })
        .into_iter()
        .map(|row| row.text)
        .collect()
    }

    #[test]
    fn words_move_to_the_next_row_and_long_ones_are_cut_between_graphemes() {
        assert_eq!(drawn("one two three", 9), ["one two ", "three"]);
        assert_eq!(drawn("abcdefghij", 5), ["abcd", "efgh", "ij"]);
        assert_eq!(drawn("混合中文", 6), ["混合", "中文"]);
        assert_eq!(drawn("a👨‍👩‍👧b", 4), ["a👨‍👩‍👧", "b"]);
    }

    #[test]
    fn what_cannot_be_seen_gets_a_label() {
        assert_eq!(drawn("a\u{202e}b", 20), ["a\\u{202e}b"]);
        assert_eq!(drawn("a\u{200b}b", 20), ["a\\u{200b}b"]);
        assert_eq!(drawn("x \u{fdd0} y", 20), ["x [paste 1] y"]);
    }

    #[test]
    fn the_caret_stands_behind_wide_characters_by_their_columns() {
        let rows = wrap_lines(&["各a👨‍👩‍👧z".to_owned()], 20, &|_| None);

        // Characters: 各, a, then five of the family, then z.
        assert_eq!(caret_of(&rows, (0, 1)), (0, 2));
        assert_eq!(caret_of(&rows, (0, 7)), (0, 5));
        assert_eq!(caret_of(&rows, (0, 8)), (0, 6));
    }

    #[test]
    fn the_caret_at_a_soft_break_stands_at_the_start_of_the_next_row() {
        let rows = wrap_lines(&["one two three".to_owned()], 9, &|_| None);

        assert_eq!(caret_of(&rows, (0, 8)), (1, 0));
        assert_eq!(caret_of(&rows, (0, 13)), (1, 5));
        assert_eq!(rows[0].char_at(50), 7);
        assert_eq!(rows[1].char_at(50), 13);
    }

    #[test]
    fn a_blank_at_the_edge_hangs_and_the_caret_behind_it_has_a_cell() {
        let rows = wrap_lines(&["aaaa bbb ".to_owned()], 9, &|_| None);

        assert_eq!(drawn("aaaa bbb ", 9), ["aaaa bbb ", ""]);
        assert_eq!(drawn("aaaa bbb c", 9), ["aaaa bbb ", "c"]);
        assert_eq!(caret_of(&rows, (0, 9)), (1, 0));
    }

    #[test]
    fn a_tab_reaches_the_next_stop() {
        assert_eq!(drawn("a\tb", 20), ["a   b"]);
    }

    #[test]
    fn no_width_loses_a_character() {
        let text = "ab 各\t👩‍🚀 long-word-here \u{202e}";
        for width in 0..24 {
            let rows = wrap_lines(&[text.to_owned()], width, &|_| None);
            let chars: usize = rows
                .iter()
                .flat_map(|row| &row.pieces)
                .map(|p| p.chars)
                .sum();
            assert_eq!(chars, text.chars().count(), "width {width}");
        }
    }
}
