//! Everything that can happen to a turn.

use std::sync::Arc;

use serde_json::Value;

use super::moments::occasion::{Heard, Telling};
use crate::{
    domain::{
        access::Places,
        approval::{ApprovalDecision, ApprovalRequest},
        ids::{CallId, QueuedId, RequestId},
        record::{Lane, Record, Speaker, TurnOutcome},
        tool::ToolResult,
        usage::Usage,
        window::WindowEdit,
    },
    providers::{contract::StreamEvent, error::ProviderError},
    tools::contract::Concurrency,
};

/// From the driver to the machine.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// Words for the agent.
    Said {
        /// Their number, for taking them back.
        id: QueuedId,
        /// Who says them.
        speaker: Speaker,
        /// When they are to be read.
        lane: Lane,
        /// The words.
        text: String,
    },
    /// A message that waits is taken back.
    TakenBack(QueuedId),
    /// Something that the model is told at its next step, without starting a turn.
    Noted(String),
    /// Something that belongs into the log and the conversation at this place.
    Happened(Box<Record>),
    /// The person wants to know what stands in the window.
    Weighed,
    /// The person wants room in the window; what matters most to them, or nothing.
    RoomAsked(String),
    /// The request that is due needs room first.
    RoomWanted(String),
    /// The agent wrote no summary of its own.
    CheckpointFailed,
    /// A request for a summary is over.
    Summarized {
        /// Which one: one that was stopped may end when the next one is under way.
        number: u64,
        /// What was written, or why nothing.
        summary: Result<String, String>,
        /// What that used.
        usage: Usage,
    },
    /// The person changes what stands in the window.
    WindowEdited(WindowEdit),
    /// The person or the parent ends the turn.
    Cancelled,
    /// The session is left, or the program ends: this is how the turn ended.
    Left(TurnOutcome),
    /// The provider accepted the request.
    Accepted,
    /// A piece of the reply.
    Streamed(StreamEvent),
    /// The stream ended without an error.
    StreamEnded,
    /// The request or its stream failed.
    StreamFailed(ProviderError),
    /// The wait before the next attempt is over.
    WaitElapsed,
    /// A call was prepared and judged.
    Judged {
        /// The call.
        call: CallId,
        /// What follows.
        verdict: CallVerdict,
    },
    /// Hooks answered.
    Hooked {
        /// The telling that they answer.
        telling: Telling,
        /// What they said.
        heard: Heard,
    },
    /// The person answered an approval.
    Decided {
        /// The call.
        call: CallId,
        /// What was answered: nothing else is allowed by it.
        request: RequestId,
        /// The answer.
        decision: ApprovalDecision,
    },
    /// Rules or grants changed: calls that have not begun are judged again.
    RulesChanged,
    /// A call has ended.
    Ran {
        /// Its result.
        result: ToolResult,
        /// Set when the program itself is broken: ends the turn.
        fatal: Option<String>,
    },
    /// The log cannot be written: nothing may be sent.
    StoreFailed(String),
    /// What the checklist holds open, reported before each decision to end a turn.
    ChecklistOpen(usize),
}

/// What runs of a judged call: exactly what was judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Cleared {
    /// The checked arguments.
    pub arguments: Value,
    /// Where its paths led; nothing for what the person runs, which nobody judges.
    pub places: Option<Arc<Places>>,
}

/// What follows from judging a prepared call.
#[derive(Clone, Debug, PartialEq)]
pub enum CallVerdict {
    /// It may run.
    Run {
        /// What runs.
        cleared: Cleared,
        /// What may run beside it.
        concurrency: Concurrency,
    },
    /// The person must be asked.
    Ask(Box<ApprovalRequest>),
    /// It may not run; the text goes to the model.
    Refuse(String),
    /// It cannot run as asked (unknown tool, bad arguments, nothing matches); the text goes to the model.
    Fail(String),
}

#[cfg(test)]
impl CallVerdict {
    /// A call that may run, for tests.
    pub fn run(arguments: Value, concurrency: Concurrency) -> Self {
        Self::Run {
            cleared: Cleared {
                arguments,
                places: None,
            },
            concurrency,
        }
    }

    /// A question about a call, for tests.
    pub fn ask(number: u64, call: &CallId, hash: &str) -> Self {
        use crate::domain::{
            ids::AgentId,
            permission::{Judgement, Verdict},
        };
        Self::Ask(Box::new(ApprovalRequest {
            id: RequestId(number),
            agent: AgentId::main(),
            lineage: Vec::new(),
            call: call.clone(),
            tool: "file_write".to_owned(),
            arguments: Value::Object(serde_json::Map::new()),
            subject: String::new(),
            preview: None,
            previewed: Vec::new(),
            circumstances: None,
            judgement: Judgement {
                verdict: Verdict::Ask,
                reason: String::new(),
                path: Vec::new(),
            },
            hash: hash.to_owned(),
            offers: crate::domain::approval::Offers::default(),
            editable: None,
        }))
    }
}
