//! A folder on disk, tools that work in it and a host in memory: what a test needs to call tools as a model does.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use futures::future::BoxFuture;
use quarterdeck::{
    domain::{
        agent::AgentNode,
        artifact::Address,
        checklist::Checklist,
        ids::{AgentId, CallId, SessionId},
        media::MediaGate,
        permission::{Level, OwnPlaces},
        question::{FormOutcome, Question},
        scratchpad::{ScratchpadEntry, ScratchpadInfo, ScratchpadOrigin},
        window::ContextGauge,
    },
    process::{program, sandbox::wanted::SandboxSettings},
    tools::{
        context::{Reach, ToolContext, ToolSettings},
        contract::Preview,
        error::ToolError,
        host::{ChecklistEdit, Host, SpawnReport, SpawnRequest},
        output::ToolOutput,
        registry,
    },
    workspace::{freshness::Freshness, root::Roots},
};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

/// The interpreters of these that are here. Of those that are not it is said that their tests are left out.
#[expect(
    clippy::print_stderr,
    reason = "a test that leaves something out says so"
)]
pub(crate) fn interpreters(names: &[&'static str]) -> Vec<&'static str> {
    let is_here = |name: &&'static str| {
        let found = program::find(name, &[]).is_some();
        if !found {
            eprintln!("left out, since it is not installed: {name}");
        }
        found
    };
    names.iter().copied().filter(is_here).collect()
}

/// A folder that tools work in.
pub(crate) struct Workbench {
    _folder: tempfile::TempDir,
    /// The folder, canonical.
    pub(crate) path: PathBuf,
    /// What calls have at hand.
    pub(crate) context: ToolContext,
    /// The host.
    pub(crate) host: Arc<MemoryHost>,
}

impl Workbench {
    /// An empty folder, in which writing is possible.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = fs::canonicalize(folder.path()).unwrap();
        let host = Arc::new(MemoryHost::default());
        let context = ToolContext {
            session: SessionId::new("session"),
            agent: AgentId::main(),
            call: CallId::new("call-1"),
            cwd: path.clone(),
            roots: Arc::new(Roots {
                directories: vec![path.clone()],
            }),
            reach: Reach::of_person(),
            places: None,
            freshness: Arc::new(Freshness::default()),
            settings: Arc::new(ToolSettings {
                shell_timeout: Duration::from_mins(2),
                shell_timeout_max: Duration::from_mins(10),
                spool: path.join(".spool"),
                secret_variables: Vec::new(),
                own: OwnPlaces::default(),
                sandbox: SandboxSettings::none(),
            }),
            host: host.clone(),
            media: MediaGate {
                model_id: "test".to_owned(),
                ..MediaGate::default()
            },
            keeps: false,
            cancel: CancellationToken::new(),
        };
        Self {
            _folder: folder,
            path,
            context,
            host,
        }
    }

    /// Puts a file into the folder, as a person would.
    pub(crate) fn put(&self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        File::create(&path)
            .unwrap()
            .write_all(bytes.as_ref())
            .unwrap();
        path
    }

    /// What a file holds.
    pub(crate) fn bytes(&self, name: impl AsRef<Path>) -> Vec<u8> {
        fs::read(self.path.join(name)).unwrap()
    }

    /// The names in the folder, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(&self.path)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// Calls a tool from JSON, by name or alias.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Result<ToolOutput, ToolError> {
        let tool = registry::find(tool).expect("a tool of this name");
        let checked = tool.check(&arguments)?;
        tool.run(checked, self.context.clone()).await
    }

    /// The text of an answer, or of a refusal after `refused: `.
    pub(crate) async fn text(&self, tool: &str, arguments: Value) -> String {
        match self.call(tool, arguments).await {
            Ok(output) => output.text,
            Err(error) => format!("refused: {error}"),
        }
    }

    /// What a call would do.
    pub(crate) async fn preview(
        &self,
        tool: &str,
        arguments: Value,
    ) -> Result<Option<Preview>, ToolError> {
        let tool = registry::find(tool).expect("a tool of this name");
        let checked = tool.check(&arguments)?;
        tool.preview(checked, self.context.clone()).await
    }
}

/// What a host holds and was asked.
#[derive(Default)]
pub(crate) struct HostState {
    pub(crate) checklist: Checklist,
    pub(crate) entries: BTreeMap<String, ScratchpadEntry>,
    pub(crate) artifacts: BTreeMap<String, PathBuf>,
    pub(crate) gauge: ContextGauge,
    pub(crate) agents: Vec<AgentNode>,
    /// What the person answers; a form without an answer waits for ever.
    pub(crate) outcome: Option<FormOutcome>,
    pub(crate) asked: Vec<Vec<Question>>,
    pub(crate) spawned: Vec<SpawnRequest>,
    pub(crate) progress: String,
    /// What the first output ends.
    pub(crate) ends: Option<CancellationToken>,
}

/// A host in memory.
#[derive(Default)]
pub(crate) struct MemoryHost(Mutex<HostState>);

