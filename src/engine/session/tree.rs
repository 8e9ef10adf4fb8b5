//! The agents of a session: who is below whom, what each does, and how to reach it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, mpsc, watch};
use tokio_util::sync::CancellationToken;

use crate::{
    domain::{
        agent::{AgentNode, AgentStatus, Authority},
        agent_policy::AgentPermissions,
        ids::AgentId,
        permission::{Level, Network},
        record::TurnOutcome,
        window::ContextGauge,
    },
    engine::{session::permissions::Standing, turn::input::Input},
};

/// How an agent's last turn ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Turns ended so far.
    pub turns: u64,
    /// How the last one ended.
    pub outcome: TurnOutcome,
    /// Its last words.
    pub words: Option<String>,
}

/// What tools ask for about an agent's window; read before its next request.
#[derive(Debug, Default)]
pub struct RoomRequests {
    /// Whether the agent writes a summary now.
    pub is_checkpoint: bool,
    /// The summary that it handed in.
    pub summary: Option<String>,
    /// That it wants room.
    pub compact: Option<RoomWish>,
}

/// How an agent wants room to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoomWish {
    /// What to preserve or to drop.
    pub instructions: String,
    /// Whether the latest messages may stay as they are.
    pub keep_recent: bool,
}

/// An agent of the session.
pub struct Agent {
    /// What the tree shows.
    pub node: AgentNode,
    /// Where its inputs go.
    pub mailbox: mpsc::Sender<Input>,
    /// How its turns end.
    pub ended: watch::Receiver<Option<Ended>>,
    /// The most that it may do.
    pub cap: Level,
    /// Where its connections may go at the most.
    pub network: Network,
    /// Distance from the main agent.
    pub depth: usize,
    /// Scratchpad entries of the parent that it may read.
    pub inherits: Vec<String>,
    /// What its type and those above it let it do.
    pub policies: Vec<AgentPermissions>,
    /// How full its window is.
    pub gauge: ContextGauge,
    /// Its place among those that run; given back while it waits for its own sub-agents.
    pub permit: Option<OwnedSemaphorePermit>,
    /// Ends its work for the call that started it, also while it still waits for its place.
    pub stop: Option<CancellationToken>,
    /// Sub-agents that it waits for.
    pub waits_for: usize,
    /// What tools ask for about its window.
    pub room: RoomRequests,
}

impl Agent {
    /// What was given to it.
    pub fn authority(&self) -> Authority {
        Authority {
            cap: self.cap,
            network: self.network,
            inherits: self.inherits.clone(),
            policies: self.policies.clone(),
        }
    }
}

/// The agents, in the order in which they were made.
#[derive(Default)]
pub struct Tree {
    agents: Mutex<Vec<Agent>>,
}

impl Tree {
    fn lock(&self) -> MutexGuard<'_, Vec<Agent>> {
        self.agents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an agent.
    pub fn add(&self, agent: Agent) {
        self.lock().push(agent);
    }

    /// An agent wants room in its window before its next request.
    pub fn want_room(&self, id: &AgentId, instructions: String, keep_recent: bool) {
        let wish = RoomWish {
            instructions,
            keep_recent,
        };
        self.with(id, |agent| agent.room.compact = Some(wish));
    }

