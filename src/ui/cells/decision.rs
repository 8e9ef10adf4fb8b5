//! What the person decided about a call, kept in the transcript: after an edit, both versions.

use serde_json::Value;

use super::scene::Scene;
use crate::{
    domain::{
        approval::{ApprovalDecision, ApprovalRequest},
        display::FileDiff,
    },
    ui::{
        displays::{Amount, diff_rows, fold_row, shown},
        rows::{Flow, Piece, Row, flow},
        theme::StyleName,
    },
};

/// Rows of a changed argument.
const MOST_ROWS: usize = 12;

/// Whether a decision is told even when the call is one line.
pub(super) fn is_telling(decision: &ApprovalDecision) -> bool {
    !matches!(decision, ApprovalDecision::Once | ApprovalDecision::Session)
}

/// The rows of a decision.
pub(super) fn draw(
    request: &ApprovalRequest,
    decision: &ApprovalDecision,
    scene: &Scene<'_>,
) -> Vec<Row> {
    let rule = request
        .session_rule
        .as_ref()
        .map_or_else(String::new, |rule| {
            format!(": {} {}", rule.action, rule.resource)
        });
    let (text, name) = match decision {
        ApprovalDecision::Once => ("you allowed it once".to_owned(), StyleName::Dim),
        ApprovalDecision::Session => (
            format!("you allowed it for this session{rule}"),
            StyleName::Dim,
        ),
        ApprovalDecision::Edited { .. } => (
            "you changed it, then allowed it".to_owned(),
            StyleName::Warn,
        ),
        ApprovalDecision::Reject { words: None } => ("you rejected it".to_owned(), StyleName::Warn),
        ApprovalDecision::Reject { words: Some(words) } => {
            (format!("you rejected it: {words}"), StyleName::Warn)
        }
        ApprovalDecision::Never => (
            format!("you rejected it for this session{rule}"),
            StyleName::Warn,
        ),
        ApprovalDecision::Withdrawn => (
            "nobody answered: the turn ended before".to_owned(),
            StyleName::Dim,
        ),
    };
    let first = [Piece::new("  ↳ ", StyleName::Guide)];
    let rest = [Piece::blank(4)];
    let mut rows = flow(
        &[Piece::new(shown(&text), name)],
        &Flow {
            width: scene.width,
            first: &first,
            rest: &rest,
            words: true,
        },
    );
    if let ApprovalDecision::Edited { arguments } = decision {
        rows.extend(versions(&request.arguments, arguments, scene));
    }
    rows
}

/// Every argument that differs, before and after.
fn versions(before: &Value, after: &Value, scene: &Scene<'_>) -> Vec<Row> {
    let mut rows = Vec::new();
    let empty = serde_json::Map::new();
    let old = before.as_object().unwrap_or(&empty);
    let new = after.as_object().unwrap_or(&empty);
    let names = old
        .keys()
        .chain(new.keys().filter(|name| !old.contains_key(*name)));
    let guide = [Piece::new("  │ ", StyleName::Guide)];
    for name in names {
        let (old, new) = (old.get(name), new.get(name));
        if old == new {
            continue;
        }
        let change = FileDiff {
            path: String::new(),
            old: worded(old),
            new: worded(new),
            first_line: 1,
            created: false,
        };
        let canvas = scene.canvas(4, Amount::Whole, "");
        let (changed, _) = diff_rows(&change, &canvas);
        let more = changed.len().saturating_sub(MOST_ROWS);
        rows.push(Row::of(shown(name), StyleName::Dim).indented(&guide));
        rows.extend(
            changed
                .into_iter()
                .take(MOST_ROWS)
                .map(|row| row.indented(&guide)),
        );
        if more > 0 {
            rows.push(fold_row(more, "", scene.width.saturating_sub(4)).indented(&guide));
        }
    }
    rows
}

/// An argument as text that ends with a newline.
fn worded(value: Option<&Value>) -> String {
    let mut text = match value {
        None => return String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    };
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}
