//! What a new agent gets: no more than the agent that starts it has, and no more than its type allows.

use crate::{
    domain::{
        agent::Authority,
        agent_policy::AgentPermissions,
        ids::AgentId,
        permission::{Level, Network},
    },
    engine::session::state::Session,
    tools::{error::ToolError, host::SpawnRequest},
};

/// What a new agent begins with.
pub(super) struct Terms {
    /// What it may do.
    pub(super) authority: Authority,
    /// Distance from the main agent.
    pub(super) depth: usize,
    /// Its first message.
    pub(super) prompt: String,
}

/// What an agent gets that `parent` asks for.
pub(super) fn of(
    session: &Session,
    parent: &AgentId,
    request: &SpawnRequest,
) -> Result<Terms, ToolError> {
    let (cap, network, depth, mut policies) = session
        .tree
        .with(parent, |agent| {
            let inherited = agent.policies.iter().map(AgentPermissions::inherited);
            let policies: Vec<AgentPermissions> = inherited.collect();
            (agent.cap, agent.network, agent.depth, policies)
        })
        .ok_or_else(|| ToolError::Fatal(format!("agent {parent} is not in the tree")))?;
    if depth >= session.bounds.agent_depth {
        return Err(ToolError::model(format!(
            "agents may nest {} deep at most: do this yourself",
            session.bounds.agent_depth
        )));
    }
    let types = session.permissions.configured().agents;
    let document = types.find(&request.kind).map_err(|why| {
        ToolError::model(format!(
            "agents of the type {} cannot be started, since its document is wrong: {why}",
            request.kind
        ))
    })?;
    let mut cap = narrowed(session, cap, request.level)?;
    let mut network = narrowed_network(session, network, request.network)?;
    let mut prompt = request.prompt.clone();
    if let Some(document) = document {
        cap = document.level.map_or(cap, |level| level.min(cap));
        network = document.network.map_or(network, |own| own.min(network));
        policies.extend(document.permissions.clone());
        if !document.instructions.is_empty() {
            prompt = format!("{}\n\nYour task:\n\n{prompt}", document.instructions);
        }
    }
    Ok(Terms {
        authority: Authority {
            cap,
            network,
            inherits: request.inherit_scratchpad.clone(),
            policies,
        },
        depth: depth + 1,
        prompt,
    })
}

fn narrowed(session: &Session, cap: Level, wanted: Option<Level>) -> Result<Level, ToolError> {
    let own = session.permissions.settings().level.min(cap);
    match wanted {
        Some(level) if level > own => Err(ToolError::model(format!(
            "a sub-agent cannot have the level {}: yours is {}",
            level.name(),
            own.name()
        ))),
        Some(level) => Ok(level),
        None => Ok(cap),
    }
}

fn narrowed_network(
    session: &Session,
    cap: Network,
    wanted: Option<Network>,
) -> Result<Network, ToolError> {
    let own = session.permissions.settings().network.min(cap);
    match wanted {
        Some(network) if network > own => Err(ToolError::model(format!(
            "a sub-agent cannot have the network {}: yours is {}",
            network.name(),
            own.name()
        ))),
        Some(network) => Ok(network),
        None => Ok(cap),
    }
}
