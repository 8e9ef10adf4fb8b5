//! Named working notes of a session.

use serde::{Deserialize, Serialize};

use crate::domain::ids::AgentId;

/// Where an entry came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ScratchpadOrigin {
    /// Written by an agent.
    Agent,
    /// A large output of this tool, moved here.
    Spill {
        /// The tool.
        tool: String,
    },
    /// Written by the person.
    Person,
    /// Lent by the parent agent, read-only.
    Inherited,
}

/// An entry without its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScratchpadInfo {
    /// Its name, unique per agent.
    pub name: String,
    /// The agent that owns it.
    pub agent: AgentId,
    /// Size of the content in bytes.
    pub bytes: u64,
    /// When it was last written, milliseconds since the Unix epoch.
    pub updated_ms: i64,
    /// Where it came from.
    pub origin: ScratchpadOrigin,
}

/// An entry with its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScratchpadEntry {
    /// Name, size, age, origin.
    pub info: ScratchpadInfo,
    /// The content.
    pub content: String,
}
