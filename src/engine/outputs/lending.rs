//! Entries of the scratchpad that a parent lends to its sub-agents: they read them, and write under other names.

use crate::{domain::ids::AgentId, engine::session::state::Session};

/// Who lends an agent the entry of this name, when it is not its own.
pub fn lender(session: &Session, agent: &AgentId, name: &str) -> Option<AgentId> {
    session
        .tree
        .with(agent, |agent| {
            agent
                .inherits
                .iter()
                .any(|lent| lent == name)
                .then(|| agent.node.parent.clone())
                .flatten()
        })
        .flatten()
}

/// Why an agent cannot write an entry of this name, when it is lent.
pub fn read_only(session: &Session, agent: &AgentId, name: &str) -> Option<String> {
    lender(session, agent, name)
        .map(|_| format!("{name:?} is lent by your parent and read-only; write under another name"))
}
