//! Named working notes of a session.

use serde::{Deserialize, Serialize};

use crate::domain::ids::AgentId;

/// The longest name in characters.
const LONGEST_NAME: usize = 120;

/// A name without the space around it, or why it cannot be one: `must be one line …`.
pub fn fit_name(name: &str) -> Result<&str, String> {
    let name = name.trim();
    let length = name.chars().count();
    if name.chars().any(char::is_control) {
        return Err("must be one line without control characters".to_owned());
    }
    if length > LONGEST_NAME {
        return Err(format!(
            "has {length} characters; at most {LONGEST_NAME} are possible"
        ));
    }
    Ok(name)
}

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
