//! Jobs: processes that run on although the command that started them is over.

use crate::domain::ids::{AgentId, SessionId};

/// A job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobInfo {
    /// Its number, never used twice.
    pub id: u32,
    /// The session that it ends with.
    pub session: SessionId,
    /// The agent that ran the command.
    pub agent: AgentId,
    /// The command that left it behind; untrusted.
    pub command: String,
    /// When the command was over, in milliseconds since the Unix epoch; for showing only.
    pub since_ms: i64,
    /// What runs, parents first; untrusted.
    pub processes: Vec<ProcessInfo>,
}

/// A running process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessInfo {
    /// Its number.
    pub pid: i32,
    /// The command line, or the name in brackets when there is none; untrusted.
    pub command: String,
}
