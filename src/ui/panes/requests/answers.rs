//! The answers of an approval box: which keys are offered, and what "details" and "explain" show.

use std::fmt::Write as _;

use serde_json::Value;
use similar::TextDiff;

use super::state::Approval;
use crate::{
    domain::{approval::ApprovalRequest, display::Display},
    text::sanitize::{reveal, reveal_line},
    ui::{
        Model,
        keymap::{Action, Scope},
        widgets::hints::Hint,
    },
};

/// The keys of a box that has nothing open, in the order of the drawing.
pub fn hints(model: &Model, approval: &Approval) -> Vec<Hint> {
    let request = &approval.request;
    let has_rule = request.session_rule.is_some();
    let is_edited = approval.edited.is_some();
    let offered: [(Action, &str, bool); 8] = [
        (
            Action::AllowOnce,
            if is_edited { "allow as edited" } else { "once" },
            true,
        ),
        (Action::AllowSession, "session", has_rule && !is_edited),
        (
            Action::AllowEdited,
            if is_edited { "edit again" } else { "edit" },
            request.editable.is_some(),
        ),
        (Action::Reject, "reject", true),
        (Action::RejectWithWords, "with words", true),
        (Action::Never, "never", has_rule),
        (Action::Details, "details", true),
        (Action::Explain, "explain", true),
    ];
    offered
        .into_iter()
        .filter(|(_, _, is_offered)| *is_offered)
        .filter_map(|(action, word, _)| Some((model.keymap.key(Scope::Approval, action)?, word)))
        .collect()
}

/// The keys while the box takes text.
pub fn text_hints(model: &Model, word: &'static str) -> Vec<Hint> {
    [
        (Action::Open, word),
        (Action::NewLine, "newline"),
        (Action::Back, "back, the text stays"),
    ]
    .into_iter()
    .filter_map(|(action, word)| Some((model.keymap.key(Scope::Field, action)?, word)))
    .collect()
}

/// Everything that is asked, for the viewer: nothing is cut, nothing is hidden.
pub fn details(request: &ApprovalRequest) -> String {
    let tool = reveal_line(&request.tool).text;
    let mut text = format!("{tool}\nasked by {}\n", who(&request.lineage));
    let mut put = |name: &str, value: &Value| {
        let shown = match value {
            Value::String(words) => reveal(words).text,
            other => reveal(&serde_json::to_string_pretty(other).unwrap_or_default()).text,
        };
        let _ = if shown.contains('\n') {
            write!(text, "\n{name}:\n{shown}\n")
        } else {
            write!(text, "\n{name}: {shown}\n")
        };
    };
    match &request.arguments {
        Value::Object(fields) => {
            for (name, value) in fields {
                put(&reveal_line(name).text, value);
            }
        }
        other => put("arguments", other),
    }
    if let Some(Display::Diff(diff)) = &request.preview {
        let path = reveal_line(&diff.path).text;
        let changes = TextDiff::from_lines(&diff.old, &diff.new);
        let unified = changes
            .unified_diff()
            .context_radius(4)
            .header(&path, &path)
            .to_string();
        let _ = write!(text, "\n{}", reveal(&unified).text);
    }
    text
}

/// Why it is asked, step by step, for the viewer.
pub fn explanation(request: &ApprovalRequest) -> String {
    let judgement = &request.judgement;
    let mut text = format!(
        "{} ▸ {}\n\nasked because: {}\n\n",
        who(&request.lineage),
        reveal_line(&request.tool).text,
        reveal_line(&judgement.reason).text
    );
    let widest = judgement
        .path
        .iter()
        .map(|step| step.stage.chars().count())
        .max()
        .unwrap_or(0);
    for step in &judgement.path {
        let mark = if step.decided { '▶' } else { '·' };
        let says = reveal_line(&step.says).text;
        let _ = writeln!(text, "{mark} {:<widest$}  {says}", step.stage);
    }
    if let Some(rule) = &request.session_rule {
        let _ = write!(
            text,
            "\nfor the session this would be remembered: {} {}\n",
            reveal_line(&rule.action).text,
            reveal_line(&rule.resource).text
        );
    }
    text
}

/// Names from the root to the asker.
pub fn who(lineage: &[String]) -> String {
    let names: Vec<String> = lineage.iter().map(|name| reveal_line(name).text).collect();
    names.join(" › ")
}
