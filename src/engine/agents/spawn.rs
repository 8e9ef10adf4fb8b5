//! Starts a sub-agent for a call and waits for its report.
//!
//! A few sub-agents run at a time, the rest queue; an agent gives its place back while it waits for its own, so
//! that a chain never locks itself. Stopping the call stops the sub-agent, whether it works or still queues; it ends
//! before the call does.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::{
    actor::{self, Beginning},
    terms::{self, Terms},
};
use crate::{
    domain::{
        agent::AgentStatus,
        ids::AgentId,
        record::{Lane, Record, Speaker, TurnOutcome},
    },
    engine::{
        clock,
        event::EventKind,
        session::{state::Session, tree::Ended},
        turn::input::Input,
    },
    tools::{
        error::ToolError,
        host::{SpawnReport, SpawnRequest},
    },
};

/// Runs a sub-agent to its end.
pub async fn run(
    session: &Arc<Session>,
    parent: &AgentId,
    request: SpawnRequest,
    cancel: CancellationToken,
) -> Result<SpawnReport, ToolError> {
    let Terms {
        authority,
        depth,
        prompt,
    } = terms::of(session, parent, &request)?;
    let cap = authority.cap;
    let id = handle(session, &request.kind);
    let mut beginning = Beginning::fresh(
        id.clone(),
        Some(parent.clone()),
        request.description,
        authority.clone(),
        depth,
    );
    beginning.node.status = AgentStatus::Queued;
    beginning.is_held = true;
    let node = beginning.node.clone();
    actor::start(session, beginning);
    let stop = cancel.child_token();
    session
        .tree
        .with(&id, |agent| agent.stop = Some(stop.clone()));
    session
        .recorder
        .record(
            &id,
            Record::AgentChanged {
                node: node.clone(),
                authority: Some(authority),
            },
        )
        .await
        .map_err(|error| ToolError::Fatal(error.to_string()))?;
    session.tell(&id, EventKind::Agent(Box::new(node))).await;
    let waiting = Waiting::begin(session, parent);
    // A task of its own: a call that is given up leaves nothing behind that still runs or holds a place.
    let _stops_when_dropped = stop.clone().drop_guard();
    let child = Child {
        session: Arc::clone(session),
        parent: parent.clone(),
        id: id.clone(),
        stop,
    };
    let ended = session
        .tasks
        .spawn(child.see_through(prompt))
        .await
        .map_err(|error| ToolError::model(format!("the sub-agent was lost: {error}")))??;
    waiting.end(&cancel).await;
    Ok(SpawnReport {
        agent: id,
        level: session.permissions.settings().level.min(cap),
        report: ended.words.clone().unwrap_or_default(),
        failure: failure(&ended),
    })
}

/// A sub-agent on its way to its end.
struct Child {
    session: Arc<Session>,
    parent: AgentId,
    id: AgentId,
    /// Ends it, whether it works or still waits for its place.
    stop: CancellationToken,
}

impl Child {
    /// Lets the sub-agent work and stores how it ended.
    async fn see_through(self, prompt: String) -> Result<Ended, ToolError> {
        let ended = self.work(prompt).await;
        self.session.tree.with(&self.id, |agent| {
            agent.permit = None;
            agent.stop = None;
        });
        settle(&self.session, &self.id).await?;
        ended
    }

    async fn work(&self, prompt: String) -> Result<Ended, ToolError> {
        let closing = || ToolError::model("the session is closing");
        let permit = tokio::select! {
            biased;
            () = self.stop.cancelled() => return Ok(self.end_unbegun().await),
            permit = Arc::clone(&self.session.running).acquire_owned() => permit.map_err(|_| closing())?,
        };
        let (mailbox, mut ended) = self
            .session
            .tree
            .with(&self.id, |agent| {
                agent.permit = Some(permit);
                (agent.mailbox.clone(), agent.ended.clone())
            })
            .ok_or_else(|| ToolError::model("the sub-agent was deleted"))?;
        let said = Input::Said {
            id: self.session.next_queued(),
            speaker: Speaker::Parent {
                agent: self.parent.clone(),
            },
            lane: Lane::Steer,
            text: prompt,
        };
        mailbox.send(said).await.map_err(|_| closing())?;
        let over = async {
            ended
                .wait_for(Option::is_some)
                .await
                .map(|ended| ended.clone())
        };
        tokio::pin!(over);
        let ended = tokio::select! {
            ended = &mut over => ended,
            () = self.stop.cancelled() => {
                // Behind its prompt, so that it cannot begin after it was stopped. An agent that is gone has ended.
                let _ = mailbox.send(Input::Cancelled).await;
                over.await
            }
        };
        ended
            .map_err(|_| closing())?
            .ok_or_else(|| ToolError::model("the sub-agent left no report"))
    }

