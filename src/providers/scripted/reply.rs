//! One scripted reply: a list of steps with a builder that reads like the reply itself.
//!
//! A reply that has no finish step ends like a connection that was cut.

use serde_json::Value;

use super::gate::Gate;
use crate::{
    domain::usage::Usage,
    providers::{
        contract::{FinishReason, StreamEvent},
        error::ProviderError,
    },
};

/// One step of a reply.
#[derive(Clone, Debug)]
pub enum Step {
    /// Words.
    Text(String),
    /// Reasoning.
    Reasoning(String),
    /// A whole tool call; its slot follows from its place, its id is given when it is played.
    Call {
        /// The wire's id; `None` takes the next of `call_1`, `call_2`, … of the whole script.
        id: Option<String>,
        /// The tool.
        name: String,
        /// The arguments as JSON text, sent in this many pieces.
        fragments: Vec<String>,
    },
    /// A usage report.
    Usage(Usage),
    /// Provider-private fields.
    Private(Value),
    /// The end marker.
    Finish(FinishReason),
    /// A failure in the middle of the stream.
    Error(ProviderError),
    /// A place where the reply waits for a test.
    Gate(Gate),
    /// Any event as it is, for tests of odd streams.
    Event(StreamEvent),
}

/// One reply.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    pub(super) refusal: Option<ProviderError>,
    pub(super) accept: Option<Gate>,
    pub(super) steps: Vec<Step>,
}

impl Reply {
    /// An empty reply: accepted, and cut off at once unless steps follow.
    pub fn new() -> Self {
        Self::default()
    }

    /// A reply of words that ends well.
    pub fn says(text: impl Into<String>) -> Self {
        Self::new().text(text).stop()
    }

    /// A reply of one tool call that ends well.
    pub fn calls(name: impl Into<String>, arguments: Value) -> Self {
        Self::new().call(name, arguments).tool_calls()
    }

    /// A request that the server does not accept.
    pub fn refused(error: ProviderError) -> Self {
        Self {
            refusal: Some(error),
            ..Self::default()
        }
    }

    /// The request is neither accepted nor refused until the gate is open.
    pub fn accepted_after(mut self, gate: &Gate) -> Self {
        self.accept = Some(gate.clone());
        self
    }

    /// Words.
    pub fn text(self, text: impl Into<String>) -> Self {
        self.step(Step::Text(text.into()))
    }

    /// Reasoning.
    pub fn reasoning(self, text: impl Into<String>) -> Self {
        self.step(Step::Reasoning(text.into()))
    }

    /// A tool call.
    pub fn call(self, name: impl Into<String>, arguments: Value) -> Self {
        self.raw_call(name, arguments.to_string())
    }

    /// A tool call with its own id.
    pub fn call_with_id(
        self,
        id: impl Into<String>,
        name: impl Into<String>,
        arguments: Value,
    ) -> Self {
        self.step(Step::Call {
            id: Some(id.into()),
            name: name.into(),
            fragments: vec![arguments.to_string()],
        })
    }

    /// A tool call whose arguments are this text, JSON or not.
    pub fn raw_call(self, name: impl Into<String>, arguments: impl Into<String>) -> Self {
        self.step(Step::Call {
            id: None,
            name: name.into(),
            fragments: vec![arguments.into()],
        })
    }

    /// A usage report.
    pub fn usage(self, input: u64, cached: u64, output: u64) -> Self {
        self.step(Step::Usage(Usage {
            input,
            cached,
            output,
            cost: None,
        }))
    }

    /// Provider-private fields.
    pub fn private(self, fields: Value) -> Self {
        self.step(Step::Private(fields))
    }

    /// Waits here until the gate is open.
    pub fn gate(self, gate: &Gate) -> Self {
        self.step(Step::Gate(gate.clone()))
    }

    /// Fails here.
    pub fn error(self, error: ProviderError) -> Self {
        self.step(Step::Error(error))
    }

    /// Ends well, with nothing more to do.
    pub fn stop(self) -> Self {
        self.finish(FinishReason::Stop)
    }

    /// Ends well, waiting for the results of its calls.
    pub fn tool_calls(self) -> Self {
        self.finish(FinishReason::ToolCalls)
    }

    /// Ends for this reason.
    pub fn finish(self, reason: FinishReason) -> Self {
        self.step(Step::Finish(reason))
    }

    /// Any step.
    pub fn step(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }
}
