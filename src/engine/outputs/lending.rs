//! Entries of the scratchpad that a parent lends to its sub-agents: they read them, and write under other names.

use crate::{
    domain::{
        ids::AgentId,
        scratchpad::{ScratchpadInfo, ScratchpadOrigin},
    },
    engine::session::state::Session,
    store::StoreError,
};

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

/// The entries that an agent may read, its own and those that are lent to it, by name.
pub async fn list(session: &Session, agent: &AgentId) -> Result<Vec<ScratchpadInfo>, StoreError> {
    let store = &session.store;
    let mut list = store.scratchpad_list(&session.id, Some(agent)).await?;
    let of = session.tree.with(agent, |agent| {
        (agent.inherits.clone(), agent.node.parent.clone())
    });
    let (inherits, parent) = of.unwrap_or_default();
    if let (false, Some(parent)) = (inherits.is_empty(), parent) {
        let lent = store.scratchpad_list(&session.id, Some(&parent)).await?;
        let lent = lent
            .into_iter()
            .filter(|info| inherits.contains(&info.name));
        list.extend(lent.map(|info| ScratchpadInfo {
            origin: ScratchpadOrigin::Inherited,
            ..info
        }));
        list.sort_by(|a, b| a.name.cmp(&b.name));
    }
    Ok(list)
}
