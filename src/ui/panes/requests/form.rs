//! A question form being filled in: which question is shown, what is answered so far, where `Esc` leads.
//!
//! The one invariant: nothing that was given is lost, neither by moving between questions nor by leaving the
//! form; only sending or declining ends it. Whether a key may answer at all is decided by `gate`.

use super::field::{Accepted, Field, RowChoice};
use crate::{
    domain::question::{Answer, FormOutcome, Question, QuestionForm},
    ui::panes::composer::Editor,
};

/// What a key led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The form goes on.
    Stay,
    /// The form is left as it is; it waits.
    Leave,
    /// The form has ended.
    End(FormOutcome),
}

/// A form being filled in.
#[derive(Clone, Debug)]
pub struct Form {
    /// The questions.
    pub form: QuestionForm,
    /// One for each question.
    pub fields: Vec<Field>,
    /// The shown question; the number of questions means the review.
    pub tab: usize,
    /// The selected row of the review; the number of questions means the row that sends.
    pub review_cursor: usize,
    /// Whether keys type into the shown question's text.
    pub editing: bool,
    /// Why the last key did nothing, or what it would do.
    pub hint: Option<&'static str>,
    is_declining: bool,
}

impl Form {
    /// An untouched form.
    pub fn new(form: QuestionForm) -> Self {
        let fields = form.questions.iter().map(Field::new).collect();
        let review_cursor = form.questions.len();
        let mut new = Self {
            form,
            fields,
            tab: 0,
            review_cursor,
            editing: false,
            hint: None,
            is_declining: false,
        };
        new.show(0);
        new
    }

    /// The shown question and what is given to it; `None` in the review.
    pub fn shown(&self) -> Option<(&Question, &Field)> {
        self.form
            .questions
            .get(self.tab)
            .zip(self.fields.get(self.tab))
    }

    /// Whether the review is shown.
    pub fn is_review(&self) -> bool {
        self.tab >= self.fields.len()
    }

    /// Number of tabs: the questions, and the review when there are several.
    pub fn tab_count(&self) -> usize {
        match self.fields.len() {
            1 => 1,
            several => several + 1,
        }
    }

    /// The answers as they stand.
    pub fn answers(&self) -> Vec<Answer> {
        self.form
            .questions
            .iter()
            .zip(&self.fields)
            .map(|(question, field)| field.answer(question))
            .collect()
    }

    /// Goes to the next or the previous tab; the ends meet.
    pub fn turn(&mut self, by: isize) {
        let count = self.tab_count() as isize;
        self.show((self.tab as isize + by).rem_euclid(count) as usize);
    }

    /// Goes up or down among the rows; the ends meet.
    pub fn step(&mut self, by: isize) {
        self.settle();
        if self.is_review() {
            let rows = self.fields.len() as isize + 1;
            self.review_cursor = (self.review_cursor as isize + by).rem_euclid(rows) as usize;
            return;
        }
        if let Some(field) = self.fields.get_mut(self.tab) {
            field.step(by);
        }
    }

    /// Enter.
    pub fn accept(&mut self) -> Step {
        self.settle();
        if self.is_review() {
            return self.accept_review();
        }
        let Some(field) = self.fields.get_mut(self.tab) else {
            return Step::Stay;
        };
        match field.accept(self.editing) {
            Accepted::Answered => self.advance(),
            Accepted::OpensText => {
                self.editing = true;
                Step::Stay
            }
            Accepted::Refused(hint) => {
                self.hint = Some(hint);
                Step::Stay
            }
        }
    }

    /// Ticks or unticks the selected option.
    pub fn toggle(&mut self) {
        self.settle();
        if let Some(Field::Multi { cursor, ticked }) = self.fields.get_mut(self.tab)
            && let Some(tick) = ticked.get_mut(*cursor)
        {
            *tick = !*tick;
        }
    }

    /// A plain character outside a text field: a digit, `y`, `o`, `n`. Says whether it meant something.
    pub fn character(&mut self, c: char) -> Option<Step> {
        let field = self.fields.get_mut(self.tab)?;
        match (field, c) {
            (Field::Confirm { cursor, chosen }, 'y' | 'o' | 'n') => {
                *cursor = c != 'n';
                *chosen = Some(*cursor);
                self.settle();
                Some(self.advance())
            }
            (field, '1'..='9') => {
                let index = (c as usize).checked_sub('1' as usize)?;
                let means_row = field.choose_row(index)?;
                self.settle();
                Some(match means_row {
                    RowChoice::Chosen => self.advance(),
                    RowChoice::Ticked => Step::Stay,
                    RowChoice::Text => {
                        self.editing = true;
                        Step::Stay
                    }
                })
            }
            _ => None,
        }
    }

    /// Left or right: the other side of a yes or no.
    pub fn sideways(&mut self) {
        self.settle();
        if let Some(Field::Confirm { cursor, .. }) = self.fields.get_mut(self.tab) {
            *cursor = !*cursor;
        }
    }

    /// Esc: out of the text, then out of the form.
    pub fn back(&mut self) -> Step {
        self.settle();
        if self.editing {
            self.editing = false;
            return Step::Stay;
        }
        Step::Leave
    }

    /// Declines the form; asks once more when something would be lost.
    pub fn decline(&mut self) -> Step {
        let has_given = self.has_given();
        if has_given && !self.is_declining {
            self.settle();
            self.is_declining = true;
            self.hint = Some("again to decline the whole form; your answers would be lost");
            return Step::Stay;
        }
        Step::End(FormOutcome::Declined)
    }

    /// Whether the person has given anything that a prefilled text was not.
    pub fn has_given(&self) -> bool {
        self.form
            .questions
            .iter()
            .zip(&self.fields)
            .any(|(question, field)| field.is_touched(question))
    }

    /// The text that keys type into; `None` when they do not.
    pub fn editor(&mut self) -> Option<&mut Editor> {
        if !self.editing {
            return None;
        }
        self.fields.get_mut(self.tab)?.editor()
    }

    /// The text that is typed into, to draw it.
    pub fn shown_editor(&self) -> Option<&Editor> {
        match self.fields.get(self.tab)? {
            Field::Text { editor, .. } => Some(editor),
            Field::Choice { other, .. } => Some(other),
            Field::Multi { .. } | Field::Confirm { .. } => None,
        }
    }

    /// A key came that is neither a hint's nor a decline's second.
    pub fn settle(&mut self) {
        self.hint = None;
        self.is_declining = false;
    }

    fn show(&mut self, tab: usize) {
        self.settle();
        self.tab = tab;
        self.editing = matches!(self.fields.get(tab), Some(Field::Text { .. }));
        if self.is_review() {
            self.review_cursor = self.fields.len();
        }
    }

    fn advance(&mut self) -> Step {
        self.editing = false;
        if self.fields.len() == 1 {
            return self.send();
        }
        self.show(self.tab + 1);
        Step::Stay
    }

    fn accept_review(&mut self) -> Step {
        if self.review_cursor < self.fields.len() {
            self.show(self.review_cursor);
            return Step::Stay;
        }
        let is_empty = self
            .answers()
            .iter()
            .all(|answer| *answer == Answer::Unanswered);
        if is_empty {
            self.hint = Some("nothing is answered yet");
            return Step::Stay;
        }
        self.send()
    }

    fn send(&self) -> Step {
        Step::End(FormOutcome::Answered {
            answers: self.answers(),
        })
    }
}

#[cfg(test)]
#[path = "form_tests.rs"]
mod tests;
