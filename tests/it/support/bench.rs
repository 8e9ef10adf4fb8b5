//! A running engine with a scripted provider, a real store and a real folder.
//!
//! Waits end with the event that is waited for; a guard of 20 s says what was waited for and what came instead.

use std::{path::PathBuf, sync::Arc, time::Duration};

use quarterdeck::{
    domain::{
        approval::{ApprovalDecision, ApprovalRequest},
        ids::{AgentId, SessionId},
        model_info::ModelInfo,
        permission::{Level, Mode, Network, OwnPlaces},
        question::QuestionForm,
        record::{Lane, Record, Stored, TurnOutcome},
        tool::ToolResult,
    },
    engine::{
        self, EngineHandle,
        command::Command,
        event::{Event, EventKind},
        options::{
            Asked, Bounds, EngineOptions, NewProfile, OpenedProfile, Opening, Profiles,
            StartPermissions,
        },
        session::permissions::Configured,
    },
    process::sandbox::wanted::SandboxSettings,
    providers::{error::ProviderError, scripted::Scripted},
    store::{StoreHandle, StorePlaces},
    tools::context::ToolSettings,
};
use tempfile::TempDir;

const GUARD: Duration = Duration::from_secs(20);

/// A running engine.
pub(crate) struct Bench {
    /// The script of the provider.
    pub(crate) script: Scripted,
    /// The folder that the agent works in.
    pub(crate) folder: PathBuf,
    /// Everything that the engine has told so far.
    pub(crate) seen: Vec<Event>,
    /// The session.
    pub(crate) session: SessionId,
    handle: EngineHandle,
    options: EngineOptions,
    home: Arc<TempDir>,
}

struct OneProfile(Scripted);

impl Profiles for OneProfile {
    fn list(&self) -> Vec<(String, String)> {
        vec![("test".to_owned(), "scripted".to_owned())]
    }

    fn open(&self, name: &str) -> Result<OpenedProfile, ProviderError> {
        Ok(OpenedProfile {
            provider: Arc::new(self.0.clone()),
            model: ModelInfo {
                context_window: Some(100_000),
                ..Scripted::model_info(name)
            },
        })
    }

    fn add(&self, _profile: &NewProfile) -> Result<(), String> {
        Err("not here".to_owned())
    }
}

impl Bench {
    /// An engine in an empty, trusted folder.
    pub(crate) async fn start() -> Self {
        Self::start_with(|_| {}).await
    }

    /// The same with other options.
    pub(crate) async fn start_with(change: impl FnOnce(&mut EngineOptions)) -> Self {
        let home = Arc::new(tempfile::tempdir().expect("a temporary folder"));
        let folder = home.path().join("project");
        std::fs::create_dir(&folder).expect("the project folder");
        let folder = folder.canonicalize().expect("the project folder");
        let top = home.path().canonicalize().expect("the home");
        let spool = home.path().join("spool");
        std::fs::create_dir(&spool).expect("the spool folder");
        let script = Scripted::new();
        let mut options = EngineOptions {
            cwd: folder.clone(),
            store: store(&home).await,
            opening: Opening::New,
            profiles: Arc::new(OneProfile(script.clone())),
            profile: None,
            default_profile: "test".to_owned(),
            permissions: StartPermissions {
                level: Level::Workspace,
                mode: Mode::Adaptive,
                approvals: true,
                network: Network::All,
                confine_reads: false,
                rules: Vec::new(),
                asked: Asked::default(),
            },
            bounds: Bounds::default(),
            tools: ToolSettings {
                shell_timeout: Duration::from_secs(20),
                shell_timeout_max: Duration::from_mins(1),
                spool,
                secret_variables: Vec::new(),
                own: OwnPlaces {
                    closed: ["config", "data", "state"]
                        .map(|name| top.join(name))
                        .to_vec(),
                    open: vec![top.join("config/themes")],
                },
                sandbox: SandboxSettings::none(),
            },
            configured: Configured::default(),
            trusted: Some(true),
            asking: Default::default(),
            seen: Default::default(),
            offers: Vec::new(),
            notices: Vec::new(),
        };
        change(&mut options);
        Self::open(script, folder, options, home).await
    }

