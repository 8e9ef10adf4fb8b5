//! Everything that a turn can want done. Performed in order by the driver, and by nobody else.

use super::{
    input::Cleared,
    moments::occasion::{Occasion, Telling, Words},
    room::machine::RoomEffect,
};
use crate::{
    domain::{
        agent::AgentStatus, approval::ApprovalRequest, ids::CallId, record::Record, tool::ToolCall,
    },
    engine::event::{CallState, Delta, Queued},
    providers::error::ProviderError,
};

/// From the machine to the driver.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Store a record, then tell the front end. Later effects wait for it.
    Record(Box<Record>),
    /// Tell the front end of something that is not stored yet.
    Delta(Delta),
    /// Ask the provider, with the whole window as it now is.
    SendRequest,
    /// Drop the running request.
    DropRequest,
    /// Wait, then report `WaitElapsed`.
    Wait {
        /// Requests sent so far, from 1.
        tries: u32,
        /// Why the last one failed.
        error: ProviderError,
    },
    /// Prepare and judge a call, then report `Judged`.
    Judge {
        /// The call with the arguments to judge.
        call: ToolCall,
        /// What was said to it.
        said: Said,
    },
    /// Tell hooks of something, then report `Hooked`.
    TellHooks {
        /// The number of this telling.
        telling: Telling,
        /// What they are told of.
        occasion: Box<Occasion>,
    },
    /// Stop all hooks that run.
    StopHooks,
    /// Ask the person.
    Ask(Box<ApprovalRequest>),
    /// Take back what this agent asks the person about this call.
    Withdraw(CallId),
    /// Run a judged call, then report `Ran`.
    Run {
        /// The call.
        call: ToolCall,
        /// What runs.
        cleared: Cleared,
    },
    /// Stop all running calls; each still reports `Ran`.
    StopCalls,
    /// Tell the front end of a call's state.
    Call {
        /// The call.
        call: CallId,
        /// Its state.
        state: CallState,
    },
    /// Tell the front end which messages wait.
    Queue(Vec<Queued>),
    /// Tell the tree what the agent does, and with what.
    Status {
        /// The state.
        status: AgentStatus,
        /// The primary argument of its call, or empty.
        activity: String,
    },
    /// Report `ChecklistOpen`, then go on with what it says.
    CountChecklist {
        /// Nudges given so far in this turn, for the checklist's title.
        nudges: u32,
    },
    /// Tell the front end what stands in the window.
    Weigh,
    /// Make room in the window.
    Room(RoomEffect),
    /// The turn has begun; the driver assigns its number and notes the time.
    BeginTurn,
    /// The turn has ended; the driver adds the recap.
    EndTurn(crate::domain::record::TurnOutcome),
}

/// What the person has allowed of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Approval {
    /// Nothing yet.
    None,
    /// Exactly what has this hash.
    Hash(String),
    /// The arguments that the person wrote.
    Edited,
}

/// What was said to a call before it is judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// What the person has allowed.
    pub approval: Approval,
    /// The hook that wants the person asked.
    pub asks: Option<Words>,
    /// The hook that wrote the arguments.
    pub changed_by: Option<String>,
}

impl From<Approval> for Said {
    fn from(approval: Approval) -> Self {
        Self {
            approval,
            asks: None,
            changed_by: None,
        }
    }
}
