//! A host in memory for the unit tests of tools that touch only the session.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use futures::future::BoxFuture;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::{
    context::{Reach, ToolContext, ToolSettings},
    contract::{AnyTool, Tool, Typed},
    error::ToolError,
    host::{ChecklistEdit, Host, SpawnReport, SpawnRequest},
    output::ToolOutput,
};
use crate::{
    domain::{
        agent::AgentNode,
        artifact::Address,
        checklist::Checklist,
        goal::Goal,
        ids::{AgentId, CallId, SessionId},
        media::MediaGate,
        model_info::Unloaded,
        permission::OwnPlaces,
        question::{FormOutcome, Question},
        scratchpad::{ScratchpadEntry, ScratchpadInfo, ScratchpadOrigin},
        window::ContextGauge,
    },
    process::sandbox::wanted::SandboxSettings,
    workspace::{freshness::Freshness, root::Roots},
};

/// What the host holds and what it was asked.
#[derive(Default)]
pub(crate) struct State {
    pub(crate) checklist: Checklist,
    pub(crate) goal: Option<Goal>,
    pub(crate) entries: Vec<ScratchpadEntry>,
    pub(crate) gauge: ContextGauge,
    pub(crate) agents: Vec<AgentNode>,
    /// What the person will answer.
    pub(crate) outcome: Option<FormOutcome>,
    pub(crate) asked: Vec<Vec<Question>>,
    /// What will come of unloading a model.
    pub(crate) unloaded: Option<Unloaded>,
    /// How the next agents will end.
    pub(crate) report: Option<Result<SpawnReport, ToolError>>,
    pub(crate) spawned: Vec<SpawnRequest>,
}

/// A host in memory.
#[derive(Default)]
pub(crate) struct FakeHost {
    state: Mutex<State>,
}

impl FakeHost {
    /// A host and a context that uses it, in the folder `/proj`.
    pub(crate) fn new() -> (Arc<Self>, ToolContext) {
        let host = Arc::new(Self::default());
        let context = ToolContext {
            session: SessionId::new("session"),
            agent: AgentId::main(),
            call: CallId::new("call-1"),
            cwd: PathBuf::from("/proj"),
            roots: Arc::new(Roots::default()),
            reach: Reach::of_person(),
            places: None,
            freshness: Arc::new(Freshness::default()),
            settings: Arc::new(ToolSettings {
                shell_timeout: Duration::from_secs(1),
                shell_timeout_max: Duration::from_secs(1),
                spool: PathBuf::from("/proj"),
                secret_variables: Vec::new(),
                own: OwnPlaces::default(),
                sandbox: SandboxSettings::none(),
            }),
            host: host.clone(),
            media: MediaGate::default(),
            keeps: false,
            cancel: CancellationToken::new(),
        };
        (host, context)
    }

    /// What it holds.
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts an entry into the scratchpad.
    pub(crate) fn note(&self, name: &str, content: &str, origin: ScratchpadOrigin) {
        self.state().entries.push(ScratchpadEntry {
            info: ScratchpadInfo {
                name: name.to_owned(),
                agent: AgentId::main(),
                bytes: content.len() as u64,
                updated_ms: 1_764_531_000_000,
                origin,
            },
            content: content.to_owned(),
        });
    }
}

/// Calls a tool as a model does, from JSON.
pub(crate) async fn call<T: Tool>(
    context: &ToolContext,
    arguments: Value,
) -> Result<ToolOutput, String> {
    let tool = Typed::<T>::new();
    let checked = tool.check(&arguments).map_err(|error| error.to_string())?;
    tool.run(checked, context.clone())
        .await
        .map_err(|error| error.to_string())
}

impl Host for FakeHost {
    fn progress(&self, _agent: &AgentId, _call: &CallId, _text: &str) {}

