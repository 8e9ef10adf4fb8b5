//! Breaks a line of pieces into rows. The pieces are laid end to end, `text::wrap` finds the rows, and the same
//! byte ranges cut the pieces, so that looks never change where a row ends.

use super::piece::{Joint, Piece, Row};
use crate::text::wrap::Wrap;

/// How pieces become rows.
#[derive(Clone, Debug)]
pub struct Flow<'a> {
    /// Columns of the whole row, decoration included.
    pub width: usize,
    /// Decoration in front of the first row.
    pub first: &'a [Piece],
    /// Decoration in front of the following rows.
    pub rest: &'a [Piece],
    /// Whether rows break between words (else anywhere).
    pub words: bool,
}

impl Flow<'_> {
    /// Between words, without decoration.
    pub fn words(width: usize) -> Self {
        Self {
            width,
            first: &[],
            rest: &[],
            words: true,
        }
    }

    /// Anywhere, without decoration.
    pub fn anywhere(width: usize) -> Self {
        Self {
            words: false,
            ..Self::words(width)
        }
    }
}

/// The rows of a line of pieces; a newline inside a piece is a hard break.
pub fn flow(pieces: &[Piece], how: &Flow<'_>) -> Vec<Row> {
    let text: String = pieces.iter().map(|piece| piece.text.as_str()).collect();
    let mut cut = Cutter {
        pieces,
        index: 0,
        start: 0,
    };
    let first = span(how.first);
    let rest = span(how.rest);
    let wrap = Wrap {
        first: how.width.saturating_sub(first),
        rest: how.width.saturating_sub(rest),
        ..if how.words {
            Wrap::words(how.width)
        } else {
            Wrap::anywhere(how.width)
        }
    };
    let mut rows = Vec::new();
    let mut shown_to = 0;
    for row in wrap.rows(&text) {
        let prefix = if rows.is_empty() { how.first } else { how.rest };
        let mut made = Vec::with_capacity(prefix.len() + 2);
        made.extend_from_slice(prefix);
        cut.take(row.start, row.end, &mut made);
        rows.push(Row {
            pieces: made,
            gutter: if rows.is_empty() { first } else { rest },
            joint: match row.continues {
                false => Joint::Line,
                true if shown_to < row.start => Joint::Blank,
                true => Joint::Cut,
            },
            fill: None,
        });
        shown_to = row.end;
    }
    rows
}

fn span(pieces: &[Piece]) -> usize {
    pieces.iter().map(Piece::columns).sum()
}

/// Cuts pieces by ascending byte ranges of their joined text.
struct Cutter<'a> {
    pieces: &'a [Piece],
    index: usize,
    /// Where the present piece starts in the joined text.
    start: usize,
}

impl Cutter<'_> {
    fn take(&mut self, from: usize, to: usize, into: &mut Vec<Piece>) {
        while let Some(piece) = self.pieces.get(self.index) {
            let end = self.start + piece.text.len();
            let low = from.max(self.start) - self.start;
            let high = to.min(end).saturating_sub(self.start);
            if low < high
                && let Some(text) = piece.text.get(low..high)
            {
                push(into, text, piece);
            }
            if end > to {
                return;
            }
            self.start = end;
            self.index += 1;
        }
    }
}

/// Appends text, joined with the piece before when both look the same.
fn push(into: &mut Vec<Piece>, text: &str, piece: &Piece) {
    match into.last_mut() {
        Some(last) if (last.paint, &last.link) == (piece.paint, &piece.link) => {
            last.text.push_str(text);
        }
        _ => into.push(Piece {
            text: text.to_owned(),
            ..piece.clone()
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::theme::StyleName;

    #[test]
    fn looks_follow_the_text_over_row_ends() {
        let pieces = [
            Piece::text("alpha be"),
            Piece::new("ta gam", StyleName::Strong),
            Piece::text("ma"),
        ];

        let rows = flow(&pieces, &Flow::words(7));

        let texts: Vec<String> = rows.iter().map(Row::text).collect();
        assert_eq!(texts, ["alpha", "beta", "gamma"]);
        assert_eq!(
            rows[1].pieces,
            [Piece::text("be"), Piece::new("ta", StyleName::Strong)]
        );
        assert_eq!((rows[0].joint, rows[1].joint), (Joint::Line, Joint::Blank));
    }

    #[test]
    fn decoration_narrows_the_text_and_counts_as_gutter() {
        let bar = [Piece::new("▎ ", StyleName::Guide)];

        let rows = flow(
            &[Piece::text("one two three")],
            &Flow {
                width: 9,
                first: &[],
                rest: &bar,
                words: true,
            },
        );

        let texts: Vec<String> = rows.iter().map(Row::text).collect();
        assert_eq!(texts, ["one two", "▎ three"]);
        assert_eq!((rows[0].gutter, rows[1].gutter), (0, 2));
    }

    #[test]
    fn an_empty_line_is_one_row() {
        assert_eq!(flow(&[], &Flow::words(10)).len(), 1);
    }
}
