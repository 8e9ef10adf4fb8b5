//! The box in which a person decides. Everything that is asked is shown: every argument, hidden characters made
//! visible, and for an edit the change. What does not fit is counted, with the key that shows it.

use serde_json::Value;

use super::{
    approval_room::{Parts, fit, keys},
    approval_values::value_rows,
    scene::Scene,
};
use crate::{
    domain::{approval::ApprovalRequest, display::Display},
    text::{
        sanitize::{clean_line, reveal_line},
        truncate::{head, tail},
        width::columns,
    },
    ui::{
        displays::{Amount, Canvas, render},
        keymap::{Action, Scope},
        panes::{
            composer::{Editor, wrapping::PieceKind},
            requests::{ApprovalBox, state::Mode},
        },
        rows::{Flow, Joint, Piece, Row, flow},
        theme::StyleName,
    },
};

/// Columns of the names of arguments.
const NAMES: usize = 14;

/// A drawn box.
#[derive(Debug, Default)]
pub(super) struct Boxed {
    /// The rows.
    pub(super) rows: Vec<Row>,
    /// Whether colours are still to come.
    pub(super) unsettled: bool,
    /// Row and column of the caret while the person writes in the box.
    pub(super) caret: Option<(usize, usize)>,
}

/// Draws the box of a request that waits, in no more rows than these if that can be.
pub(super) fn draw(request: &ApprovalRequest, space: usize, scene: &Scene<'_>) -> Boxed {
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
    let request = &found.approval.request;
    let inner = scene.width.saturating_sub(4).max(8);
    let mut suspicious = false;
    let mut content = subject(request, inner, scene, &mut suspicious);
    content.extend(arguments(request, inner, scene, &mut suspicious));
    let unsettled = preview(request, inner, scene, &mut suspicious, &mut content);
    content.extend(edited(found, inner, scene, &mut suspicious));
    let mut notes = Vec::new();
    if suspicious {
        notes.push(Row::of(
            "hidden characters are shown as \\u{…}",
            StyleName::Suspicious,
        ));
    }
    notes.extend(reason(request, inner));
    let (answer, caret) = match found.approval.mode {
        Mode::Answer => (keys(found, inner, scene), None),
        mode => {
            let (rows, caret) = writing(mode, found, inner, scene);
            (rows, Some(caret))
        }
    };
    let parts = Parts {
        asked: content,
        notes,
        answer,
        caret,
    };
    let fitted = fit(parts, space, inner, found, scene);
    Boxed {
        rows: framed(found, fitted.rows, fitted.has_bottom, scene),
        unsettled,
        // One row of frame above, two columns of frame beside.
        caret: fitted
            .caret
            .filter(|_| found.has_keyboard)
            .map(|(row, column)| (row + 1, column + 2)),
    }
}

/// What would happen: the change of an edit.
fn preview(
    request: &ApprovalRequest,
    inner: usize,
    scene: &Scene<'_>,
    suspicious: &mut bool,
    content: &mut Vec<Row>,
) -> bool {
    let Some(preview) = &request.preview else {
        return false;
    };
    let key = scene.key(Scope::Approval, Action::Details);
    let drawn = render(
        preview,
        &Canvas {
            width: inner,
            amount: Amount::Preview,
            diff: scene.diff,
            highlights: scene.highlights,
            open_key: &key,
            reveal: true,
        },
    );
    *suspicious |= drawn
        .rows
        .iter()
        .flat_map(|row| &row.pieces)
        .any(|piece| piece.paint.base == StyleName::Suspicious);
    content.push(Row::empty());
    if let Display::Diff(change) = preview
        && change.path != scene.shortened(&request.subject)
    {
        // A path is judged by where it leads, so that is what the person must see.
        let path = format!("the file is {}", change.path);
        content.extend(value_rows(&path, StyleName::Warn, inner, scene, suspicious));
    }
    content.extend(drawn.rows);
    content.push(Row::empty());
    drawn.unsettled
}

/// The argument as the person edited it: what "once" allows then.
fn edited(
    found: &ApprovalBox<'_>,
    inner: usize,
    scene: &Scene<'_>,
    suspicious: &mut bool,
) -> Vec<Row> {
    let Some(text) = found.approval.edited_text() else {
        return Vec::new();
    };
    let mut rows = vec![Row::of("as you changed it:", StyleName::Warn)];
    rows.extend(value_rows(
        text,
        StyleName::ApprovalSubject,
        inner,
        scene,
        suspicious,
    ));
    rows
}

