//! Starts the task of an agent and adds it to the tree.

use std::sync::Arc;

use tokio::sync::{mpsc, watch};

use crate::{
    domain::{
        agent::{AgentNode, AgentStatus, Authority},
        ids::AgentId,
        usage::Usage,
        window::ContextGauge,
    },
    engine::{
        session::{
            ledger::PastAgent,
            state::Session,
            tree::{Agent, RoomRequests},
        },
        toolset::{self, Around},
        turn::{
            call::Caller,
            driver::{Driver, MAILBOX, Start},
        },
    },
    workspace::freshness::Freshness,
};

/// What an agent begins with.
pub struct Beginning {
    /// What the tree shows.
    pub node: AgentNode,
    /// What it may do.
    pub authority: Authority,
    /// Distance from the main agent.
    pub depth: usize,
    /// What the log says of it.
    pub past: PastAgent,
    /// Whether it waits for its place among the running ones and its parent's words.
    pub is_held: bool,
}

impl Beginning {
    /// An agent without a past.
    pub fn fresh(
        id: AgentId,
        parent: Option<AgentId>,
        description: String,
        authority: Authority,
        depth: usize,
    ) -> Self {
        Self {
            node: AgentNode {
                id,
                parent,
                description,
                status: AgentStatus::Idle,
                activity: String::new(),
                started_ms: crate::engine::clock::now_ms(),
                ended_ms: None,
                usage: Usage::default(),
                calls: 0,
            },
            authority,
            depth,
            past: PastAgent::default(),
            is_held: false,
        }
    }
}

/// Adds the agent to the tree and starts it.
pub fn start(session: &Arc<Session>, beginning: Beginning) {
    let (mailbox, inputs) = mpsc::channel(MAILBOX);
    let (ended_sender, ended) = watch::channel(None);
    let around = Around {
        may_spawn: beginning.depth < session.bounds.agent_depth,
        has_notebooks: session.had_notebooks(),
        may_unload: session.may_unload(),
        ..Around::default()
    };
    let caller = Caller {
        session: Arc::clone(session),
        agent: beginning.node.id.clone(),
        cap: beginning.authority.cap,
        network: beginning.authority.network,
        is_person: false,
        freshness: Arc::new(Freshness::of(&beginning.past.seen)),
        tools: toolset::on_offer(&session.permissions.configured(), around).into(),
    };
    session.tree.add(Agent {
        node: beginning.node,
        mailbox,
        ended,
        cap: beginning.authority.cap,
        network: beginning.authority.network,
        depth: beginning.depth,
        inherits: beginning.authority.inherits,
        policies: beginning.authority.policies,
        gauge: ContextGauge::default(),
        permit: None,
        stop: None,
        waits_for: 0,
        room: RoomRequests::default(),
    });
    session.tasks.spawn(Driver::run(Start {
        caller,
        known_calls: beginning.past.calls,
        mailbox: inputs,
        is_held: beginning.is_held,
        ended: ended_sender,
    }));
}