    /// Ends a sub-agent that never had its place.
    async fn end_unbegun(&self) -> Ended {
        self.session
            .change_node(&self.id, |node| {
                node.status = AgentStatus::Cancelled;
                node.ended_ms = Some(clock::now_ms());
            })
            .await;
        if let Some(mailbox) = self.session.tree.mailbox(&self.id) {
            // It waits for no place any more: whoever speaks to it from now on begins a turn.
            let _ = mailbox.send(Input::Cancelled).await;
        }
        Ended {
            turns: 0,
            outcome: TurnOutcome::Cancelled,
            words: None,
        }
    }
}

/// Stores the agent as it ended.
async fn settle(session: &Session, id: &AgentId) -> Result<(), ToolError> {
    let Some(node) = session.tree.with(id, |agent| agent.node.clone()) else {
        return Ok(());
    };
    session
        .recorder
        .record(
            id,
            Record::AgentChanged {
                node,
                authority: None,
            },
        )
        .await
        .map(|_| ())
        .map_err(|error| ToolError::Fatal(error.to_string()))
}

fn failure(ended: &Ended) -> Option<String> {
    match &ended.outcome {
        TurnOutcome::Finished => None,
        TurnOutcome::Failed { reason } | TurnOutcome::Stopped { reason } => Some(reason.clone()),
        TurnOutcome::Cancelled => Some("cancelled by the person".to_owned()),
        TurnOutcome::Interrupted => Some("the program ended while it ran".to_owned()),
    }
}

/// `<type>_<8 hex>`, not in use yet.
fn handle(session: &Session, kind: &str) -> AgentId {
    let mut kind: String = kind
        .chars()
        .map(|character| {
            if character.is_ascii_alphanumeric() {
                character.to_ascii_lowercase()
            } else {
                '_'
            }
        })
        .take(24)
        .collect();
    if kind.trim_matches('_').is_empty() {
        "agent".clone_into(&mut kind);
    }
    loop {
        let hex = uuid::Uuid::new_v4().simple().to_string();
        let id = AgentId::new(format!("{kind}_{}", hex.get(..8).unwrap_or("00000000")));
        if !session.tree.contains(&id) {
            return id;
        }
    }
}

/// Gives the parent's place among the running ones back while it waits.
struct Waiting {
    session: Arc<Session>,
    parent: AgentId,
    over: bool,
}

impl Waiting {
    fn begin(session: &Arc<Session>, parent: &AgentId) -> Self {
        let permit = session
            .tree
            .with(parent, |agent| {
                agent.waits_for += 1;
                agent.permit.take()
            })
            .flatten();
        drop(permit);
        Self {
            session: Arc::clone(session),
            parent: parent.clone(),
            over: false,
        }
    }

    /// The wait is over: the last one of the parent's takes its place again. A parent whose call is stopped does not
    /// wait for it.
    async fn end(mut self, cancel: &CancellationToken) {
        self.over = true;
        let (left, is_sub_agent) = self.leave();
        if left > 0 || !is_sub_agent {
            return;
        }
        let running = &self.session.running;
        let permit = tokio::select! {
            biased;
            () = cancel.cancelled() => Arc::clone(running).try_acquire_owned().ok(),
            permit = Arc::clone(running).acquire_owned() => permit.ok(),
        };
        self.session
            .tree
            .with(&self.parent, |agent| agent.permit = permit);
    }

    fn leave(&self) -> (usize, bool) {
        self.session
            .tree
            .with(&self.parent, |agent| {
                agent.waits_for = agent.waits_for.saturating_sub(1);
                (agent.waits_for, agent.depth > 0)
            })
            .unwrap_or((0, false))
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if !self.over {
            self.leave();
        }
    }
}
