//! What of an approval box is shown in a pane that is lower than the whole of it.
//!
//! The one invariant: a box is whole only when all that was found, both ends of what is asked and something of what
//! changes stand in it; nothing is allowed in one that is not. What is left out is counted, with the key that shows all
//! of it.

use std::rc::Rc;

use super::{
    answer::{Answer, brief, too_low},
    change::ChangeLines,
    lines::{Line, lines_in},
    values::{LEAST_ENDS, Value},
};
use crate::ui::{cells::scene::Scene, panes::requests::ApprovalBox, rows::Row};

/// Rows of what is asked from which on all keys are shown.
const FIRST_ROWS: usize = 3;

/// Rows of other arguments that go before all of a change.
const FIRST_REST: usize = 2;

/// The parts of a box from top to bottom.
pub(super) struct Parts<'a> {
    /// What must not be missed: what was found, and where a path leads.
    pub(super) findings: Vec<Line>,
    /// What the call is about.
    pub(super) subject: Value<'a>,
    /// Its other arguments.
    pub(super) rest: Vec<Line>,
    /// What it changes.
    pub(super) change: Rc<ChangeLines>,
    /// What is said about it: where it runs, the reason.
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
    /// Whether all that must be seen stands in it.
    pub(super) is_whole: bool,
}