    async fn open(
        script: Scripted,
        folder: PathBuf,
        options: EngineOptions,
        home: Arc<TempDir>,
    ) -> Self {
        let handle = engine::start(options.clone())
            .await
            .expect("the engine starts");
        let mut bench = Self {
            script,
            folder,
            seen: Vec::new(),
            session: SessionId::new(""),
            handle,
            options,
            home,
        };
        bench.session = bench.opened().await;
        bench
    }

    /// The next session that is opened.
    pub(crate) async fn opened(&mut self) -> SessionId {
        let opened = self
            .until("the session is opened", |event| {
                matches!(event.kind, EventKind::Opened(_))
            })
            .await;
        opened.session
    }

    /// Another engine over the same home, with a script and a session of its own.
    pub(crate) async fn beside(&self) -> Self {
        let script = Scripted::new();
        let mut options = self.options.clone();
        options.store = store(&self.home).await;
        options.profiles = Arc::new(OneProfile(script.clone()));
        let (folder, home) = (self.folder.clone(), Arc::clone(&self.home));
        Self::open(script, folder, options, home).await
    }

    /// Writes a file of the project.
    pub(crate) fn file(&self, name: &str, content: &str) -> PathBuf {
        let path = self.folder.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).expect("the parent folder");
        }
        #[expect(clippy::disallowed_methods, reason = "a test makes its world")]
        std::fs::write(&path, content).expect("a file");
        path
    }

    /// Writes a file beside the project, by its path below the home.
    pub(crate) fn home_file(&self, name: &str, content: &str) -> PathBuf {
        let top = self.folder.parent().expect("the home");
        self.file(&top.join(name).to_string_lossy(), content)
    }

    /// Sends a command.
    pub(crate) fn send(&self, command: Command) {
        self.handle
            .send(command)
            .expect("the engine takes commands");
    }

    /// Says something to the main agent.
    pub(crate) fn say(&self, text: &str) {
        self.say_by(Lane::Steer, text);
    }

    /// Says something over a lane.
    pub(crate) fn say_by(&self, lane: Lane, text: &str) {
        self.send(Command::Send {
            agent: AgentId::main(),
            text: text.to_owned(),
            lane,
        });
    }

    /// The next event that fits, from now on.
    pub(crate) async fn until(&mut self, what: &str, fits: impl Fn(&Event) -> bool) -> Event {
        let start = self.seen.len();
        let found = tokio::time::timeout(GUARD, async {
            loop {
                let event = self
                    .handle
                    .next()
                    .await
                    .unwrap_or_else(|| panic!("the engine ended before: {what}"));
                self.seen.push(event.clone());
                if fits(&event) {
                    return event;
                }
            }
        })
        .await;
        found.unwrap_or_else(|_| {
            let came: Vec<String> = self.seen[start..]
                .iter()
                .map(|event| format!("{event:?}"))
                .collect();
            panic!(
                "waited in vain for: {what}\ncame instead:\n{}",
                came.join("\n")
            )
        })
    }

    /// The next approval that is asked for.
    pub(crate) async fn approval(&mut self) -> ApprovalRequest {
        let event = self
            .until("an approval", |event| {
                matches!(event.kind, EventKind::ApprovalAsked(_))
            })
            .await;
        match event.kind {
            EventKind::ApprovalAsked(request) => *request,
            other => panic!("not an approval: {other:?}"),
        }
    }

    /// Whether what the model asks for next is asked about; it is rejected then.
    pub(crate) async fn asks_next(&mut self) -> bool {
        let before = self.seen.len();
        self.say("go on");
        self.until("a question or the end", |event| match &event.kind {
            EventKind::ApprovalAsked(_) => true,
            EventKind::Recorded(stored) => matches!(stored.record, Record::TurnFinished { .. }),
            _ => false,
        })
        .await;
        let asked = self.seen[before..]
            .iter()
            .find_map(|event| match &event.kind {
                EventKind::ApprovalAsked(request) => Some((**request).clone()),
                _ => None,
            });
        if let Some(request) = &asked {
            self.decide(request, ApprovalDecision::Reject { words: None });
            self.turn_over().await;
        }
        asked.is_some()
    }

    /// The next question form.
    pub(crate) async fn question(&mut self) -> QuestionForm {
        let event = self
            .until("a question", |event| {
                matches!(event.kind, EventKind::QuestionAsked(_))
            })
            .await;
        match event.kind {
            EventKind::QuestionAsked(form) => *form,
            other => panic!("not a question: {other:?}"),
        }
    }

    /// Answers an approval.
    pub(crate) fn decide(&self, request: &ApprovalRequest, decision: ApprovalDecision) {
        self.send(Command::Decide {
            request: request.id,
            hash: request.hash.clone(),
            decision,
        });
    }

    /// Waits for the end of the main agent's turn.
    pub(crate) async fn turn_over(&mut self) -> TurnOutcome {
        let event = self
            .until("the end of the turn", |event| {
                event.agent.is_main()
                    && matches!(&event.kind, EventKind::Recorded(stored) if matches!(stored.record, Record::TurnFinished { .. }))
            })
            .await;
        match event.kind {
            EventKind::Recorded(stored) => match stored.record {
                Record::TurnFinished { outcome, .. } => outcome,
                other => panic!("not the end: {other:?}"),
            },
            other => panic!("not recorded: {other:?}"),
        }
    }

    /// The store.
    pub(crate) fn store(&self) -> &StoreHandle {
        &self.options.store
    }

    /// Everything recorded so far, as told.
    pub(crate) fn records(&self) -> Vec<Stored> {
        self.seen
            .iter()
            .filter_map(|event| match &event.kind {
                EventKind::Recorded(stored) => Some((**stored).clone()),
                _ => None,
            })
            .collect()
    }

    /// Results of tool calls so far.
    pub(crate) fn results(&self) -> Vec<ToolResult> {
        self.records()
            .into_iter()
            .filter_map(|stored| match stored.record {
                Record::Result { result } => Some(result),
                _ => None,
            })
            .collect()
    }

    /// What the model was told by tool calls so far.
    pub(crate) fn texts(&self) -> Vec<String> {
        let results = self.results().into_iter();
        results.map(|result| result.text).collect()
    }

    /// Everything that stands in the log.
    pub(crate) async fn stored(&self) -> Vec<Stored> {
        let store = &self.options.store;
        store.all_records(&self.session).await.expect("the log")
    }

    /// Lets no record be written for which this SQL holds; the open store meets it as it meets a full disk.
    pub(crate) fn break_store(&self, when: &str) {
        self.sql(&format!(
            "CREATE TRIGGER broken BEFORE INSERT ON records WHEN {when}
             BEGIN SELECT RAISE(ABORT, 'broken by the test'); END"
        ));
    }

    /// Lets records be written again.
    pub(crate) fn mend_store(&self) {
        self.sql("DROP TRIGGER broken");
    }

    fn sql(&self, sql: &str) {
        let path = self.home.path().join("data/sessions.db");
        let database = rusqlite::Connection::open_with_flags(
            path,
            rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE,
        );
        database
            .and_then(|database| database.execute_batch(sql))
            .expect("the database takes it");
    }

    /// Ends the engine and starts another over the same home and script, with the same session.
    pub(crate) async fn restart(self) -> Self {
        self.restart_with(|_| {}).await
    }

    /// The same with other options.
    pub(crate) async fn restart_with(mut self, change: impl FnOnce(&mut EngineOptions)) -> Self {
        self.send(Command::Shutdown);
        self.until("the engine has stopped", |event| {
            event.kind == EventKind::Stopped
        })
        .await;
        let mut options = self.options.clone();
        options.store = store(&self.home).await;
        options.opening = Opening::Resume(self.session.clone());
        change(&mut options);
        Self::open(
            self.script.clone(),
            self.folder.clone(),
            options,
            Arc::clone(&self.home),
        )
        .await
    }
}

async fn store(home: &TempDir) -> StoreHandle {
    let places = StorePlaces::new(home.path().join("data"), home.path().join("state"));
    StoreHandle::open(places).await.expect("the store opens").0
}
