//! What an edit does: the change as it would be made now.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use super::lines::Line;
use crate::{
    domain::display::{Display, FileDiff},
    ui::{
        cells::scene::Scene,
        displays::{Amount, Canvas, DiffStyle, change_rows, render},
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
    /// Whether hidden characters stand in it.
    pub(super) suspicious: bool,
    /// Up to which revision of the highlights they were used, while colours are still to come.
    pub(super) unsettled: Option<u64>,
}

/// The rows of an approval's change, and whether the call hides something, kept while nothing that they depend on
/// changes: a box is drawn several times a frame, and a change may be as large as a file.
///
/// Nothing here says what is shown. Forgetting costs time and changes no cell.
#[derive(Debug, Default)]
pub struct ChangeMemo {
    /// Whether hidden characters stand in what would run.
    hides: Cell<Option<bool>>,
    kept: RefCell<Option<(Look, Rc<ChangeLines>)>>,
    drawn: Cell<usize>,
}

/// What the rows depend on beside the approval itself.
#[derive(Debug, PartialEq, Eq)]
struct Look {
    inner: usize,
    diff: DiffStyle,
    key: String,
}

impl ChangeMemo {
    /// What is asked has changed.
    pub fn forget(&self) {
        self.kept.take();
        self.hides.take();
    }

    /// Whether hidden characters stand in what would run, looked up once.
    pub(super) fn hides(&self, look_up: impl FnOnce() -> bool) -> bool {
        let hides = self.hides.get().unwrap_or_else(look_up);
        self.hides.set(Some(hides));
        hides
    }

    /// How often the change was worked out: what a frame costs beyond drawing.
    pub fn drawn(&self) -> usize {
        self.drawn.get()
    }
}

/// Draws the change that a call would make, if it would make one.
pub(super) fn change(
    approval: &Approval,
    inner: usize,
    key: &str,
    scene: &Scene<'_>,
) -> Rc<ChangeLines> {
    let memo = approval.change_memo();
    let look = Look {
        inner,
        diff: scene.diff,
        key: key.to_owned(),
    };
    let current = scene.highlights.revision();
    if let Some((kept_look, kept)) = &*memo.kept.borrow()
        && *kept_look == look
        && kept.unsettled.is_none_or(|seen| seen == current)
    {
        return Rc::clone(kept);
    }
    memo.drawn.set(memo.drawn.get() + 1);
    let lines = Rc::new(worked_out(approval, inner, key, scene));
    memo.kept.replace(Some((look, Rc::clone(&lines))));
    lines
}

fn worked_out(approval: &Approval, inner: usize, key: &str, scene: &Scene<'_>) -> ChangeLines {
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
        wraps: false,
    };
    let mut drawn = match preview.as_ref() {
        Display::Diff(diff) => diff_lines(diff, &canvas, key),
        other => {
            let rendered = render(other, &canvas);
            ChangeLines {
                lines: rendered.rows.into_iter().map(Line::from).collect(),
                unsettled: unsettled(rendered.unsettled, &canvas),
                ..ChangeLines::default()
            }
        }
    };
    drawn.suspicious = drawn
        .lines
        .iter()
        .flat_map(|line| &line.row.pieces)
        .any(|piece| piece.paint.base == StyleName::Suspicious);
    drawn
}

fn unsettled(is_unsettled: bool, canvas: &Canvas<'_>) -> Option<u64> {
    is_unsettled.then(|| canvas.highlights.revision())
}

fn diff_lines(diff: &FileDiff, canvas: &Canvas<'_>, key: &str) -> ChangeLines {
    let drawn = change_rows(diff, canvas, MOST_ROWS);
    let mut lines: Vec<Line> = drawn.rows.into_iter().map(Line::from).collect();
    if lines.is_empty() {
        lines.push(Row::of("nothing changes", StyleName::Faint).into());
    }
    if drawn.beyond > 0 {
        lines.push(Line::left_out(drawn.beyond, key, canvas.width));
    }
    ChangeLines {
        lines,
        first_changed: drawn.first_changed,
        unsettled: unsettled(drawn.unsettled, canvas),
        suspicious: false,
    }
}
