//! Everything that is asked, for the viewer: what was found first, then the change, in its colours; nothing is cut,
//! nothing is hidden. What the person changed is told as it would run now, then as it was asked.

use serde_json::Value;

use super::{answering::in_full::Must, answers::who, approval::Approval};
use crate::{
    domain::display::Display,
    engine::toolset::is_subject,
    text::sanitize::{reveal, reveal_line},
    ui::{
        Model, cells,
        displays::{Amount, Canvas, DiffStyle, change_rows, revealed_pieces},
        panes::conversation,
        rows::{Paint, Piece, Row},
        theme::StyleName,
    },
};

/// More columns than a line has that anybody reads: the viewer wraps lines itself.
const COLUMNS: usize = 60_000;

/// The lines, and which of them must be read before it is allowed.
pub fn details(model: &Model, approval: &Approval) -> (Vec<Row>, Must) {
    let request = &approval.request;
    let mut rows = vec![
        Row::of(reveal_line(&request.tool).text, StyleName::Strong),
        Row::of(
            format!("asked by {}", who(&request.lineage)),
            StyleName::Dim,
        ),
    ];
    let name = request.editable.as_deref().unwrap_or_default();
    if approval.edited.is_some() {
        rows.push(Row::of("as you changed it", StyleName::Warn));
    }
    let is_suspicious = is_suspicious(approval.arguments());
    rows.extend(cells::findings(approval, is_suspicious, COLUMNS));
    let change = change(model, approval);
    // The path and what changes first.
    let mut must = (!change.is_empty()).then(|| {
        let line = (rows.len() + 2).min(rows.len() + change.len() - 1);
        Must {
            head: line,
            tail: line,
        }
    });
    rows.extend(change);
    match approval.arguments() {
        Value::Object(fields) => {
            for (name, value) in fields {
                let lines = argument(&mut rows, name, value);
                let is_about = request.arguments.get(name).is_some_and(|asked| {
                    is_subject(asked, &request.subject) && asked.as_str().is_some()
                });
                must = must.or_else(|| is_about.then_some(lines));
            }
        }
        other => {
            argument(&mut rows, "arguments", other);
        }
    }
    let all = Must {
        head: rows.len() - 1,
        tail: rows.len() - 1,
    };
    if approval.edited.is_some() {
        rows.push(Row::empty());
        rows.push(Row::of("as it was asked", StyleName::Warn));
        let parts = approval.hunks.as_ref().map(|hunks| hunks.argument.as_str());
        match parts.and_then(|name| Some((name, request.arguments.get(name)?))) {
            Some((name, parts)) => argument(&mut rows, name, parts),
            None => argument(&mut rows, name, &Value::from(approval.original())),
        };
    }
    (rows, must.unwrap_or(all))
}

/// Whether hidden characters stand in what would run.
fn is_suspicious(value: &Value) -> bool {
    match value {
        Value::String(text) => reveal(text).is_suspicious(),
        Value::Array(values) => values.iter().any(is_suspicious),
        Value::Object(fields) => fields.values().any(is_suspicious),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn change(model: &Model, approval: &Approval) -> Vec<Row> {
    let preview = approval.preview();
    let Some(Display::Diff(diff)) = preview.as_deref() else {
        return Vec::new();
    };
    let canvas = Canvas {
        width: COLUMNS,
        amount: Amount::Whole,
        diff: DiffStyle::Unified,
        highlights: conversation::highlights(model),
        open_key: "",
        reveal: true,
        wraps: false,
    };
    let path = reveal_line(&diff.path).text;
    let mut rows = vec![Row::empty(), Row::of(path, StyleName::Strong)];
    rows.extend(change_rows(diff, &canvas, usize::MAX).rows);
    rows
}

/// Appends an argument; returns its first and its last line.
fn argument(rows: &mut Vec<Row>, name: &str, value: &Value) -> Must {
    let text = match value {
        Value::String(words) => words.clone(),
        other => serde_json::to_string_pretty(other).unwrap_or_default(),
    };
    let name = Piece::new(format!("{}: ", reveal_line(name).text), StyleName::Dim);
    let mut lines: Vec<Row> = text
        .trim_end_matches('\n')
        .split('\n')
        .map(|line| {
            let revealed = reveal(&line.replace('\t', "    "));
            Row::new(revealed_pieces(&revealed, Paint::of(StyleName::Text)))
        })
        .collect();
    rows.push(Row::empty());
    match lines.as_mut_slice() {
        [only] => only.pieces.insert(0, name),
        _ => rows.push(Row::new(vec![name])),
    }
    let head = rows.len();
    rows.extend(lines);
    Must {
        head,
        tail: rows.len() - 1,
    }
}
