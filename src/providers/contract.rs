//! What a wire must do: turn a request into a stream of events.
//!
//! A wire never retries, never stores, never repairs; it names what happened. Dropping the stream
//! cancels the request.

use std::{collections::HashMap, fmt, pin::Pin, sync::Arc};

use futures::{Stream, future::BoxFuture};
use serde_json::Value;

use super::error::ProviderError;
use crate::domain::{
    chat::ChatMessage,
    ids::{AgentId, ArtifactId},
    model_info::{ModelInfo, Unloaded},
    tool::ToolSpec,
    usage::Usage,
};

/// One model request: the whole window.
#[derive(Clone, Debug)]
pub struct ChatRequest {
    /// Who asks (for logs, the practice model and scripts; never sent).
    pub agent: AgentId,
    /// The language model.
    pub model: ModelInfo,
    /// System prompt; byte-identical from turn to turn.
    pub system: Arc<str>,
    /// The conversation. Every tool call has its result, right behind the message that called.
    pub messages: Arc<[ChatMessage]>,
    /// The tools on offer; empty when none.
    pub tools: Arc<[ToolSpec]>,
    /// The content of the attachments among the messages.
    pub media: Arc<MediaContent>,
}

/// Files that go with a request, by the digest of their content.
#[derive(Default)]
pub struct MediaContent(pub HashMap<ArtifactId, Vec<u8>>);

impl fmt::Debug for MediaContent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes = self.0.iter().map(|(id, bytes)| (id, bytes.len()));
        f.debug_map().entries(sizes).finish()
    }
}

/// Why a reply ended, in the provider's words made equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinishReason {
    /// It had ended.
    Stop,
    /// It asks for tools.
    ToolCalls,
    /// The output limit was reached.
    OutputLimit,
    /// Filtered or refused.
    Refused,
}

/// One event of a streamed reply.
#[derive(Clone, Debug, PartialEq)]
pub enum StreamEvent {
    /// Words of the answer.
    Text(String),
    /// Words of the reasoning.
    Reasoning(String),
    /// A tool call begins. `slot` is unique within the reply and orders the calls, whatever indexes the wire
    /// used.
    CallStarted {
        /// Which call.
        slot: usize,
        /// The wire's id; empty when it gave none.
        id: String,
        /// The tool's name.
        name: String,
    },
    /// A piece of a call's arguments (JSON text).
    CallArguments {
        /// Which call.
        slot: usize,
        /// The piece.
        fragment: String,
    },
    /// Fields to be replayed to this provider on this message; a later one replaces an earlier one.
    Private(Value),
    /// What the step used so far; a later report replaces an earlier one.
    Usage(Usage),
    /// The end marker. Without one the reply counts as cut off.
    Finished(FinishReason),
}

/// A streamed reply.
pub type ReplyStream = Pin<Box<dyn Stream<Item = Result<StreamEvent, ProviderError>> + Send>>;

/// A wire with its account.
pub trait Provider: Send + Sync {
    /// Sends a request. The future resolves when the server has accepted it (headers came); the stream ends
    /// after `Finished`, after an error, or without either when the connection was cut.
    fn stream(
        &self,
        request: ChatRequest,
    ) -> BoxFuture<'static, Result<ReplyStream, ProviderError>>;

    /// Takes a model out of the server's memory, once awaited; `None` where no such server can be behind the account.
    fn unload(&self, _model_id: &str) -> Option<BoxFuture<'static, Unloaded>> {
        None
    }
}