    fn checklist(&self, _agent: &AgentId) -> BoxFuture<'_, Result<Checklist, ToolError>> {
        Box::pin(async { Ok(self.state().checklist.clone()) })
    }

    fn edit_checklist(
        &self,
        _agent: &AgentId,
        edit: ChecklistEdit,
    ) -> BoxFuture<'_, Result<(Checklist, Vec<u32>), ToolError>> {
        Box::pin(async {
            let list = &mut self.state().checklist;
            let ids = match edit {
                ChecklistEdit::Add(items) => items
                    .iter()
                    .map(|(text, status)| list.add(text, *status))
                    .collect(),
                ChecklistEdit::Edit(id, change) => {
                    list.edit(id, &change).map_err(ToolError::model)?;
                    Vec::new()
                }
                ChecklistEdit::Replace(items) => {
                    list.replace(&items);
                    Vec::new()
                }
            };
            Ok((list.clone(), ids))
        })
    }

    fn goal(&self) -> Option<Goal> {
        self.state().goal.clone()
    }

    fn scratchpad_list(
        &self,
        _agent: &AgentId,
    ) -> BoxFuture<'_, Result<Vec<ScratchpadInfo>, ToolError>> {
        Box::pin(async {
            let state = self.state();
            let mut infos: Vec<_> = state
                .entries
                .iter()
                .map(|entry| entry.info.clone())
                .collect();
            infos.sort_by(|one, other| one.name.cmp(&other.name));
            Ok(infos)
        })
    }

    fn scratchpad_read(
        &self,
        _agent: &AgentId,
        name: &str,
    ) -> BoxFuture<'_, Result<Option<ScratchpadEntry>, ToolError>> {
        let state = self.state();
        let found = state
            .entries
            .iter()
            .find(|entry| entry.info.name == name)
            .cloned();
        Box::pin(async { Ok(found) })
    }

    fn scratchpad_write(
        &self,
        _agent: &AgentId,
        name: &str,
        content: String,
        origin: ScratchpadOrigin,
    ) -> BoxFuture<'_, Result<ScratchpadInfo, ToolError>> {
        self.state().entries.retain(|entry| entry.info.name != name);
        self.note(name, &content, origin);
        let info = self.state().entries.last().map(|entry| entry.info.clone());
        Box::pin(async { info.ok_or_else(|| ToolError::Fatal("nothing was written".to_owned())) })
    }

    fn scratchpad_delete(
        &self,
        _agent: &AgentId,
        name: &str,
    ) -> BoxFuture<'_, Result<bool, ToolError>> {
        let entries = &mut self.state().entries;
        let before = entries.len();
        entries.retain(|entry| entry.info.name != name);
        let was_there = entries.len() < before;
        Box::pin(async move { Ok(was_there) })
    }

    fn scratchpad_rename(
        &self,
        _agent: &AgentId,
        name: &str,
        to: &str,
    ) -> BoxFuture<'_, Result<(), ToolError>> {
        let entries = &mut self.state().entries;
        if let Some(entry) = entries.iter_mut().find(|entry| entry.info.name == name) {
            to.clone_into(&mut entry.info.name);
        }
        Box::pin(async { Ok(()) })
    }

    fn artifact(&self, _: &Address) -> BoxFuture<'_, Result<PathBuf, ToolError>> {
        Box::pin(async { Err(ToolError::model("there is no stored output")) })
    }

    fn ask(
        &self,
        _agent: &AgentId,
        _call: &CallId,
        questions: Vec<Question>,
    ) -> BoxFuture<'_, Result<FormOutcome, ToolError>> {
        Box::pin(async {
            let mut state = self.state();
            state.asked.push(questions);
            Ok(state.outcome.clone().unwrap_or(FormOutcome::Nobody))
        })
    }

    fn spawn(
        &self,
        _parent: &AgentId,
        _call: &CallId,
        request: SpawnRequest,
        _: CancellationToken,
    ) -> BoxFuture<'_, Result<SpawnReport, ToolError>> {
        Box::pin(async {
            let mut state = self.state();
            state.spawned.push(request);
            state
                .report
                .clone()
                .unwrap_or_else(|| Err(ToolError::model("no agent can be started here")))
        })
    }

    fn agents(&self, _parent: &AgentId) -> BoxFuture<'_, Result<Vec<AgentNode>, ToolError>> {
        Box::pin(async { Ok(self.state().agents.clone()) })
    }

    fn unload(&self, model: Option<String>) -> BoxFuture<'_, (String, Unloaded)> {
        let unloaded = self.state().unloaded.clone();
        let unloaded = unloaded.unwrap_or_else(|| Unloaded::Failed("not here".to_owned()));
        Box::pin(async { (model.unwrap_or_else(|| "own".to_owned()), unloaded) })
    }

    fn context_gauge(&self, _agent: &AgentId) -> BoxFuture<'_, Result<ContextGauge, ToolError>> {
        Box::pin(async { Ok(self.state().gauge) })
    }
}
