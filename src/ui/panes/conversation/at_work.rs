//! Whether something is at work, or only a person's answer is awaited: then nothing moves and nothing is drawn.

use super::{
    entry::{Body, Call, CallStage},
    transcript::Transcript,
};
use crate::{
    domain::{agent::AgentStatus, ids::AgentId},
    ui::{Model, panes::requests},
};

/// Of the stored entries so many are looked at: no reply asks for as many calls.
const LATEST: usize = 256;

/// What stands in the place of the spinner while only the person is awaited.
const STILL: &str = "◐";

/// The picture of the spinner at this moment; a still mark while only the person is awaited.
pub fn spinner(model: &Model) -> &'static str {
    if waits_only_for_person(model) {
        STILL
    } else {
        model.clock.spinner()
    }
}

/// Whether all that is not at rest waits for the person, and does nothing meanwhile.
pub fn waits_only_for_person(model: &Model) -> bool {
    let session = &model.session;
    model.requests.open().next().is_some()
        && !session.runs_command()
        && session.busy_agents().all(|agent| is_still(model, agent))
}

/// Whether nothing of an agent moves: it waits for the person, or for others.
fn is_still(model: &Model, agent: &AgentId) -> bool {
    let status = model.session.agent(agent).map(|node| &node.status);
    match status {
        Some(AgentStatus::Queued | AgentStatus::Waiting) => true,
        Some(AgentStatus::Thinking | AgentStatus::Compacting | AgentStatus::Retrying) => false,
        // Agents that a call waits for are looked at for themselves.
        _ => {
            let waits = requests::waits_for(model, agent) || has_busy_child(model, agent);
            let transcript = model.conversation.transcripts.get(agent);
            waits && !transcript.is_some_and(runs_something)
        }
    }
}

fn has_busy_child(model: &Model, agent: &AgentId) -> bool {
    let mut nodes = model.session.agents.iter();
    nodes.any(|node| node.parent.as_ref() == Some(agent) && node.status.is_busy())
}

fn runs_something(transcript: &Transcript) -> bool {
    let latest = transcript.entries.iter().rev().take(LATEST);
    let mut entries = transcript.live.iter().chain(latest);
    entries.any(|entry| match &entry.body {
        Body::Call(call) => is_at_work(call),
        Body::Draft { .. } => true,
        _ => false,
    })
}

/// Whether a call does something: one that has asked the person, or waits for another agent, does not.
fn is_at_work(call: &Call) -> bool {
    let waits = matches!(&call.question, Some((_, None))) || call.call.name.starts_with("agent_");
    match call.stage {
        CallStage::Judging => true,
        CallStage::Running => !waits,
        _ => false,
    }
}
