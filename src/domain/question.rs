//! Questions that an agent puts to the person, and their answers.

use serde::{Deserialize, Serialize};

use super::ids::{AgentId, CallId, RequestId};

/// How a question is answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum QuestionKind {
    /// One of the options, or free words.
    Choice {
        /// At least two, trimmed, without duplicates.
        options: Vec<String>,
        /// Index of the default.
        default: Option<usize>,
    },
    /// Any number of the options.
    Multi {
        /// At least two, trimmed, without duplicates.
        options: Vec<String>,
    },
    /// Free words.
    Text {
        /// Prefilled words.
        default: Option<String>,
    },
    /// Yes or no.
    Confirm {
        /// The default.
        default: Option<bool>,
    },
}

/// One question of a form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The words.
    pub text: String,
    /// How it is answered.
    pub kind: QuestionKind,
}

/// One to four questions asked together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuestionForm {
    /// Its number in the session.
    pub id: RequestId,
    /// Who asks.
    pub agent: AgentId,
    /// Names from the root to the asker.
    pub lineage: Vec<String>,
    /// The call that waits.
    pub call: CallId,
    /// The questions.
    pub questions: Vec<Question>,
}

/// The answer to one question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Answer {
    /// Words: a chosen option or free text.
    Text {
        /// The words.
        text: String,
    },
    /// Several options.
    Many {
        /// The options' words.
        options: Vec<String>,
    },
    /// Yes or no.
    Confirm {
        /// Yes.
        yes: bool,
    },
    /// Left open by the person.
    Unanswered,
}

/// How a form ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum FormOutcome {
    /// One answer per question, in order.
    Answered {
        /// The answers.
        answers: Vec<Answer>,
    },
    /// The person does not want to answer.
    Declined,
    /// The turn ended before an answer.
    Cancelled,
    /// There is nobody to ask.
    Nobody,
}
