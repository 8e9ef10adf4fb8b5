//! What an edit does: the change as it would be made now.

use super::lines::Line;
use crate::{
    domain::display::{Display, FileDiff},
    ui::{
        cells::scene::Scene,
        displays::{Amount, Canvas, change_rows, render},
        panes::requests::approval::Approval,
        rows::Row,
        theme::StyleName,
    },
};

/// Rows of a change that are made; no pane is as high.
const MOST_ROWS: usize = 1_000;

/// The rows of a change.
#[derive(Debug, Default)]
pub(super) struct ChangeLines {
    /// The rows.
    pub(super) lines: Vec<Line>,
    /// The row of the first line that changed.
    pub(super) first_changed: usize,
    /// Whether colours are still to come.
    pub(super) unsettled: bool,
}

/// Draws the change that a call would make, if it would make one.
pub(super) fn change(
    approval: &Approval,
    inner: usize,
    key: &str,
    scene: &Scene<'_>,
    suspicious: &mut bool,
) -> ChangeLines {
    let Some(preview) = approval.preview() else {
        return ChangeLines::default();
    };
    let canvas = Canvas {
        width: inner,
        amount: Amount::Whole,
        diff: scene.diff,
        highlights: scene.highlights,
        open_key: "",
        reveal: true,
    };
    let drawn = match preview.as_ref() {
        Display::Diff(diff) => diff_lines(diff, &canvas, key),
        other => {
            let rendered = render(other, &canvas);
            ChangeLines {
                lines: rendered.rows.into_iter().map(Line::from).collect(),
                first_changed: 0,
                unsettled: rendered.unsettled,
            }
        }
    };
    *suspicious |= drawn
        .lines
        .iter()
        .flat_map(|line| &line.row.pieces)
        .any(|piece| piece.paint.base == StyleName::Suspicious);
    drawn
}

fn diff_lines(diff: &FileDiff, canvas: &Canvas<'_>, key: &str) -> ChangeLines {
    let drawn = change_rows(diff, canvas, MOST_ROWS);
    let mut lines: Vec<Line> = drawn.rows.into_iter().map(Line::from).collect();
    if lines.is_empty() {
        lines.push(Row::of("nothing changes", StyleName::Faint).into());
    }
    if drawn.beyond > 0 {
        lines.push(Line::left_out(drawn.beyond, key));
    }
    ChangeLines {
        lines,
        first_changed: drawn.first_changed,
        unsettled: drawn.unsettled,
    }
}
