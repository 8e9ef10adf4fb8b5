//! Values in an approval box: both ends of what is long, with a count of what is left out and the key that shows it;
//! every hidden character made visible.

use super::lines::{Line, left_out};
use crate::{
    text::{
        sanitize::{Revealed, reveal},
        truncate::{ceil_boundary, floor_boundary, grouped},
    },
    ui::{
        displays::revealed_pieces,
        rows::{Flow, Joint, Paint, Row, flow},
    },
};

/// Lines of an argument that are shown at both ends.
const HEAD_LINES: usize = 6;
const TAIL_LINES: usize = 3;
/// Bytes of a line that are shown at both ends.
const HEAD_BYTES: usize = 600;
const TAIL_BYTES: usize = 200;

/// A value: both ends of its lines, both ends of a long line, everything hidden made visible.
pub(super) fn value_rows(
    text: &str,
    look: Paint,
    width: usize,
    key: &str,
    suspicious: &mut bool,
) -> Vec<Line> {
    let mut rows: Vec<Line> = Vec::new();
    let lines: Vec<&str> = text.trim_end_matches('\n').split('\n').collect();
    let folded = lines.len().saturating_sub(HEAD_LINES + TAIL_LINES);
    let folded = if folded > 1 { folded } else { 0 };
    for (index, line) in lines.iter().enumerate() {
        if folded > 0 && index >= HEAD_LINES && index < HEAD_LINES + folded {
            if index == HEAD_LINES {
                rows.push(Line::left_out(folded, key));
            }
            continue;
        }
        let mut drawn: Vec<Row> = Vec::new();
        for part in ends(line) {
            match part {
                Part::Shown(part) => {
                    let revealed = reveal(&part.replace('\t', "    "));
                    *suspicious |= revealed.is_suspicious();
                    drawn.extend(revealed_rows(&revealed, look, width));
                }
                Part::LeftOut(bytes) => {
                    drawn.push(left_out(&format!("{} bytes", grouped(bytes)), key));
                }
            }
        }
        // All parts of a line are one line.
        for row in drawn
            .iter_mut()
            .skip(1)
            .filter(|row| row.joint == Joint::Line)
        {
            row.joint = Joint::Cut;
        }
        rows.extend(drawn.into_iter().map(Line::from));
    }
    rows
}

enum Part<'a> {
    Shown(&'a str),
    LeftOut(usize),
}

/// A long line as its two ends.
fn ends(line: &str) -> Vec<Part<'_>> {
    if line.len() <= HEAD_BYTES + TAIL_BYTES + 40 {
        return vec![Part::Shown(line)];
    }
    let head = floor_boundary(line, HEAD_BYTES);
    let tail = ceil_boundary(line, line.len() - TAIL_BYTES);
    vec![
        Part::Shown(line.get(..head).unwrap_or_default()),
        Part::LeftOut(tail - head),
        Part::Shown(line.get(tail..).unwrap_or_default()),
    ]
}

fn revealed_rows(revealed: &Revealed, look: Paint, width: usize) -> Vec<Row> {
    flow(&revealed_pieces(revealed, look), &Flow::anywhere(width))
}
