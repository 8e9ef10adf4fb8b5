//! One call of a reply, from judgement to result. Pure.

use serde_json::Value;

use super::{
    effect::{Approval, Effect, Said},
    input::Cleared,
    moments::occasion::{Telling, Words},
    schedule::{Slot, Stage},
};
use crate::{
    domain::{
        approval::{ApprovalDecision, ApprovalRequest},
        record::Record,
        tool::{CallStatus, ToolCall, ToolResult},
    },
    engine::event::CallState,
    tools::contract::Concurrency,
};

/// What the model is told about a call that was stopped before it began.
pub const NOT_RUN: &str = "[not run: the turn was stopped before]";

/// A call on its way.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The call as the model made it.
    pub call: ToolCall,
    /// How far it is.
    pub progress: Progress,
    /// Whether it had a verdict once: nothing runs before every call had one.
    pub judged_before: bool,
    /// Whether the question that it waits for stands before the person.
    pub asked: bool,
    /// What the person has allowed so far.
    pub allowed: Approval,
    /// Rules changed while it was judged: the verdict that comes is void.
    pub outdated: bool,
    /// The arguments as the person changed them.
    pub edited: Option<Value>,
    /// What hooks did to it.
    pub hooked: Hooked,
}

/// What hooks did to a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hooked {
    /// The arguments as they wrote them, and their names.
    pub changed: Option<(Value, String)>,
    /// The one that wants the person asked.
    pub asks: Option<Words>,
    /// What the model is told with the result.
    pub context: Vec<Words>,
}

/// How far a call is.
#[derive(Clone, Debug, PartialEq)]
pub enum Progress {
    /// Hooks hear of it.
    Telling(Telling),
    /// A verdict is on its way.
    Judging,
    /// The person is asked.
    Asking(Box<ApprovalRequest>),
    /// May run, and waits for calls before it.
    Ready {
        /// What runs.
        cleared: Cleared,
        /// What may run beside it.
        concurrency: Concurrency,
    },
    /// Runs.
    Running {
        /// What may run beside it.
        concurrency: Concurrency,
    },
    /// Hooks hear of its result.
    Reviewed {
        /// The telling.
        telling: Telling,
        /// Its result.
        result: ToolResult,
        /// What may run beside it.
        concurrency: Concurrency,
    },
    /// Has its result.
    Ended,
}

/// Takes a request back, in the log and in front of the person.
fn withdraw(request: &ApprovalRequest) -> [Effect; 2] {
    [
        Effect::Record(Box::new(Record::ApprovalDecided {
            request: request.id,
            decision: ApprovalDecision::Withdrawn,
        })),
        Effect::Withdraw(request.call.clone()),
    ]
}

/// What the model is told when the person said no.
pub fn rejection(tool: &str, decision: &ApprovalDecision) -> String {
    let words = match decision {
        ApprovalDecision::Never => {
            return format!(
                "[{tool} rejected by the person, for the rest of this session: do not try it again]"
            );
        }
        ApprovalDecision::Reject { words } => words.as_deref().map(str::trim),
        _ => None,
    };
    match words.filter(|words| !words.is_empty()) {
        Some(words) => format!("[{tool} rejected by the person: {words}]"),
        None => format!("[{tool} rejected by the person]"),
    }
}

impl Entry {
    /// A call that nobody has looked at.
    pub fn new(call: ToolCall) -> Self {
        Self {
            call,
            progress: Progress::Judging,
            judged_before: false,
            asked: false,
            allowed: Approval::None,
            outdated: false,
            edited: None,
            hooked: Hooked::default(),
        }
    }

    /// Ends the call with its result, and with what hooks have to say about it.
    pub fn end(&mut self, mut result: ToolResult) -> Effect {
        self.tell_hooked(&mut result);
        self.progress = Progress::Ended;
        self.judged_before = true;
        Effect::Record(Box::new(Record::Result { result }))
    }

    /// Ends a call that did not begin.
    pub fn end_not_run(&mut self) -> Effect {
        let (id, text) = (self.call.id.clone(), NOT_RUN.to_owned());
        self.end(ToolResult::plain(id, CallStatus::Interrupted, text))
    }

    /// Has the call judged by the rules of this moment.
    pub fn judge(&mut self) -> [Effect; 2] {
        self.progress = Progress::Judging;
        self.outdated = false;
        let call = self.current();
        [
            Effect::Call {
                call: call.id.clone(),
                state: CallState::Judging,
            },
            Effect::Judge {
                call,
                said: Said {
                    approval: self.allowed.clone(),
                    asks: self.hooked.asks.clone(),
                    changed_by: self.hooked.changed.as_ref().map(|(_, by)| by.clone()),
                },
            },
        ]
    }

    /// The call with the arguments that hold now: the person or a hook may have written others.
    pub fn current(&self) -> ToolCall {
        let mut call = self.call.clone();
        let changed = self.hooked.changed.as_ref().map(|(arguments, _)| arguments);
        if let Some(arguments) = changed.or(self.edited.as_ref()) {
            call.arguments = arguments.clone();
        }
        call
    }

    /// Takes the question back that stands before the person, if one does.
    pub fn withdraw(&self) -> Vec<Effect> {
        match &self.progress {
            Progress::Asking(request) if self.asked => withdraw(request).into(),
            _ => Vec::new(),
        }
    }

    /// The call as the schedule sees it.
    pub fn slot(&self) -> Slot<'_> {
        let (stage, concurrency) = match &self.progress {
            Progress::Telling(_) | Progress::Judging | Progress::Asking(_) => (Stage::Held, None),
            Progress::Ready { concurrency, .. } => (Stage::Ready, Some(concurrency)),
            Progress::Running { concurrency } | Progress::Reviewed { concurrency, .. } => {
                (Stage::Running, Some(concurrency))
            }
            Progress::Ended => (Stage::Ended, None),
        };
        Slot { stage, concurrency }
    }
}
