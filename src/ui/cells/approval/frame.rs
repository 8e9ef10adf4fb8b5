//! The whole box: its frame and, inside, what is asked, what is said about it and what answers it.

use super::{
    answer::Answer, asked::Asked, change::change, findings::findings, lines::Line, notes::notes,
    room::Parts,
};
use crate::{
    domain::approval::ApprovalRequest,
    text::{
        sanitize::reveal_line,
        truncate::{head, tail},
        width::columns,
    },
    ui::{
        cells::scene::Scene,
        keymap::{Action, Scope},
        panes::requests::{ApprovalBox, approval::Mode},
        rows::{Joint, Piece, Row},
        theme::StyleName,
    },
};

/// A drawn box.
#[derive(Debug, Default)]
pub(in crate::ui::cells) struct Boxed {
    /// The rows.
    pub(in crate::ui::cells) rows: Vec<Row>,
    /// Whether colours are still to come.
    pub(in crate::ui::cells) unsettled: bool,
    /// Row and column of the caret while the person writes in the box.
    pub(in crate::ui::cells) caret: Option<(usize, usize)>,
    /// Whether all that must be seen before it is allowed stands in it.
    pub(in crate::ui::cells) is_whole: bool,
    /// Whether the person writes in it.
    pub(in crate::ui::cells) is_written: bool,
}

/// The box of a request that waits, elsewhere than in the transcript, and whether all that must be seen before it is
/// allowed stands in it.
pub fn approval_rows(
    request: &ApprovalRequest,
    space: usize,
    scene: &Scene<'_>,
) -> (Vec<Row>, bool) {
    let boxed = draw(request, space, scene);
    (boxed.rows, boxed.is_whole)
}

/// Rows that a box needs for all that must be seen before it is allowed.
pub fn least_rows(found: &ApprovalBox<'_>, scene: &Scene<'_>) -> usize {
    let (inner, key) = (inner(scene), key(found, scene));
    parts(found, inner, &key, scene).0.least()
}

/// Draws the box of a request that waits, in no more rows than these if that can be.
pub(in crate::ui::cells) fn draw(
    request: &ApprovalRequest,
    space: usize,
    scene: &Scene<'_>,
) -> Boxed {
    let boxes = scene
        .model
        .requests
        .boxes(&request.agent, scene.model.clock.elapsed_ms);
    let Some(found) = boxes
        .iter()
        .find(|found| found.approval.request.id == request.id)
    else {
        // Answered here; what was said comes back from the engine.
        return Boxed::default();
    };
    let (inner, key) = (inner(scene), key(found, scene));
    let (parts, unsettled) = parts(found, inner, &key, scene);
    let fitted = parts.fit(space, inner, found, scene, &key);
    Boxed {
        rows: framed(found, fitted.rows, fitted.has_bottom, scene),
        unsettled,
        // One row of frame above, two columns of frame beside.
        caret: fitted
            .caret
            .filter(|_| found.has_keyboard)
            .map(|(row, column)| (row + 1, column + 2)),
        is_whole: fitted.is_whole,
        is_written: fitted.caret.is_some(),
    }
}

/// The key that shows all; it is named only where it does something.
fn key(found: &ApprovalBox<'_>, scene: &Scene<'_>) -> String {
    match found.approval.mode {
        Mode::Answer if found.has_keyboard => scene.key(Scope::Approval, Action::Details),
        _ => String::new(),
    }
}

/// Columns inside the frame.
fn inner(scene: &Scene<'_>) -> usize {
    scene.width.saturating_sub(4).max(8)
}

/// The parts of a box, and whether colours are still to come.
fn parts<'a>(
    found: &'a ApprovalBox<'_>,
    inner: usize,
    key: &'a str,
    scene: &'a Scene<'_>,
) -> (Parts<'a>, bool) {
    let change = change(found.approval, inner, key, scene);
    let unsettled = change.unsettled.is_some();
    let asked = Asked {
        approval: found.approval,
        inner,
        shows_change: !change.lines.is_empty(),
        key,
        scene,
    };
    let memo = found.approval.change_memo();
    let hides = memo.hides(|| asked.hides_something()) || change.suspicious;
    let found_in_it = findings(found.approval, hides, inner);
    let found_in_it = found_in_it.into_iter().map(Line::from);
    let parts = Parts {
        findings: found_in_it.chain(asked.real_path()).collect(),
        subject: asked.subject(),
        rest: asked.rest(),
        change,
        notes: notes(found, inner, scene)
            .into_iter()
            .map(Line::from)
            .collect(),
        answer: Answer::of(found, inner, scene),
    };
    (parts, unsettled)
}

/// Puts the frame around the content.
fn framed(
    found: &ApprovalBox<'_>,
    content: Vec<Row>,
    has_bottom: bool,
    scene: &Scene<'_>,
) -> Vec<Row> {
    let width = scene.width;
    let line = |text: String| Piece::new(text, StyleName::Approval);
    let mut rows = vec![title(found, scene)];
    for row in content {
        let free = width.saturating_sub(4).saturating_sub(row.columns());
        let mut pieces = vec![line("│ ".to_owned())];
        pieces.extend(row.pieces);
        match row.fill {
            Some(fill) => pieces.push(Piece::new(" ".repeat(free), fill)),
            None => pieces.push(Piece::blank(free)),
        }
        pieces.push(line(" │".to_owned()));
        rows.push(Row {
            pieces,
            gutter: 2,
            joint: Joint::Line,
            fill: None,
        });
    }
    if has_bottom {
        let dashes = "─".repeat(width.saturating_sub(2));
        rows.push(Row::new(vec![line(format!("└{dashes}┘"))]));
    }
    rows
}

/// What an answer is for, where that is more than this one call, and which of how many it is.
fn count(found: &ApprovalBox<'_>) -> String {
    let mut said = Vec::new();
    match found.for_marked {
        Some(marked) => said.push(format!("for all {marked} marked")),
        None if found.is_marked => said.push("✓ marked".to_owned()),
        None => {}
    }
    if found.alike > 1 {
        said.push(format!("{} alike", found.alike));
    }
    if found.count > 1 {
        said.push(format!("{} of {}", found.place, found.count));
    }
    match said.as_slice() {
        [] => String::new(),
        said => format!(" {} ", said.join(" · ")),
    }
}

/// The upper border: who asks, which tool, which of how many.
fn title(found: &ApprovalBox<'_>, scene: &Scene<'_>) -> Row {
    let request = &found.approval.request;
    let width = scene.width;
    let count = count(found);
    let lineage: Vec<String> = request
        .lineage
        .iter()
        .map(|name| reveal_line(name).text)
        .collect();
    let who = format!(
        "{} ▸ {}",
        lineage.join(" › "),
        reveal_line(&request.tool).text
    );
    let room = width.saturating_sub(16 + columns(&count));
    let who = tail(&who, room).into_owned();
    let left = format!("┌ approve ─ {who} ");
    let dashes = width
        .saturating_sub(columns(&left) + columns(&count) + 2)
        .max(1);
    let whole = format!("{left}{}{count}─┐", "─".repeat(dashes));
    Row::of(head(&whole, width).into_owned(), StyleName::Approval)
}
