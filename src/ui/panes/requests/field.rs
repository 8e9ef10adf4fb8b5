//! What is given to one question of a form so far.
//!
//! The one invariant: free words stay when another row is chosen; they are an answer only while their row is.

use crate::{
    domain::question::{Answer, Question, QuestionKind},
    ui::panes::composer::Editor,
};

/// What is given to one question so far.
#[derive(Clone, Debug)]
pub enum Field {
    /// One of the options, or free words (the row behind the last option).
    Choice {
        /// Number of options; the row of this index takes free words.
        count: usize,
        /// The selected row.
        cursor: usize,
        /// The chosen row.
        chosen: Option<usize>,
        /// The free words; kept when another row is chosen.
        other: Editor,
    },
    /// Any of the options.
    Multi {
        /// The selected row.
        cursor: usize,
        /// Which are ticked.
        ticked: Vec<bool>,
    },
    /// Words.
    Text {
        /// The words.
        editor: Editor,
        /// Whether they were accepted with Enter; then even no words are an answer.
        accepted: bool,
    },
    /// Yes or no.
    Confirm {
        /// The selected side.
        cursor: bool,
        /// The chosen side.
        chosen: Option<bool>,
    },
}

/// What Enter did.
pub enum Accepted {
    /// The question is answered.
    Answered,
    /// The field takes words now.
    OpensText,
    /// Nothing, for this reason.
    Refused(&'static str),
}

/// What a digit did.
pub enum RowChoice {
    /// The row is the answer.
    Chosen,
    /// The row was ticked or unticked.
    Ticked,
    /// The row takes words now.
    Text,
}

impl Field {
    /// An untouched field.
    pub fn new(question: &Question) -> Self {
        match &question.kind {
            QuestionKind::Choice { default, options } => Self::Choice {
                count: options.len(),
                cursor: default.filter(|at| *at < options.len()).unwrap_or(0),
                chosen: None,
                other: Editor::multi_line(),
            },
            QuestionKind::Multi { options } => Self::Multi {
                cursor: 0,
                ticked: vec![false; options.len()],
            },
            QuestionKind::Text { .. } => Self::Text {
                editor: Editor::multi_line().with_text(prefilled(question)),
                accepted: false,
            },
            QuestionKind::Confirm { default } => Self::Confirm {
                cursor: default.unwrap_or(true),
                chosen: None,
            },
        }
    }

    /// What is given so far.
    pub fn answer(&self, question: &Question) -> Answer {
        let words = |text: &str| Answer::Text {
            text: text.to_owned(),
        };
        match (self, &question.kind) {
            (Self::Choice { chosen, other, .. }, QuestionKind::Choice { options, .. }) => {
                match chosen.map(|row| options.get(row)) {
                    Some(Some(option)) => words(option),
                    Some(None) if !is_blank(other) => words(&other.text()),
                    _ => Answer::Unanswered,
                }
            }
            (Self::Multi { ticked, .. }, QuestionKind::Multi { options }) => {
                let chosen: Vec<String> = options
                    .iter()
                    .zip(ticked)
                    .filter(|(_, ticked)| **ticked)
                    .map(|(option, _)| option.clone())
                    .collect();
                if chosen.is_empty() {
                    return Answer::Unanswered;
                }
                Answer::Many { options: chosen }
            }
            (Self::Text { editor, accepted }, _) => {
                if editor.is_empty() && !accepted {
                    return Answer::Unanswered;
                }
                words(&editor.text())
            }
            (
                Self::Confirm {
                    chosen: Some(yes), ..
                },
                _,
            ) => Answer::Confirm { yes: *yes },
            _ => Answer::Unanswered,
        }
    }

    /// Whether the person has given anything that a prefilled text was not.
    pub fn is_touched(&self, question: &Question) -> bool {
        match self {
            Self::Choice { chosen, other, .. } => chosen.is_some() || !other.is_empty(),
            Self::Multi { ticked, .. } => ticked.contains(&true),
            Self::Text { editor, accepted } => *accepted || editor.text() != prefilled(question),
            Self::Confirm { chosen, .. } => chosen.is_some(),
        }
    }

    /// Goes up or down among the rows; the ends meet.
    pub fn step(&mut self, by: isize) {
        let around =
            |at: usize, rows: usize| (at as isize + by).rem_euclid(rows.max(1) as isize) as usize;
        match self {
            Self::Choice { count, cursor, .. } => *cursor = around(*cursor, *count + 1),
            Self::Multi { cursor, ticked } => *cursor = around(*cursor, ticked.len()),
            Self::Confirm { cursor, .. } => *cursor = !*cursor,
            Self::Text { .. } => {}
        }
    }

    /// Enter.
    pub fn accept(&mut self, editing: bool) -> Accepted {
        match self {
            Self::Choice {
                count,
                cursor,
                chosen,
                other,
            } => {
                if *cursor < *count {
                    *chosen = Some(*cursor);
                    return Accepted::Answered;
                }
                if !editing {
                    return Accepted::OpensText;
                }
                if is_blank(other) {
                    return Accepted::Refused("write something, or Esc to go back to the options");
                }
                *chosen = Some(*count);
                Accepted::Answered
            }
            Self::Multi { ticked, .. } => {
                if ticked.contains(&true) {
                    return Accepted::Answered;
                }
                Accepted::Refused("tick at least one, or go on with Tab")
            }
            Self::Text { .. } if !editing => Accepted::OpensText,
            Self::Text { accepted, .. } => {
                *accepted = true;
                Accepted::Answered
            }
            Self::Confirm { cursor, chosen } => {
                *chosen = Some(*cursor);
                Accepted::Answered
            }
        }
    }

    /// A digit names a row; `None` when there is no such row.
    pub fn choose_row(&mut self, index: usize) -> Option<RowChoice> {
        match self {
            Self::Choice {
                count,
                cursor,
                chosen,
                ..
            } => {
                if index > *count {
                    return None;
                }
                *cursor = index;
                if index == *count {
                    return Some(RowChoice::Text);
                }
                *chosen = Some(index);
                Some(RowChoice::Chosen)
            }
            Self::Multi { cursor, ticked } => {
                let tick = ticked.get_mut(index)?;
                *tick = !*tick;
                *cursor = index;
                Some(RowChoice::Ticked)
            }
            Self::Text { .. } | Self::Confirm { .. } => None,
        }
    }

    /// The words, where it takes some.
    pub fn editor(&mut self) -> Option<&mut Editor> {
        match self {
            Self::Choice { other, .. } => Some(other),
            Self::Text { editor, .. } => Some(editor),
            Self::Multi { .. } | Self::Confirm { .. } => None,
        }
    }
}

fn prefilled(question: &Question) -> &str {
    match &question.kind {
        QuestionKind::Text { default } => default.as_deref().unwrap_or_default(),
        _ => "",
    }
}

fn is_blank(editor: &Editor) -> bool {
    editor.text().trim().is_empty()
}
