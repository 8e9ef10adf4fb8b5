//! What a new agent gets: no more than the agent that starts it has, and no more than its type allows.

use crate::{
    domain::{
        agent::{Authority, Wanted},
        ids::AgentId,
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
    let (has, depth) = session
        .tree
        .with(parent, |agent| (agent.authority(), agent.depth))
        .ok_or_else(|| ToolError::Fatal(format!("agent {parent} is not in the tree")))?;
    if depth >= session.bounds.agent_depth {
        return Err(ToolError::model(format!(
            "agents may nest {} deep at most: do this yourself",
            session.bounds.agent_depth
        )));
    }
    let configured = session.permissions.configured();
    let document = configured.agents.find(&request.kind).map_err(|why| {
        ToolError::model(format!(
            "agents of the type {} cannot be started, since its document is wrong: {why}",
            request.kind
        ))
    })?;
    let wanted = Wanted {
        level: request.level,
        network: request.network,
        inherits: request.inherit_scratchpad.clone(),
    };
    refuse_more(session, &has, &wanted)?;
    let instructions = document.map_or("", |document| document.instructions.as_str());
    Ok(Terms {
        authority: has.below(&wanted, document),
        prompt: if instructions.is_empty() {
            request.prompt.clone()
        } else {
            format!("{instructions}\n\nYour task:\n\n{}", request.prompt)
        },
        depth: depth + 1,
    })
}

/// What is asked for and the parent does not have is no mistake to pass over in silence.
fn refuse_more(session: &Session, has: &Authority, wanted: &Wanted) -> Result<(), ToolError> {
    let settings = session.permissions.settings();
    let has = has.clone().within(settings.level, settings.network);
    let refused = |what: &str, wanted: &str, own: &str| {
        let text = format!("a sub-agent cannot have the {what} {wanted}: yours is {own}");
        Err(ToolError::model(text))
    };
    match (wanted.level, wanted.network) {
        (Some(level), _) if level > has.cap => refused("level", level.name(), has.cap.name()),
        (_, Some(network)) if network > has.network => {
            refused("network", network.name(), has.network.name())
        }
        _ => Ok(()),
    }
}