impl MemoryHost {
    /// What it holds.
    pub(crate) fn state(&self) -> MutexGuard<'_, HostState> {
        self.0.lock().unwrap()
    }
}

impl Host for MemoryHost {
    fn progress(&self, _: &AgentId, _: &CallId, text: &str) {
        let mut state = self.state();
        state.progress.push_str(text);
        if let Some(token) = state.ends.take() {
            token.cancel();
        }
    }

    fn checklist(&self, _: &AgentId) -> BoxFuture<'_, Result<Checklist, ToolError>> {
        Box::pin(async { Ok(self.state().checklist.clone()) })
    }

    fn edit_checklist(
        &self,
        _: &AgentId,
        edit: ChecklistEdit,
    ) -> BoxFuture<'_, Result<(Checklist, Vec<u32>), ToolError>> {
        Box::pin(async {
            let list = &mut self.state().checklist;
            let numbers = match edit {
                ChecklistEdit::Add(items) => items
                    .iter()
                    .map(|(text, status)| list.add(text, *status))
                    .collect(),
                ChecklistEdit::Replace(items) => {
                    list.replace(&items);
                    Vec::new()
                }
                ChecklistEdit::Edit(id, change) => {
                    list.edit(id, &change).map_err(ToolError::model)?;
                    Vec::new()
                }
            };
            Ok((list.clone(), numbers))
        })
    }

    fn scratchpad_list(
        &self,
        _: &AgentId,
    ) -> BoxFuture<'_, Result<Vec<ScratchpadInfo>, ToolError>> {
        let entries = self.state().entries.clone();
        Box::pin(async { Ok(entries.into_values().map(|entry| entry.info).collect()) })
    }

    fn scratchpad_read(
        &self,
        _: &AgentId,
        name: &str,
    ) -> BoxFuture<'_, Result<Option<ScratchpadEntry>, ToolError>> {
        let entry = self.state().entries.get(name).cloned();
        Box::pin(async { Ok(entry) })
    }

    fn scratchpad_write(
        &self,
        agent: &AgentId,
        name: &str,
        content: String,
        origin: ScratchpadOrigin,
    ) -> BoxFuture<'_, Result<ScratchpadInfo, ToolError>> {
        let info = ScratchpadInfo {
            name: name.to_owned(),
            agent: agent.clone(),
            bytes: content.len() as u64,
            updated_ms: 0,
            origin,
        };
        let entry = ScratchpadEntry {
            info: info.clone(),
            content,
        };
        self.state().entries.insert(name.to_owned(), entry);
        Box::pin(async { Ok(info) })
    }

    fn scratchpad_delete(&self, _: &AgentId, name: &str) -> BoxFuture<'_, Result<bool, ToolError>> {
        let was_there = self.state().entries.remove(name).is_some();
        Box::pin(async move { Ok(was_there) })
    }

    fn scratchpad_rename(
        &self,
        _: &AgentId,
        name: &str,
        to: &str,
    ) -> BoxFuture<'_, Result<(), ToolError>> {
        let mut state = self.state();
        if let Some(mut entry) = state.entries.remove(name) {
            to.clone_into(&mut entry.info.name);
            state.entries.insert(to.to_owned(), entry);
        }
        Box::pin(async { Ok(()) })
    }

    fn artifact(&self, address: &Address) -> BoxFuture<'_, Result<PathBuf, ToolError>> {
        let mut key = address.id.to_string();
        if let Some(stream) = &address.stream {
            key.push_str(&format!("/{stream}"));
        }
        let found = self.state().artifacts.get(&key).cloned();
        Box::pin(async move {
            found.ok_or_else(|| ToolError::model(format!("there is no stored output {key}")))
        })
    }

    fn ask(
        &self,
        _: &AgentId,
        _: &CallId,
        questions: Vec<Question>,
    ) -> BoxFuture<'_, Result<FormOutcome, ToolError>> {
        let mut state = self.state();
        state.asked.push(questions);
        match state.outcome.clone() {
            Some(outcome) => Box::pin(async { Ok(outcome) }),
            None => Box::pin(std::future::pending()),
        }
    }

    fn spawn(
        &self,
        _: &AgentId,
        _: &CallId,
        request: SpawnRequest,
        _: CancellationToken,
    ) -> BoxFuture<'_, Result<SpawnReport, ToolError>> {
        let report = SpawnReport {
            agent: AgentId::new(format!("{}_00000001", request.kind)),
            level: request.level.unwrap_or(Level::Read),
            report: format!("done: {}", request.prompt),
            failure: None,
        };
        self.state().spawned.push(request);
        Box::pin(async { Ok(report) })
    }

    fn agents(&self, _: &AgentId) -> BoxFuture<'_, Result<Vec<AgentNode>, ToolError>> {
        let agents = self.state().agents.clone();
        Box::pin(async { Ok(agents) })
    }

    fn context_gauge(&self, _: &AgentId) -> BoxFuture<'_, Result<ContextGauge, ToolError>> {
        let gauge = self.state().gauge;
        Box::pin(async move { Ok(gauge) })
    }
}
