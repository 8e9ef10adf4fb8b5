//! An agent as the tree shows it.

use serde::{Deserialize, Serialize};

use super::{
    agent_policy::{AgentDocument, AgentPermissions},
    ids::AgentId,
    permission::{Level, Network},
    record::TurnOutcome,
    usage::Usage,
};

/// What an agent is doing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum AgentStatus {
    /// Waits for a prompt.
    Idle,
    /// Waits for its turn among the running ones.
    Queued,
    /// Waits for or receives the model's reply.
    Thinking,
    /// Runs a tool.
    Running {
        /// The tool's name.
        tool: String,
    },
    /// Waits for the person.
    Asking,
    /// Waits for its own sub-agents.
    Waiting,
    /// Waits before asking the provider again.
    Retrying,
    /// Waits for a summary that makes room in its window.
    Compacting,
    /// Ended well.
    Done,
    /// Ended with an error.
    Failed {
        /// Why.
        reason: String,
    },
    /// Ended by the person or its parent.
    Cancelled,
    /// The program ended while it ran.
    Interrupted,
}

impl AgentStatus {
    /// Where an agent stands whose turn has ended so.
    pub fn after(outcome: &TurnOutcome) -> Self {
        match outcome {
            TurnOutcome::Failed { reason } => Self::Failed {
                reason: reason.clone(),
            },
            TurnOutcome::Cancelled => Self::Cancelled,
            TurnOutcome::Stopped { .. } | TurnOutcome::Finished => Self::Done,
            TurnOutcome::Interrupted => Self::Interrupted,
        }
    }

    /// Whether the agent will do nothing more by itself.
    pub fn is_final(&self) -> bool {
        matches!(
            self,
            Self::Done | Self::Failed { .. } | Self::Cancelled | Self::Interrupted
        )
    }

    /// Whether the agent is at work or waits for something that will come.
    pub fn is_busy(&self) -> bool {
        !self.is_final() && !matches!(self, Self::Idle)
    }
}

/// What a sub-agent was given when it was made; it never grows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Authority {
    /// The most that it may do.
    pub cap: Level,
    /// Where its connections may go at the most.
    #[serde(default)]
    pub network: Network,
    /// Scratchpad entries of its parent that it may read.
    pub inherits: Vec<String>,
    /// What its type and those of the agents above it let it do, as they stood when it was made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub policies: Vec<AgentPermissions>,
}

/// What is asked for a new agent, apart from its type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The most that it may do.
    pub level: Option<Level>,
    /// Where its connections may go at the most.
    pub network: Option<Network>,
    /// Scratchpad entries of its parent that it may read.
    pub inherits: Vec<String>,
}

impl Authority {
    /// What an agent below gets: what is wanted for it and what its type gives, each within what this one has.
    #[must_use]
    pub fn below(&self, wanted: &Wanted, document: Option<&AgentDocument>) -> Self {
        let level = document.and_then(|document| document.level);
        let network = document.and_then(|document| document.network);
        let own = document.and_then(|document| document.permissions.clone());
        let inherited = self.policies.iter().map(AgentPermissions::inherited);
        Self {
            cap: wanted
                .level
                .into_iter()
                .chain(level)
                .fold(self.cap, Level::min),
            network: wanted
                .network
                .into_iter()
                .chain(network)
                .fold(self.network, Network::min),
            inherits: wanted.inherits.clone(),
            policies: inherited.chain(own).collect(),
        }
    }

    /// The same within what holds for the session.
    #[must_use]
    pub fn within(self, level: Level, network: Network) -> Self {
        Self {
            cap: self.cap.min(level),
            network: self.network.min(network),
            ..self
        }
    }

    /// No more than words: for an agent of which nothing is known.
    pub fn least() -> Self {
        Self {
            cap: Level::None,
            network: Network::None,
            inherits: Vec::new(),
            policies: Vec::new(),
        }
    }
}

/// One node of the agent tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentNode {
    /// Handle, unique in the session.
    pub id: AgentId,
    /// Who started it; `None` for the main agent.
    pub parent: Option<AgentId>,
    /// What it was asked to do, in a few words.
    pub description: String,
    /// What it is doing.
    pub status: AgentStatus,
    /// The call it is busy with: the tool's primary argument.
    #[serde(default)]
    pub activity: String,
    /// When it started its present or last turn, milliseconds since the Unix epoch.
    pub started_ms: i64,
    /// When that turn ended.
    #[serde(default)]
    pub ended_ms: Option<i64>,
    /// What it has used so far.
    pub usage: Usage,
    /// Number of tool calls so far.
    pub calls: u64,
}

#[cfg(test)]
#[path = "agent_tests.rs"]
mod tests;
