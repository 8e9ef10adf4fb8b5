//! The output of a call while the person types into it.

use super::scene::Scene;
use crate::{
    text::sanitize::clean_line,
    ui::{
        panes::{conversation::Call, typing},
        rows::{Flow, Piece, Row, flow},
    },
};

/// Columns of the line beside an output.
const GUIDE: usize = 4;
/// Rows of the pane above it.
const FRAME: usize = 2;
/// Lines that are shown in the lowest pane.
const LEAST: usize = 3;

/// Whether the person types into it now.
pub(super) fn is_typed_into(call: &Call, scene: &Scene<'_>) -> bool {
    typing::chosen(scene.model) == Some(&call.call.id)
}

/// As much of the end as the pane shows, for the person who types: whole, and with the line on which they do.
pub(super) fn rows(call: &Call, scene: &Scene<'_>) -> Vec<Row> {
    let width = width(scene);
    let most = scene.rows.saturating_sub(FRAME).max(LEAST);
    let lines = call.output.split('\n').rev().take(most);
    let mut rows: Vec<Row> = lines
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .flat_map(|line| {
            let pieces = [Piece::text(clean_line(line).into_owned())];
            flow(&pieces, &Flow::anywhere(width))
        })
        .collect();
    rows.drain(..rows.len().saturating_sub(most));
    rows
}

/// Where the next character comes, the rows above the output being so many.
pub(super) fn caret(call: &Call, above: usize, scene: &Scene<'_>) -> (usize, usize) {
    let rows = rows(call, scene);
    let column = rows.last().map_or(0, Row::columns);
    (above + rows.len().saturating_sub(1), GUIDE + column)
}

fn width(scene: &Scene<'_>) -> usize {
    scene.width.saturating_sub(GUIDE).max(1)
}
