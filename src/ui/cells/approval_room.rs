//! What of an approval box is shown in a pane that is lower than the whole of it.
//!
//! The keys that answer always have their place, then the first rows of what is asked; what is left out is counted,
//! with the key that shows all of it.

use super::{approval_values::left_out, scene::Scene};
use crate::{
    text::{truncate::grouped, width::columns},
    ui::{
        keymap::{Action, Scope},
        panes::requests::ApprovalBox,
        rows::{Flow, Piece, Row, flow},
        theme::StyleName,
    },
};

/// Rows of what is asked that go before the reason.
const FIRST_ROWS: usize = 3;

/// The answers and what they are called, in the order of the keys row.
const ANSWERS: [(Action, &str); 8] = [
    (Action::AllowOnce, "once"),
    (Action::AllowSession, "session"),
    (Action::AllowEdited, "edit"),
    (Action::Reject, "reject"),
    (Action::RejectWithWords, "with words"),
    (Action::Never, "never"),
    (Action::Details, "details"),
    (Action::Explain, "why"),
];

/// The answers of which the keys are shown when there is one row for them.
const BRIEF: [Action; 3] = [Action::AllowOnce, Action::Reject, Action::Details];

/// The parts of a box from top to bottom.
pub(super) struct Parts {
    /// What is asked.
    pub(super) asked: Vec<Row>,
    /// What is said about it: hidden characters, the reason.
    pub(super) notes: Vec<Row>,
    /// What answers: the keys, or the words that are being written.
    pub(super) answer: Vec<Row>,
    /// Row (of `answer`) and column of the caret.
    pub(super) caret: Option<(usize, usize)>,
}

/// The parts as they fit.
pub(super) struct Fitted {
    /// The rows inside the frame.
    pub(super) rows: Vec<Row>,
    /// Row and column of the caret.
    pub(super) caret: Option<(usize, usize)>,
    /// Whether there is a row for the lower border.
    pub(super) has_bottom: bool,
}

/// Chooses what is shown in so many rows, the frame included.
pub(super) fn fit(
    parts: Parts,
    space: usize,
    inner: usize,
    found: &ApprovalBox<'_>,
    scene: &Scene<'_>,
) -> Fitted {
    let Parts {
        mut asked,
        mut notes,
        mut answer,
        caret,
    } = parts;
    let framed = space.saturating_sub(2);
    if asked.len() + notes.len() + answer.len() <= framed {
        let above = asked.len() + notes.len();
        asked.append(&mut notes);
        asked.append(&mut answer);
        return Fitted {
            rows: asked,
            caret: caret.map(|(row, column)| (above + row, column)),
            has_bottom: true,
        };
    }
    let is_brief = caret.is_none() && found.has_keyboard && framed < answer.len() + FIRST_ROWS;
    let needed = if is_brief { 1 } else { answer.len() };
    let has_bottom = framed >= needed + 2;
    let room = framed + usize::from(!has_bottom);
    let kept = needed.min(room.saturating_sub(1).max(1));
    let left = room.saturating_sub(kept);
    // A brief row of keys says itself how much more there is.
    let has_fold = left > 0 && !is_brief;
    let notes_kept = notes.len().min(left.saturating_sub(FIRST_ROWS + 1));
    let shown = left.saturating_sub(notes_kept + usize::from(has_fold));
    let all = asked.len() + notes.len();
    asked.truncate(shown);
    notes.truncate(notes_kept);
    let hidden = all - asked.len() - notes.len();
    if has_fold {
        let key = scene.key(Scope::Approval, Action::Details);
        asked.push(left_out(&format!("{} rows", grouped(hidden)), &key));
    }
    asked.append(&mut notes);
    // The row in which the person writes stays in sight.
    let start = caret.map_or(0, |(row, _)| (row + 1).saturating_sub(kept));
    let above = asked.len();
    if is_brief {
        asked.push(brief(hidden, inner, found, scene));
    } else {
        asked.extend(answer.into_iter().skip(start).take(kept));
    }
    Fitted {
        rows: asked,
        caret: caret.map(|(row, column)| (above + row - start, column)),
        has_bottom,
    }
}

/// The keys that answer, or the key that leads here.
pub(super) fn keys(found: &ApprovalBox<'_>, inner: usize, scene: &Scene<'_>) -> Vec<Row> {
    if !found.has_keyboard {
        let key = scene.key(Scope::Global, Action::Approvals);
        return flow(
            &[
                Piece::new(key, StyleName::Key),
                Piece::new(" to answer", StyleName::Dim),
            ],
            &Flow::words(inner),
        );
    }
    let mut rows: Vec<Row> = Vec::new();
    let mut row = Row::empty();
    for (action, word) in ANSWERS {
        if is_offered(action, found) && !put(&mut row, action, word, inner, found, scene) {
            rows.push(std::mem::take(&mut row));
            put(&mut row, action, word, inner, found, scene);
        }
    }
    rows.push(row);
    rows
}

/// The keys that matter most in one row, with the number of rows that are not shown.
fn brief(hidden: usize, inner: usize, found: &ApprovalBox<'_>, scene: &Scene<'_>) -> Row {
    let more = format!("{} more", grouped(hidden));
    let others = ANSWERS
        .iter()
        .filter(|(action, _)| !BRIEF.contains(action))
        .copied();
    let first = [
        (Action::AllowOnce, "once"),
        (Action::Reject, "reject"),
        (
            Action::Details,
            if hidden > 0 { more.as_str() } else { "details" },
        ),
    ];
    let mut row = Row::empty();
    for (action, word) in first.into_iter().chain(others) {
        if is_offered(action, found) && !put(&mut row, action, word, inner, found, scene) {
            break;
        }
    }
    row
}

fn is_offered(action: Action, found: &ApprovalBox<'_>) -> bool {
    let request = &found.approval.request;
    match action {
        Action::AllowSession if found.approval.edited.is_some() => false,
        Action::AllowSession | Action::Never => request.session_rule.is_some(),
        Action::AllowEdited => request.editable.is_some(),
        _ => true,
    }
}

/// Appends a key and what it does; false when the row has no room for it.
fn put(
    row: &mut Row,
    action: Action,
    word: &str,
    inner: usize,
    found: &ApprovalBox<'_>,
    scene: &Scene<'_>,
) -> bool {
    let key = scene.key(Scope::Approval, action);
    if key.is_empty() {
        return true;
    }
    let taken = row.columns();
    if taken > 0 {
        if taken + 2 + columns(&key) + 1 + columns(word) > inner {
            return false;
        }
        row.pieces.push(Piece::blank(2));
    }
    // A key that comes too early answers nothing; it looks like that.
    let name = if found.is_armed {
        StyleName::Key
    } else {
        StyleName::Faint
    };
    row.pieces.push(Piece::new(key, name));
    row.pieces
        .push(Piece::new(format!(" {word}"), StyleName::Dim));
    true
}
