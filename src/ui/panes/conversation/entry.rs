//! The entries of a transcript: what was said, thought, called, asked and noted, each with its own fold.

use serde_json::Value;

use crate::{
    domain::{
        approval::{ApprovalDecision, ApprovalRequest},
        ids::CallId,
        notice::Severity,
        question::{FormOutcome, QuestionForm},
        record::{Lane, Speaker, TurnOutcome, TurnRecap},
        tool::{ToolCall, ToolResult},
    },
    text::ansi,
    ui::markdown::Document,
};

/// Names an entry: its place, counted from the first one that was known; earlier ones that come later are negative.
pub type EntryKey = i64;

/// Bytes of live output that are kept; the whole comes with the result.
const LIVE_OUTPUT: usize = 64 * 1_024;

/// How much of an entry is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fold {
    /// One line.
    Line,
    /// Beginning and end.
    Preview,
    /// Everything.
    Whole,
}

impl Fold {
    /// How many states there are.
    pub const STATES: usize = 3;

    /// The next state.
    pub fn next(self) -> Self {
        match self {
            Self::Line => Self::Preview,
            Self::Preview => Self::Whole,
            Self::Whole => Self::Line,
        }
    }
}

/// One entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// When it came, milliseconds since the Unix epoch; `None` while it is not stored.
    pub at_ms: Option<i64>,
    /// How much the person wants to see; `None` leaves it to the kind.
    pub fold: Option<Fold>,
    /// What it is.
    pub body: Body,
}

/// What an entry is.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// Words in the user's role.
    Said {
        /// Who said them.
        speaker: Speaker,
        /// Over which lane they came.
        lane: Lane,
        /// The words.
        text: String,
    },
    /// Words of the model.
    Reply {
        /// The words.
        document: Document,
        /// Whether it is said above them that a script answers and no language model: once a turn.
        is_labelled: bool,
        /// Whether they are still coming.
        streaming: bool,
    },
    /// Reasoning of the model.
    Reasoning {
        /// The reasoning.
        text: String,
        /// Whether it is still coming.
        streaming: bool,
    },
    /// A tool call that is being written.
    Draft {
        /// Place in the reply.
        slot: usize,
        /// The tool.
        name: String,
        /// Bytes of arguments so far.
        bytes: usize,
    },
    /// A tool call.
    Call(Box<Call>),
    /// What the program says.
    Stage {
        /// How much it matters.
        severity: Severity,
        /// The words.
        text: String,
    },
    /// The end of a turn.
    Recap {
        /// How it ended.
        outcome: TurnOutcome,
        /// What it amounted to.
        recap: TurnRecap,
    },
}

/// Where a call stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallStage {
    /// The model asked for it.
    Requested,
    /// Being judged.
    Judging,
    /// Waits for the person.
    Asking,
    /// Waits for calls before it.
    Waiting,
    /// Runs.
    Running,
    /// Has its result.
    Done,
}

/// A tool call with all that happened to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// As the model asked for it.
    pub call: ToolCall,
    /// Where it stands.
    pub stage: CallStage,
    /// When it began to run, milliseconds since the Unix epoch.
    pub started_ms: Option<i64>,
    /// The end of the output that has come so far.
    pub output: String,
    /// Lines of the output before that.
    pub dropped: usize,
    /// Its result.
    pub result: Option<ToolResult>,
    /// The person was asked for permission; the answer when there is one.
    pub approvals: Vec<(ApprovalRequest, Option<ApprovalDecision>)>,
    /// The person was asked questions; the answers when there are some.
    pub question: Option<(QuestionForm, Option<FormOutcome>)>,
    /// Whether the person ran it; then whether the model saw it.
    pub by_person: Option<bool>,
    /// Whether a running call made it, not the model.
    pub is_inner: bool,
}

impl Call {
    /// A command line that the person runs.
    pub fn by_person(id: CallId, command: &str, shared: bool) -> Self {
        let call = ToolCall {
            id,
            name: "you ran".to_owned(),
            arguments: serde_json::json!({ "command": command }),
            malformed: None,
        };
        Self {
            by_person: Some(shared),
            ..Self::new(call)
        }
    }

    /// A call that was just asked for.
    pub fn new(call: ToolCall) -> Self {
        Self {
            call,
            stage: CallStage::Requested,
            started_ms: None,
            output: String::new(),
            dropped: 0,
            result: None,
            approvals: Vec::new(),
            question: None,
            by_person: None,
            is_inner: false,
        }
    }

    /// Adds output; only the end is kept.
    pub fn push_output(&mut self, text: &str) {
        ansi::append(&mut self.output, text, usize::MAX);
        if self.output.len() > 2 * LIVE_OUTPUT {
            let from = self
                .output
                .ceil_char_boundary(self.output.len() - LIVE_OUTPUT);
            let line = self.output.get(from..).and_then(|rest| rest.find('\n'));
            let gone = self
                .output
                .drain(..line.map_or(from, |line| from + line + 1));
            self.dropped += gone.filter(|c| *c == '\n').count();
        }
    }

