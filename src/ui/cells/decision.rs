//! What the person decided about a call, kept in the transcript: after an edit, both versions.

use serde_json::Value;

use super::scene::Scene;
use crate::{
    domain::{
        approval::{ApprovalDecision, ApprovalRequest},
        display::FileDiff,
        tool::CallStatus,
    },
    text::{sanitize::reveal_line, truncate::head},
    ui::{
        displays::{Amount, Canvas, change_rows, fold_row, revealed_pieces, shown},
        panes::{
            conversation::{Call, Fold},
            requests::answers::kinds,
        },
        rows::{Flow, Paint, Piece, Row, flow},
        theme::StyleName,
    },
};

/// Columns of a reason that are shown.
const LONGEST_REASON: usize = 400;
/// Rows of a changed argument.
const MOST_ROWS: usize = 12;

/// The turn ended while it was asked.
const UNANSWERED: &str = "nobody answered: the turn ended before";
/// An answer to another call, or another level or mode, made the question needless.
const LET_THROUGH: &str = "allowed by what you answered or set meanwhile";

/// Whether a decision is told even when the call is one line.
pub(super) fn is_telling(decision: &ApprovalDecision) -> bool {
    !matches!(decision, ApprovalDecision::Once | ApprovalDecision::Session)
}

/// The rows of what became of the last request of a call that was taken back before anyone answered it; none while it
/// waits to be judged again, and where the result says why it did not run.
pub(super) fn withdrawn(call: &Call, fold: Fold, scene: &Scene<'_>) -> Vec<Row> {
    let was_stopped = call
        .result
        .as_ref()
        .is_some_and(|result| result.status == CallStatus::Interrupted);
    let text = match call.started_ms {
        Some(_) if fold != Fold::Line => LET_THROUGH,
        None if was_stopped => UNANSWERED,
        _ => return Vec::new(),
    };
    told(text, StyleName::Dim, scene)
}

/// The rows of a decision.
pub(super) fn draw(
    request: &ApprovalRequest,
    decision: &ApprovalDecision,
    scene: &Scene<'_>,
) -> Vec<Row> {
    let exactly = || {
        let rule = request.offers.session_rule.as_ref()?;
        Some(format!("{} {}", rule.action, rule.resource))
    };
    let rule = kinds(request).or_else(exactly);
    let rule = rule.map_or_else(String::new, |rule| format!(": {rule}"));
    let (text, name) = match decision {
        ApprovalDecision::Once => ("you allowed it once".to_owned(), StyleName::Dim),
        ApprovalDecision::Session => (
            format!("you allowed it for this session{rule}"),
            StyleName::Dim,
        ),
        ApprovalDecision::Rule { grant, more } => {
            let (rule, scope) = (&grant.rule, grant.scope.name());
            let by = match more.len() {
                0 => "a rule".to_owned(),
                others => format!("{} rules", others + 1),
            };
            let mut text = format!(
                "you allowed it by {by} ({scope}): {} {}",
                rule.action, rule.resource
            );
            for grant in more {
                text.push_str(" · ");
                text.push_str(&grant.rule.resource);
            }
            (text, StyleName::Dim)
        }
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
        ApprovalDecision::Withdrawn => (UNANSWERED.to_owned(), StyleName::Dim),
    };
    let mut rows = told(&text, name, scene);
    if let ApprovalDecision::Edited { arguments } = decision {
        rows.extend(versions(&request.arguments, arguments, scene));
    }
    rows
}

/// Why a call was refused that nobody was asked about: a rule, a level, or what the person said to one like it.
pub(super) fn refused(tool: &str, text: &str, scene: &Scene<'_>) -> Vec<Row> {
    let reason = text
        .strip_prefix(&format!("[{tool} refused: "))
        .and_then(|rest| rest.strip_suffix(']'))
        .unwrap_or(text);
    let shown = head(reason, LONGEST_REASON);
    let is_cut = shown.len() < reason.len();
    let mut rows = told(&shown, StyleName::Warn, scene);
    if is_cut {
        let room = scene.width.saturating_sub(4);
        rows.push(fold_row(1, &scene.open_key(), room).indented(&[Piece::blank(4)]));
    }
    rows
}

fn told(text: &str, name: StyleName, scene: &Scene<'_>) -> Vec<Row> {
    let first = [Piece::new("  ↳ ", StyleName::Guide)];
    let rest = [Piece::blank(4)];
    let text = text.replace('\n', " ");
    let pieces = revealed_pieces(&reveal_line(&text), Paint::of(name));
    flow(
        &pieces,
        &Flow {
            width: scene.width,
            first: &first,
            rest: &rest,
            words: true,
        },
    )
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
        let canvas = Canvas {
            reveal: true,
            ..scene.canvas(4, Amount::Whole, "")
        };
        let changed = change_rows(&change, &canvas, MOST_ROWS);
        rows.push(Row::of(shown(name), StyleName::Dim).indented(&guide));
        rows.extend(changed.rows.into_iter().map(|row| row.indented(&guide)));
        if changed.beyond > 0 {
            let room = scene.width.saturating_sub(4);
            rows.push(fold_row(changed.beyond, "", room).indented(&guide));
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
