//! The shared state of an open session.
//!
//! Locks here are held for a few instructions and never across an await.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::{
    sync::{Notify, Semaphore},
    time::timeout,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{
    goal::Pursuit, own_files::OwnFiles, permissions::Permissions, recorder::Recorder,
    requests::Requests, terminals::Terminals, tree::Tree,
};
use crate::{
    domain::{
        checklist::Checklist,
        ids::{AgentId, QueuedId, RequestId, SessionId, TurnId},
        session::SessionSettings,
        usage::Usage,
    },
    engine::{
        event::EventKind,
        options::{Bounds, OpenedProfile, Profiles},
        outbox::Outbox,
    },
    store::{SessionLock, StoreHandle},
    tools::context::ToolSettings,
    workspace::notebook,
};

/// How long looking for notebooks may hold up a turn.
const NOTEBOOKS_WITHIN: Duration = Duration::from_millis(500);

/// An open session.
pub struct Session {
    /// Its id.
    pub id: SessionId,
    /// The folder it works in.
    pub cwd: PathBuf,
    /// Writes the log and tells the front end.
    pub recorder: Recorder,
    /// The store, for what is not in the log.
    pub store: StoreHandle,
    /// Rules, grants, level, mode.
    pub permissions: Permissions,
    /// The folder's own files, as they were last looked at.
    pub own_files: Arc<OwnFiles>,
    /// The agents.
    pub tree: Tree,
    /// What a person is asked.
    pub requests: Requests,
    /// Commands into which the person can type.
    pub terminals: Terminals,
    /// The profiles that can be chosen.
    pub profiles: Arc<dyn Profiles>,
    /// Bounds.
    pub bounds: Bounds,
    /// Settings of the tools.
    pub tools: Arc<ToolSettings>,
    /// How many sub-agents may still start.
    pub running: Arc<Semaphore>,
    /// Ends everything.
    pub cancel: CancellationToken,
    /// Something ended that the goal may wait for.
    pub stirred: Notify,
    /// Every task of the session.
    pub tasks: TaskTracker,
    pub(super) _lock: SessionLock,
    pub(super) shared: Mutex<Shared>,
    pub(super) counters: Counters,
}

/// What changes while a session is open.
pub(super) struct Shared {
    pub(super) profile: OpenedProfile,
    pub(super) checklists: HashMap<AgentId, Checklist>,
    pub(super) pursuit: Option<Pursuit>,
    pub(super) usage: Usage,
    pub(super) trusted: bool,
    pub(super) is_titled: bool,
    pub(super) person_commands: CancellationToken,
    pub(super) unsent: usize,
    /// Whether the draft as it now is could not be stored.
    pub(super) draft_is_unstored: bool,
    /// Whether a notebook was found in the folder.
    pub(super) had_notebooks: bool,
}

/// Numbers that are given out.
#[derive(Debug, Default)]
pub(super) struct Counters {
    pub(super) turn: AtomicU64,
    pub(super) request: AtomicU64,
    pub(super) queued: AtomicU64,
    /// Commands of the person that run.
    pub(super) commands: AtomicU64,
}

impl Session {
    pub(super) fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The channel to the front end.
    pub fn outbox(&self) -> &Outbox {
        self.recorder.outbox()
    }

    /// Tells the front end something about an agent.
    pub async fn tell(&self, agent: &AgentId, kind: EventKind) {
        self.outbox().send(&self.id, agent, kind).await;
    }

    /// The next turn's number.
    pub fn next_turn(&self) -> TurnId {
        TurnId(self.counters.turn.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// The next request's number.
    pub fn next_request(&self) -> RequestId {
        RequestId(self.counters.request.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// The next waiting message's number.
    pub fn next_queued(&self) -> QueuedId {
        QueuedId(self.counters.queued.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// The language model in use.
    pub fn profile(&self) -> OpenedProfile {
        self.lock().profile.clone()
    }

    /// Uses another profile from the next request on.
    pub fn set_profile(&self, profile: OpenedProfile) {
        self.lock().profile = profile;
    }

    /// Whether a notebook was found in the folder so far.
    pub fn had_notebooks(&self) -> bool {
        self.lock().had_notebooks
    }

    /// Whether there is a notebook in the folder, as far as that is seen in little time.
    pub async fn has_notebooks(&self) -> bool {
        if self.had_notebooks() {
            return true;
        }
        let cwd = self.cwd.clone();
        let look = tokio::task::spawn_blocking(move || notebook::is_in(&cwd));
        let found = matches!(timeout(NOTEBOOKS_WITHIN, look).await, Ok(Ok(true)));
        self.lock().had_notebooks |= found;
        found
    }

    /// Whether models can be taken out of the memory of the server in use.
    pub fn may_unload(&self) -> bool {
        self.profile().provider.unload("").is_some()
    }

    /// Whether the folder is trusted.
    pub fn is_trusted(&self) -> bool {
        self.lock().trusted
    }

    /// Remembers whether the folder is trusted.
    pub fn set_trusted(&self, trusted: bool) {
        self.lock().trusted = trusted;
    }

    /// Whether the session has a title; from now on it has.
    pub fn take_title(&self) -> bool {
        std::mem::replace(&mut self.lock().is_titled, true)
    }

    /// An agent's checklist.
    pub fn checklist(&self, agent: &AgentId) -> Checklist {
        self.lock()
            .checklists
            .get(agent)
            .cloned()
            .unwrap_or_default()
    }

    /// Changes an agent's checklist and returns it with what the change says.
    pub fn change_checklist<T>(
        &self,
        agent: &AgentId,
        change: impl FnOnce(&mut Checklist) -> Result<T, String>,
    ) -> Result<(Checklist, T), String> {
        let mut shared = self.lock();
        let list = shared.checklists.entry(agent.clone()).or_default();
        let mut changed = list.clone();
        let said = change(&mut changed)?;
        *list = changed.clone();
        Ok((changed, said))
    }

    /// Adds what a step used; returns the session's total.
    pub fn add_usage(&self, usage: &Usage) -> Usage {
        let mut shared = self.lock();
        shared.usage.add(usage);
        shared.usage
    }

    /// Ends a command that the person begins now.
    pub fn person_commands(&self) -> CancellationToken {
        self.lock().person_commands.clone()
    }

    /// Ends the commands of the person that run.
    pub fn stop_person_commands(&self) {
        let next = self.cancel.child_token();
        std::mem::replace(&mut self.lock().person_commands, next).cancel();
    }

    /// How many messages of the person wait for the main agent.
    pub fn unsent(&self) -> usize {
        self.lock().unsent
    }

    /// Whether the draft as it now is could not be stored; returns what was so before.
    pub fn set_draft_unstored(&self, is_unstored: bool) -> bool {
        std::mem::replace(&mut self.lock().draft_is_unstored, is_unstored)
    }

    /// So many messages of the person wait for the main agent.
    pub fn set_unsent(&self, count: usize) {
        self.lock().unsent = count;
    }

    /// What the session has used so far.
    pub fn usage(&self) -> Usage {
        self.lock().usage
    }

    /// The settings as the header shows them.
    pub fn settings(&self) -> SessionSettings {
        let (model, trusted) = {
            let shared = self.lock();
            (shared.profile.model.clone(), shared.trusted)
        };
        let permissions = self.permissions.settings();
        SessionSettings {
            model,
            level: permissions.level,
            mode: permissions.mode,
            network: permissions.network,
            approvals: permissions.approvals,
            trusted,
        }
    }
}