    /// The request that waits for an answer.
    pub fn open_request(&self) -> Option<&ApprovalRequest> {
        let (request, decision) = self.approvals.last()?;
        (decision.is_none() && self.result.is_none()).then_some(request)
    }

    /// The arguments that ran: the person may have changed them.
    pub fn arguments(&self) -> &Value {
        self.approvals
            .iter()
            .rev()
            .find_map(|(_, decision)| match decision {
                Some(ApprovalDecision::Edited { arguments }) => Some(arguments),
                _ => None,
            })
            .unwrap_or(&self.call.arguments)
    }

    /// The argument that matters most. No tool is known by name here: a request says it, else the argument's own name.
    pub fn subject(&self) -> String {
        if let Some((request, None)) = self.approvals.last() {
            return request.subject.clone();
        }
        subject(self.arguments())
    }
}

/// Names of arguments that say what a call is about, the most telling first.
const TELLING: [&str; 12] = [
    "command",
    "code",
    "path",
    "pattern",
    "query",
    "url",
    "name",
    "description",
    "text",
    "prompt",
    "id",
    "agent",
];

fn subject(arguments: &Value) -> String {
    let Some(map) = arguments.as_object() else {
        return String::new();
    };
    let telling = TELLING.iter().find_map(|name| map.get(*name));
    let first = || map.values().find(|value| value.is_string());
    match telling.or_else(first) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(items)) => items
            .iter()
            .map(|item| {
                item.as_str()
                    .map_or_else(|| item.to_string(), str::to_owned)
            })
            .collect::<Vec<_>>()
            .join(", "),
        Some(value) => value.to_string(),
        None => String::new(),
    }
}

impl Entry {
    /// An entry that is stored.
    pub fn stored(at_ms: i64, body: Body) -> Self {
        Self {
            at_ms: Some(at_ms),
            fold: None,
            body,
        }
    }

    /// An entry that is still coming.
    pub fn coming(body: Body) -> Self {
        Self {
            at_ms: None,
            fold: None,
            body,
        }
    }

    /// Whether it may look different a moment later without any message about it.
    pub fn is_moving(&self) -> bool {
        match &self.body {
            Body::Call(call) => call.stage != CallStage::Done,
            Body::Draft { .. } => true,
            Body::Reasoning { streaming, .. } => *streaming,
            _ => false,
        }
    }

    /// Everything that can be searched: a line that is made, and a text that is there.
    pub fn texts(&self) -> (String, &str) {
        let text = match &self.body {
            Body::Said { text, .. } | Body::Reasoning { text, .. } | Body::Stage { text, .. } => {
                text.as_str()
            }
            Body::Reply { document, .. } => document.source(),
            Body::Draft { name, .. } => name.as_str(),
            Body::Call(call) => {
                let output = call
                    .result
                    .as_ref()
                    .map_or(call.output.as_str(), |result| result.text.as_str());
                return (format!("{} {}", call.call.name, call.subject()), output);
            }
            Body::Recap { outcome, .. } => match outcome {
                TurnOutcome::Failed { reason } | TurnOutcome::Stopped { reason } => reason.as_str(),
                _ => "",
            },
        };
        (String::new(), text)
    }

    /// A guess at the number of rows, good enough until it is drawn.
    pub fn estimate(&self, width: usize) -> usize {
        let width = width.max(8);
        match &self.body {
            Body::Said { text, .. } => 2 + text.len().min(4_096) / width,
            Body::Reply { document, .. } => 1 + document.source().len() * 5 / (4 * width),
            _ => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn call(arguments: Value) -> Call {
        Call::new(ToolCall {
            id: CallId::new("c"),
            name: "any".to_owned(),
            arguments,
            malformed: None,
        })
    }

    #[test]
    fn the_subject_is_the_most_telling_argument() {
        assert_eq!(call(json!({"limit": 3, "path": "a.rs"})).subject(), "a.rs");
        assert_eq!(call(json!({"odd": "x y"})).subject(), "x y");
        assert_eq!(call(json!({"id": 7})).subject(), "7");
        assert_eq!(call(json!({})).subject(), "");
        assert_eq!(call(json!("text")).subject(), "");
    }

    #[test]
    fn a_line_of_live_output_that_is_written_anew_takes_its_own_place() {
        let mut call = call(json!({}));
        for piece in ["a\n10 %", "\r50 %", "\r100 %\n", "b"] {
            call.push_output(piece);
        }

        assert_eq!(call.output, "a\n100 %\nb");
    }

    #[test]
    fn live_output_keeps_its_end_in_whole_lines() {
        let mut call = call(json!({}));
        for line in 0..40_000 {
            call.push_output(&format!("各 line {line}\n"));
        }

        assert!(call.output.len() <= 2 * LIVE_OUTPUT);
        assert!(call.output.starts_with("各 line "));
        assert!(call.output.ends_with("各 line 39999\n"));
    }
}
