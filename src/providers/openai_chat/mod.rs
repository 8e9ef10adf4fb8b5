//! The chat completions API, as OpenAI published it and as many servers speak it.
//!
//! `request` writes the body (`media` the files in it), `quirks` knows which server wants it how, `wire` sends it and reads the answer
//! through `stream` (the machine from bytes to events) with its parts `chunk` (one event's JSON), `calls` (tool
//! calls out of fragments), `reasoning` (what has to be sent back), `report` (how it ended, what it used) and
//! `pieces` (which joins what follows on). `unload` stands beside the wire: it empties the memory of one's own server.

mod calls;
mod chunk;
mod media;
mod pieces;
mod quirks;
mod reasoning;
mod report;
mod request;
mod stream;
mod unload;
mod wire;

pub(super) use quirks::{is_azure, takes_thinking};
pub(super) use unload::may_unload;
pub(super) use wire::OpenAiChat;

/// The name of this wire in the configuration.
pub(super) const BACKEND: &str = "openai-chat-completions";