/// The text that the person writes, and its caret.
fn writing(
    mode: Mode,
    found: &ApprovalBox<'_>,
    inner: usize,
    scene: &Scene<'_>,
) -> (Vec<Row>, (usize, usize)) {
    let (label, done) = match mode {
        Mode::Edit => ("change it:", "takes it over"),
        _ => ("reject because:", "rejects"),
    };
    let mut content = vec![Row::of(label, StyleName::Accent)];
    let mut caret = (content.len(), 0);
    if let Some(editor) = found.approval.editor() {
        let (rows, at) = editor_rows(editor, inner);
        caret = (content.len() + at.0, at.1);
        content.extend(rows);
    }
    let mut pieces = Vec::new();
    for (action, words) in [(Action::Open, done), (Action::Back, "goes back")] {
        let key = scene.key(Scope::Field, action);
        if !pieces.is_empty() {
            pieces.push(Piece::blank(2));
        }
        pieces.push(Piece::new(key, StyleName::Key));
        pieces.push(Piece::new(format!(" {words}"), StyleName::Dim));
    }
    content.extend(flow(&pieces, &Flow::words(inner)));
    (content, caret)
}

fn editor_rows(editor: &Editor, width: usize) -> (Vec<Row>, (usize, usize)) {
    let wrapped = editor.rows(width);
    let caret = editor.caret(&wrapped);
    let rows = wrapped
        .iter()
        .map(|row| {
            Row::new(
                row.pieces
                    .iter()
                    .map(|piece| {
                        let name = match piece.kind {
                            PieceKind::Plain | PieceKind::Space => StyleName::Text,
                            PieceKind::Chip => StyleName::Accent,
                            PieceKind::Hidden => StyleName::Suspicious,
                        };
                        Piece::new(piece.text.as_str(), name)
                    })
                    .collect(),
            )
        })
        .collect();
    (rows, caret)
}

/// The one thing that matters most, in full view.
fn subject(
    request: &ApprovalRequest,
    inner: usize,
    scene: &Scene<'_>,
    suspicious: &mut bool,
) -> Vec<Row> {
    let text = request.subject.as_str();
    value_rows(
        scene.shortened(text),
        StyleName::ApprovalSubject,
        inner,
        scene,
        suspicious,
    )
}

/// Every argument beside the subject, its name in front.
fn arguments(
    request: &ApprovalRequest,
    inner: usize,
    scene: &Scene<'_>,
    suspicious: &mut bool,
) -> Vec<Row> {
    let Some(map) = request.arguments.as_object() else {
        return value_rows(
            &request.arguments.to_string(),
            StyleName::Text,
            inner,
            scene,
            suspicious,
        );
    };
    let names = map.keys().map(|name| columns(name)).max().unwrap_or(0);
    let names = (names + 2).min(NAMES).min(inner / 2);
    let mut rows = Vec::new();
    for (name, value) in map {
        if value.as_str() == Some(request.subject.as_str()) {
            continue;
        }
        let text = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let name = reveal_line(name).text;
        let label = head(&name, names.saturating_sub(1)).into_owned();
        let pad = names.saturating_sub(columns(&label));
        let first = [Piece::new(
            format!("{label}{}", " ".repeat(pad)),
            StyleName::Dim,
        )];
        let rest = [Piece::blank(names)];
        let room = inner.saturating_sub(names).max(1);
        let value = value_rows(&text, StyleName::Text, room, scene, suspicious);
        rows.extend(
            value
                .into_iter()
                .enumerate()
                .map(|(index, row)| row.indented(if index == 0 { &first } else { &rest })),
        );
    }
    rows
}

/// Why it is asked.
fn reason(request: &ApprovalRequest, inner: usize) -> Vec<Row> {
    let first = [Piece::new("asked because ", StyleName::Dim)];
    let rest = [Piece::blank(2)];
    let text = clean_line(&request.judgement.reason).into_owned();
    flow(
        &[Piece::new(text, StyleName::Text)],
        &Flow {
            width: inner,
            first: &first,
            rest: &rest,
            words: true,
        },
    )
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

/// The upper border: who asks, which tool, which of how many.
fn title(found: &ApprovalBox<'_>, scene: &Scene<'_>) -> Row {
    let request = &found.approval.request;
    let width = scene.width;
    let count = if found.count > 1 {
        format!(" {} of {} ", found.place, found.count)
    } else {
        String::new()
    };
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
