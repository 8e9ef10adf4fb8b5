//! What of an approval box is shown in a pane that is lower than the whole of it.
//!
//! The keys that answer always have their place, then what is asked: the first row of the call and, for an edit, the
//! first lines that change. What is left out is counted, with the key that shows all of it.

use std::rc::Rc;

use super::{
    answer::{Answer, brief, too_low},
    change::ChangeLines,
    lines::{Line, lines_in},
};
use crate::ui::{
    cells::scene::Scene,
    panes::requests::{ApprovalBox, LEAST_BOX_ROWS},
    rows::Row,
};

/// Rows of what is asked that go before the notes.
const FIRST_ROWS: usize = 3;

/// The parts of a box from top to bottom.
pub(super) struct Parts {
    /// The call with its arguments.
    pub(super) call: Vec<Line>,
    /// What it changes.
    pub(super) change: Rc<ChangeLines>,
    /// What is said about it: hidden characters, where it runs, the reason.
    pub(super) notes: Vec<Line>,
    /// What answers: the keys, or the words that are being written.
    pub(super) answer: Answer,
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
    key: &str,
) -> Fitted {
    let framed = space.saturating_sub(2);
    let whole =
        parts.call.len() + parts.change.lines.len() + parts.notes.len() + parts.answer.len();
    if whole <= framed {
        return all(parts, framed - whole);
    }
    let plan = Plan::of(&parts.answer, framed, found.has_keyboard);
    let (mut rows, hidden) = asked(&parts, plan.asked, plan.is_brief, key);
    let mut caret = None;
    if plan.is_brief && space < LEAST_BOX_ROWS {
        rows.push(too_low(key, inner, scene));
    } else if plan.is_brief {
        rows.push(brief(hidden, inner, found, scene));
    } else {
        let answer = parts.answer;
        rows.extend(answer.label.into_iter().take(plan.label));
        // The row in which the person writes stays in sight.
        let start = answer
            .caret
            .map_or(0, |(row, _)| (row + 1).saturating_sub(plan.text));
        caret = answer
            .caret
            .map(|(row, column)| (rows.len() + row - start, column));
        rows.extend(answer.text.into_iter().skip(start).take(plan.text));
        rows.extend(answer.said.into_iter().take(plan.said));
        rows.extend(answer.keys.into_iter().take(plan.keys));
    }
    Fitted {
        rows,
        caret,
        has_bottom: plan.has_bottom,
    }
}

/// Everything, with free rows around the change where there are some.
fn all(parts: Parts, free: usize) -> Fitted {
    let gap = || (free >= 2).then(Line::gap);
    let mut rows = parts.call;
    if !parts.change.lines.is_empty() {
        rows.extend(gap());
        rows.extend(parts.change.lines.iter().cloned());
        rows.extend(gap());
    }
    rows.extend(parts.notes);
    let mut rows: Vec<Row> = rows.into_iter().map(|line| line.row).collect();
    let answer = parts.answer;
    rows.extend(answer.label);
    let above = rows.len();
    rows.extend(answer.text);
    rows.extend(answer.said);
    rows.extend(answer.keys);
    Fitted {
        rows,
        caret: answer.caret.map(|(row, column)| (above + row, column)),
        has_bottom: true,
    }
}

/// Rows for each part of a box that does not fit.
struct Plan {
    asked: usize,
    label: usize,
    text: usize,
    said: usize,
    keys: usize,
    is_brief: bool,
    has_bottom: bool,
}

impl Plan {
    fn of(answer: &Answer, framed: usize, has_keyboard: bool) -> Self {
        if answer.caret.is_some() {
            return Self::writing(answer, framed);
        }
        let is_brief = has_keyboard && framed < answer.keys.len() + FIRST_ROWS;
        let wanted = if is_brief { 1 } else { answer.keys.len() };
        let has_bottom = framed >= wanted + 2;
        let room = framed + usize::from(!has_bottom);
        let keys = wanted.min(room.saturating_sub(1).max(1));
        Self {
            asked: room.saturating_sub(keys),
            label: 0,
            text: 0,
            said: 0,
            keys,
            is_brief,
            has_bottom,
        }
    }

    /// While the person writes, what the text is and what ends it stay, then the text, then what is asked.
    fn writing(answer: &Answer, framed: usize) -> Self {
        let has_bottom = framed >= 4;
        let room = framed + usize::from(!has_bottom);
        let keys = answer.keys.len().min(if room >= 8 { 2 } else { 1 });
        let label = answer.label.len().min(room.saturating_sub(keys + 1));
        let left = room.saturating_sub(keys + label);
        let said = answer.said.len().min(left.saturating_sub(1) / 2);
        let left = left - said;
        let first = match left {
            0..=2 => 0,
            3..=4 => 1,
            _ => 2,
        };
        let text = answer.text.len().min(left - first).max(1);
        Self {
            asked: left.saturating_sub(text),
            label,
            text,
            said,
            keys,
            is_brief: false,
            has_bottom,
        }
    }
}

/// What is asked in so many rows, and the number of lines that are left out. A brief row of keys says that number
/// itself.
fn asked(parts: &Parts, rows: usize, is_brief: bool, key: &str) -> (Vec<Row>, usize) {
    let notes = parts.notes.len().min(rows.saturating_sub(FIRST_ROWS + 1));
    let whole = parts.call.len() + parts.change.lines.len() + parts.notes.len();
    let has_fold = rows >= 2 && !is_brief && whole > rows;
    let shown = rows.saturating_sub(notes + usize::from(has_fold));
    let (call, change) = shares(parts.call.len(), parts.change.lines.len(), shown);
    // Short of room, what stays as it is goes before what changes.
    let start = parts
        .change
        .first_changed
        .min(parts.change.lines.len() - change);
    let (call, call_hidden) = parts.call.split_at(call);
    let (before, change_rows) = parts.change.lines.split_at(start);
    let (change, behind) = change_rows.split_at(change);
    let (notes, notes_hidden) = parts.notes.split_at(notes);
    let hidden = [call_hidden, before, behind, notes_hidden]
        .into_iter()
        .map(lines_in)
        .sum();
    let fold = (has_fold && hidden > 0).then(|| Line::left_out(hidden, key));
    let rows = call
        .iter()
        .chain(change)
        .chain(fold.iter())
        .chain(notes)
        .map(|line| line.row.clone())
        .collect();
    (rows, hidden)
}

/// How many rows of the call and of the change are shown.
fn shares(call: usize, change: usize, shown: usize) -> (usize, usize) {
    let least = match shown {
        _ if change == 0 => shown,
        0 | 1 => 0,
        2..=5 => 1,
        _ => 3,
    };
    let of_change = change.min(shown - call.min(least));
    (call.min(shown - of_change), of_change)
}
