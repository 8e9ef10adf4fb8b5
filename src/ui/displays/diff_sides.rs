//! A change side by side: what was on the left, what is on the right, paired lines in one row.

use super::diff::{Sheet, sign};
use crate::{
    text::diff::{DiffLine, Side},
    ui::{
        rows::{Piece, Row},
        theme::StyleName,
    },
};

/// Stands between the halves.
const GAP: &str = " │ ";

/// What stands left and right in the same rows.
pub(super) type Pair<'a> = (Option<&'a DiffLine<'a>>, Option<&'a DiffLine<'a>>);

/// The lines of one changed place, each beside its counterpart.
pub(super) fn paired<'a>(lines: &'a [DiffLine<'a>]) -> Vec<Pair<'a>> {
    let mut pairs = Vec::new();
    let mut removed: Vec<&DiffLine<'_>> = Vec::new();
    let mut added: Vec<&DiffLine<'_>> = Vec::new();
    for line in lines {
        match line.side {
            Side::Removed if added.is_empty() => removed.push(line),
            Side::Removed => {
                pair(&mut removed, &mut added, &mut pairs);
                removed.push(line);
            }
            Side::Added => added.push(line),
            Side::Both => {
                pair(&mut removed, &mut added, &mut pairs);
                pairs.push((Some(line), Some(line)));
            }
        }
    }
    pair(&mut removed, &mut added, &mut pairs);
    pairs
}

/// Puts removed and added lines of one block beside each other.
fn pair<'a>(
    removed: &mut Vec<&'a DiffLine<'a>>,
    added: &mut Vec<&'a DiffLine<'a>>,
    pairs: &mut Vec<Pair<'a>>,
) {
    for index in 0..removed.len().max(added.len()) {
        pairs.push((removed.get(index).copied(), added.get(index).copied()));
    }
    removed.clear();
    added.clear();
}

/// As many rows as the higher half needs.
pub(super) fn halves(
    sheet: &Sheet,
    left: Option<&DiffLine<'_>>,
    right: Option<&DiffLine<'_>>,
) -> Vec<Row> {
    let room = sheet.width.saturating_sub(3);
    let (left_width, right_width) = (room / 2, room - room / 2);
    let left = half(sheet, left, left_width, |line| line.old);
    let right = half(sheet, right, right_width, |line| line.new);
    (0..left.len().max(right.len()))
        .map(|index| {
            let mut pieces = padded(left.get(index), left_width);
            pieces.push(Piece::new(GAP, StyleName::Guide));
            let mut fill = None;
            if let Some(row) = right.get(index) {
                pieces.extend(row.pieces.iter().cloned());
                fill = row.fill;
            }
            Row {
                pieces,
                fill,
                ..Row::default()
            }
        })
        .collect()
}

fn half(
    sheet: &Sheet,
    line: Option<&DiffLine<'_>>,
    width: usize,
    number: impl Fn(&DiffLine<'_>) -> Option<usize>,
) -> Vec<Row> {
    let Some(line) = line else {
        return Vec::new();
    };
    let (sign, name) = sign(line.side);
    let first = [
        Piece::new(sheet.number(number(line)), StyleName::LineNumber),
        Piece::new(sign, name),
    ];
    let rest = [
        Piece::new(sheet.number(None), StyleName::LineNumber),
        Piece::new("  ", name),
    ];
    sheet.flowed(line, width, &first, &rest)
}

/// A half filled to its width, in its own background.
fn padded(row: Option<&Row>, width: usize) -> Vec<Piece> {
    let Some(row) = row else {
        return vec![Piece::blank(width)];
    };
    let mut pieces = row.pieces.clone();
    let free = width.saturating_sub(row.columns());
    if free > 0 {
        let name = row.fill.unwrap_or(StyleName::Text);
        pieces.push(Piece::new(" ".repeat(free), name));
    }
    pieces
}
