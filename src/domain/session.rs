//! What a list of sessions shows, and the settings that belong to a session.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{
    ids::SessionId,
    model_info::ModelInfo,
    permission::{Level, Mode, Network},
};

/// One row of the session list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionInfo {
    /// The session.
    pub id: SessionId,
    /// Its title; the first words of the first message until it is given one.
    pub title: String,
    /// The folder it works in.
    pub cwd: PathBuf,
    /// When it was made, milliseconds since the Unix epoch.
    pub created_ms: i64,
    /// When something last happened in it.
    pub updated_ms: i64,
    /// Number of messages and commands by the person.
    pub messages: u64,
}

/// Settings of a running session, as the header shows them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SessionSettings {
    /// The language model in use.
    pub model: ModelInfo,
    /// Reach.
    pub level: Level,
    /// When to ask.
    pub mode: Mode,
    /// Where connections may go.
    pub network: Network,
    /// Whether calls above the level are asked.
    pub approvals: bool,
    /// Whether the folder is trusted.
    pub trusted: bool,
}