impl Parts<'_> {
    /// Rows in which all that must be seen stands, with the upper border and a row of keys.
    pub(super) fn least(&self) -> usize {
        self.must(self.subject.rows().len()) + 2
    }

    /// Rows of what must be seen, of a subject that has so many.
    fn must(&self, subject: usize) -> usize {
        let change = usize::from(!self.change.lines.is_empty());
        self.findings.len() + subject.min(LEAST_ENDS) + change
    }

    /// Chooses what is shown in so many rows, the frame included.
    pub(super) fn fit(
        self,
        space: usize,
        inner: usize,
        found: &ApprovalBox<'_>,
        scene: &Scene<'_>,
        key: &str,
    ) -> Fitted {
        let framed = space.saturating_sub(2);
        let subject = self.subject.rows();
        let whole = self.beside(subject.len()) + self.findings.len() + self.answer.len();
        if whole <= framed {
            return self.all(subject, framed - whole);
        }
        if self.answer.caret.is_some() {
            return self.writing(framed, key);
        }
        let must = self.must(subject.len());
        let keys = self.answer.keys.len();
        let is_brief = found.has_keyboard && framed < keys + must.max(FIRST_ROWS);
        let keys = if is_brief { 1 } else { keys };
        let has_bottom = framed >= keys + must;
        let room = (framed + usize::from(!has_bottom)).saturating_sub(keys);
        if room < must {
            return self.too_low(framed, inner, found, scene, key);
        }
        let (mut rows, hidden) = self.asked(room, subject.len(), is_brief, key);
        if is_brief {
            rows.push(brief(hidden, inner, found, scene));
        } else {
            rows.extend(self.answer.keys);
        }
        Fitted {
            rows,
            caret: None,
            has_bottom,
            is_whole: true,
        }
    }

    /// Rows of everything but the findings and what answers.
    fn beside(&self, subject: usize) -> usize {
        subject + self.rest.len() + self.change.lines.len() + self.notes.len()
    }

    /// Everything, with free rows around the change where there are some.
    fn all(self, subject: Vec<Line>, free: usize) -> Fitted {
        let gap = || (free >= 2).then(Line::gap);
        let mut lines = self.findings;
        lines.extend(subject);
        lines.extend(self.rest);
        if !self.change.lines.is_empty() {
            lines.extend(gap());
            lines.extend(self.change.lines.iter().cloned());
            lines.extend(gap());
        }
        lines.extend(self.notes);
        let mut rows: Vec<Row> = lines.into_iter().map(|line| line.row).collect();
        let answer = self.answer;
        rows.extend(answer.label);
        let above = rows.len();
        rows.extend(answer.text);
        rows.extend(answer.said);
        rows.extend(answer.keys);
        Fitted {
            rows,
            caret: answer.caret.map(|(row, column)| (above + row, column)),
            has_bottom: true,
            is_whole: true,
        }
    }

    /// All that must be seen in so many rows, then as much of the rest as has room, and the number of lines that are
    /// left out. A brief row of keys says that number itself, and the subject what is missing of it.
    fn asked(&self, room: usize, subject: usize, is_brief: bool, key: &str) -> (Vec<Row>, usize) {
        let change = &self.change.lines;
        let must = self.must(subject);
        let mut free = room - must;
        let others = change.len() + self.rest.len() + self.notes.len();
        let is_cut = free + must < self.findings.len() + subject + others;
        let has_fold = is_cut && !is_brief && others > 0 && free > 0;
        free -= usize::from(has_fold);
        let notes = self.notes_in(if change.is_empty() {
            free
        } else {
            free.min(room / 3)
        });
        free -= notes;
        let mut take = |wanted: usize| {
            let taken = wanted.min(free);
            free -= taken;
            taken
        };
        let first_rest = take(self.rest.len().min(FIRST_REST));
        let shown = usize::from(!change.is_empty()) + take(change.len().saturating_sub(1));
        let of_subject = subject.min(LEAST_ENDS);
        let of_subject = of_subject + take(subject - of_subject);
        let rest = first_rest + take(self.rest.len() - first_rest);
        let (rest, rest_hidden) = self.rest.split_at(rest);
        let (before, shown, behind) = self.part_of_change(shown);
        let (notes, notes_hidden) = self.notes.split_at(notes);
        let hidden = [rest_hidden, before, behind, notes_hidden]
            .into_iter()
            .map(lines_in)
            .sum();
        let fold =
            (has_fold && hidden > 0).then(|| Line::left_out(hidden, key, self.subject.width));
        let of_subject = self.subject.within(of_subject);
        let lines = [&self.findings, of_subject.as_slice(), rest, shown];
        let lines = lines.into_iter().flatten().chain(&fold).chain(notes);
        (lines.map(|line| line.row.clone()).collect(), hidden)
    }

    /// So many rows of the change, with those before and behind: short of room, what stays as it is goes before what
    /// changes.
    fn part_of_change(&self, rows: usize) -> (&[Line], &[Line], &[Line]) {
        let change = &self.change.lines;
        let start = self.change.first_changed.min(change.len() - rows);
        let (before, from) = change.split_at(start);
        let (shown, behind) = from.split_at(rows);
        (before, shown, behind)
    }

    /// How many rows of notes are shown; a note that does not fit is left out whole.
    fn notes_in(&self, most: usize) -> usize {
        let mut shown = self.notes.len().min(most);
        while self.notes.get(shown).is_some_and(Line::goes_on) {
            shown -= 1;
        }
        shown
    }

    /// As much as has room of what must be seen, and where it can be seen and answered.
    fn too_low(
        self,
        framed: usize,
        inner: usize,
        found: &ApprovalBox<'_>,
        scene: &Scene<'_>,
        key: &str,
    ) -> Fitted {
        let has_bottom = framed >= 3;
        let room = framed + usize::from(!has_bottom);
        let way = if found.has_keyboard {
            too_low(key, inner, scene)
        } else {
            self.answer.keys
        };
        let room = room.saturating_sub(way.len());
        let subject = self
            .subject
            .within(room.saturating_sub(self.findings.len()));
        let lines = self.findings.into_iter().chain(subject).take(room);
        Fitted {
            rows: lines.map(|line| line.row).chain(way).collect(),
            caret: None,
            has_bottom,
            is_whole: false,
        }
    }

    /// While the person writes, what the text is and what ends it stay, then the text, then what is asked.
    fn writing(self, framed: usize, key: &str) -> Fitted {
        let answer = &self.answer;
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
        let mut rows = self.beside_writing(left.saturating_sub(text), key);
        let answer = self.answer;
        rows.extend(answer.label.into_iter().take(label));
        // The row in which the person writes stays in sight.
        let start = answer
            .caret
            .map_or(0, |(row, _)| (row + 1).saturating_sub(text));
        let caret = answer
            .caret
            .map(|(row, column)| (rows.len() + row - start, column));
        rows.extend(answer.text.into_iter().skip(start).take(text));
        rows.extend(answer.said.into_iter().take(said));
        rows.extend(answer.keys.into_iter().take(keys));
        Fitted {
            rows,
            caret,
            has_bottom,
            is_whole: false,
        }
    }

    /// What is asked beside a text that is written, in so many rows. Nothing is allowed here: it is said again, and
    /// looked at again, when the text is done.
    fn beside_writing(&self, rows: usize, key: &str) -> Vec<Row> {
        let change = &self.change.lines;
        let most = match rows {
            _ if change.is_empty() => rows,
            0..=5 => 1,
            _ => LEAST_ENDS,
        };
        let subject = self.subject.within(most.min(rows));
        let left = rows - subject.len();
        let has_fold = left >= 2 || (left == 1 && change.is_empty());
        let shown = change.len().min(left - usize::from(has_fold));
        let (before, shown, behind) = self.part_of_change(shown);
        let hidden = [before, behind, &self.findings, &self.rest, &self.notes];
        let hidden = hidden.into_iter().map(lines_in).sum();
        let fold =
            (has_fold && hidden > 0).then(|| Line::left_out(hidden, key, self.subject.width));
        let lines = subject.iter().chain(shown).chain(&fold);
        lines.map(|line| line.row.clone()).collect()
    }
}
