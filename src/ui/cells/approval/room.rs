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
use crate::{
    text::{
        truncate::tail,
        width::{columns, offset_at},
    },
    ui::{
        cells::scene::Scene,
        panes::requests::{ApprovalBox, LEAST_BOX_ROWS},
        rows::Row,
        theme::StyleName,
    },
};

/// Rows of what is asked that go before the notes.
const FIRST_ROWS: usize = 3;

/// The parts of a box from top to bottom.
pub(super) struct Parts {
    /// The call with its arguments.
    pub(super) call: Vec<Line>,
    /// How many rows of the call are what matters most.
    pub(super) first: usize,
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
    let (mut rows, hidden) = asked(&parts, plan.asked, plan.is_brief, inner, key);
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
fn asked(parts: &Parts, rows: usize, is_brief: bool, inner: usize, key: &str) -> (Vec<Row>, usize) {
    let notes = notes_in(parts, rows);
    let whole = parts.call.len() + parts.change.lines.len() + parts.notes.len();
    let has_fold = rows >= 2 && !is_brief && whole > rows;
    let shown = rows.saturating_sub(notes + usize::from(has_fold));
    let is_writing = parts.answer.caret.is_some();
    let (call, change) = shares(
        parts.call.len(),
        parts.change.lines.len(),
        shown,
        is_writing,
    );
    // Short of room, what stays as it is goes before what changes.
    let start = parts
        .change
        .first_changed
        .min(parts.change.lines.len() - change);
    // Of what matters most the end is shown too: it may do something that the beginning does not say.
    let end = (1..parts.first).contains(&call).then_some(parts.first - 1);
    let (call, call_rest) = parts.call.split_at(call - usize::from(end.is_some()));
    let (call_hidden, from_end) = call_rest.split_at(end.map_or(0, |end| end - call.len()));
    let (end, arguments_hidden) = from_end.split_at(usize::from(end.is_some()));
    let (before, change_rows) = parts.change.lines.split_at(start);
    let (change, behind) = change_rows.split_at(change);
    let (notes, notes_hidden) = parts.notes.split_at(notes);
    let hidden = [call_hidden, arguments_hidden, before, behind, notes_hidden]
        .into_iter()
        .map(lines_in)
        .sum();
    let mut fold = (has_fold && hidden > 0).then(|| Line::left_out(hidden, key));
    let mut after_fold = Vec::new();
    if let Some(end) = end.first() {
        if call.is_empty() {
            let begin = parts.call.first().map_or(&end.row, |begin| &begin.row);
            after_fold.push(both_ends(begin, &end.row, inner));
        } else if let Some(fold) = fold.take() {
            after_fold.extend([fold.row, end.row.clone()]);
        } else {
            after_fold.push(both_ends(&Row::empty(), &end.row, inner));
        }
    }
    let rows = call
        .iter()
        .map(|line| line.row.clone())
        .chain(after_fold)
        .chain(change.iter().map(|line| line.row.clone()))
        .chain(fold.map(|line| line.row))
        .chain(notes.iter().map(|line| line.row.clone()))
        .collect();
    (rows, hidden)
}

/// Beginning and end of something in one row, where no row has room to say how much is left out between them.
fn both_ends(begin: &Row, end: &Row, inner: usize) -> Row {
    let (begin, end) = (begin.text(), end.text());
    let room = inner.saturating_sub(1);
    let end = tail(&end, room - (room / 2).min(columns(&begin)));
    let begin = begin_of(&begin, room.saturating_sub(columns(&end)));
    let end = end.trim_start_matches('…');
    Row::of(format!("{begin}…{end}"), StyleName::ApprovalSubject)
}

/// So many columns of the beginning, and no mark where it is cut.
fn begin_of(text: &str, limit: usize) -> &str {
    let limit = limit.min(columns(text));
    text.get(..offset_at(text, limit)).unwrap_or_default()
}

/// How many rows of notes are shown; a note that does not fit is left out whole.
fn notes_in(parts: &Parts, rows: usize) -> usize {
    let mut most = rows.saturating_sub(FIRST_ROWS + 1);
    if !parts.change.lines.is_empty() {
        most = most.min(rows / 3);
    }
    let mut shown = parts.notes.len().min(most);
    while parts.notes.get(shown).is_some_and(Line::goes_on) {
        shown -= 1;
    }
    shown
}

/// How many rows of the call and of the change are shown.
fn shares(call: usize, change: usize, shown: usize, is_writing: bool) -> (usize, usize) {
    let least = match shown {
        _ if change == 0 => shown,
        // Whoever writes knows the change, and has to see what it is about.
        0 => 0,
        1 => usize::from(is_writing),
        2..=5 => 1,
        _ => 3,
    };
    let of_change = change.min(shown - call.min(least));
    (call.min(shown - of_change), of_change)
}