    /// Takes the summary of an agent that is to write one; the error says why not.
    pub fn hand_in(&self, id: &AgentId, summary: String) -> Result<(), &'static str> {
        let is_taken = self.with(id, |agent| {
            if agent.room.is_checkpoint {
                agent.room.summary = Some(summary);
            }
            agent.room.is_checkpoint
        });
        match is_taken {
            Some(true) => Ok(()),
            _ => Err("no summary is wanted now: context_compact asks for room in the window"),
        }
    }

    /// Looks at or changes an agent.
    pub fn with<T>(&self, id: &AgentId, look: impl FnOnce(&mut Agent) -> T) -> Option<T> {
        self.lock()
            .iter_mut()
            .find(|agent| agent.node.id == *id)
            .map(look)
    }

    /// Where an agent's inputs go.
    pub fn mailbox(&self, id: &AgentId) -> Option<mpsc::Sender<Input>> {
        self.with(id, |agent| agent.mailbox.clone())
    }

    /// Where every agent's inputs go.
    pub fn mailboxes(&self) -> Vec<mpsc::Sender<Input>> {
        self.lock()
            .iter()
            .map(|agent| agent.mailbox.clone())
            .collect()
    }

    /// Ends what an agent does for the call that started it; says whether there is such a call.
    pub fn stop(&self, id: &AgentId) -> bool {
        let stop = self.with(id, |agent| agent.stop.clone()).flatten();
        if let Some(stop) = &stop {
            stop.cancel();
        }
        stop.is_some()
    }

    /// All nodes.
    pub fn nodes(&self) -> Vec<AgentNode> {
        self.lock().iter().map(|agent| agent.node.clone()).collect()
    }

    /// The agents below `parent`, children before their own children's siblings.
    pub fn below(&self, parent: &AgentId) -> Vec<AgentNode> {
        let agents = self.lock();
        let mut found = Vec::new();
        collect_below(&agents, parent, &mut found);
        found
    }

    /// Names from the main agent down to this one.
    pub fn lineage(&self, id: &AgentId) -> Vec<String> {
        self.above(id).iter().map(ToString::to_string).collect()
    }

    /// The agents from the main one down to this one.
    pub fn above(&self, id: &AgentId) -> Vec<AgentId> {
        let agents = self.lock();
        let mut names = vec![id.clone()];
        let mut parent = parent_of(&agents, id);
        while let Some(id) = parent {
            if names.len() > agents.len() {
                break;
            }
            parent = parent_of(&agents, &id);
            names.push(id);
        }
        names.reverse();
        names
    }

    /// Where an agent stands; one that is not there may do nothing.
    pub fn standing(&self, id: &AgentId) -> Standing {
        let own = self.with(id, |agent| (agent.cap, agent.policies.clone()));
        let (cap, policies) = own.unwrap_or((Level::None, Vec::new()));
        Standing {
            cap,
            policies,
            lineage: self.above(id),
        }
    }

    /// What was given to each agent.
    pub fn authorities(&self) -> Vec<(AgentId, Authority)> {
        let of = |agent: &Agent| (agent.node.id.clone(), agent.authority());
        self.lock().iter().map(of).collect()
    }

    /// Whether an agent of this handle exists.
    pub fn contains(&self, id: &AgentId) -> bool {
        self.lock().iter().any(|agent| agent.node.id == *id)
    }

    /// Changes what the tree shows of an agent; `None` when nothing changed.
    pub fn change_node(
        &self,
        id: &AgentId,
        change: impl FnOnce(&mut AgentNode),
    ) -> Option<AgentNode> {
        self.with(id, |agent| {
            let before = agent.node.clone();
            change(&mut agent.node);
            (agent.node != before).then(|| agent.node.clone())
        })
        .flatten()
    }

    /// Removes an agent that has ended, with those below it; says which. Nothing when one of them still runs.
    pub fn remove(&self, id: &AgentId) -> Vec<AgentId> {
        let mut agents = self.lock();
        let mut below = Vec::new();
        collect_below(&agents, id, &mut below);
        let is_busy = |status: &AgentStatus| status.is_busy();
        let own_busy = agents
            .iter()
            .any(|agent| agent.node.id == *id && is_busy(&agent.node.status));
        if id.is_main() || own_busy || below.iter().any(|node| is_busy(&node.status)) {
            return Vec::new();
        }
        let mut gone: Vec<AgentId> = below.into_iter().map(|node| node.id).collect();
        gone.push(id.clone());
        agents.retain(|agent| !gone.contains(&agent.node.id));
        gone
    }
}

fn parent_of(agents: &[Agent], id: &AgentId) -> Option<AgentId> {
    agents
        .iter()
        .find(|agent| agent.node.id == *id)
        .and_then(|agent| agent.node.parent.clone())
}

fn collect_below(agents: &[Agent], parent: &AgentId, found: &mut Vec<AgentNode>) {
    for agent in agents {
        if agent.node.parent.as_ref() == Some(parent) {
            found.push(agent.node.clone());
            collect_below(agents, &agent.node.id, found);
        }
    }
}
