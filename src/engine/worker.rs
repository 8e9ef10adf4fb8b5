//! The engine's task: takes commands, routes them, and opens and closes sessions.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use tokio::sync::mpsc;

use super::{
    command::{Command, SessionCommand},
    error::EngineError,
    event::EventKind,
    handle::{COMMAND_CAPACITY, EngineHandle},
    jobs,
    options::{Asked, EngineOptions, NewProfile, Opening},
    outbox::{self, Outbox},
    outputs::janitor::Janitor,
    routing::trust,
    session::{
        opening::{self, Ready},
        repair::LEFT,
        state::Session,
    },
    turn::input::Input,
};
use crate::{
    domain::{
        ids::{AgentId, SessionId},
        notice::Notice,
        record::{Record, TurnOutcome},
    },
    process::{
        sandbox::{state::state, tmp},
        table,
    },
};

/// How long agents may take to end when a session is closed.
const CLOSE_WITHIN: Duration = Duration::from_secs(3);
/// Most characters of a title made from the first words.
pub(super) const TITLE_CHARS: usize = 60;

/// The engine's task.
pub(super) struct Worker {
    pub(super) options: EngineOptions,
    pub(super) outbox: Outbox,
    pub(super) session: Arc<Session>,
}

/// Opens the session and starts the engine.
pub async fn start(options: EngineOptions) -> Result<EngineHandle, EngineError> {
    let (outbox, inbox) = outbox::channel();
    let ready = opening::open(&options, outbox.clone()).await?;
    let (commands, received) = mpsc::channel(COMMAND_CAPACITY);
    let janitor = Janitor::start(options.store.clone(), options.tools.spool.clone());
    let (choice, spool) = (options.tools.sandbox.choice, options.tools.spool.clone());
    let session = Arc::clone(&ready.session);
    // Found out before the first command asks.
    tokio::spawn(async move {
        let report = Box::new(state(choice, &spool).await.report(choice));
        session
            .tell(&AgentId::main(), EventKind::Sandbox(report))
            .await;
    });
    let worker = Worker {
        options,
        outbox,
        session: Arc::clone(&ready.session),
    };
    tokio::spawn(worker.run(ready, received, janitor));
    Ok(EngineHandle::new(commands, inbox))
}

impl Worker {
    async fn run(mut self, ready: Ready, mut commands: mpsc::Receiver<Command>, janitor: Janitor) {
        self.tell_opened(ready).await;
        for notice in std::mem::take(&mut self.options.notices) {
            self.notice(notice).await;
        }
        let mut waiting = VecDeque::new();
        loop {
            let next = match waiting.pop_front() {
                Some(command) => Some(command),
                None => commands.recv().await,
            };
            match next {
                Some(Command::Shutdown) | None => break,
                Some(command) => self.take(command, &mut commands, &mut waiting).await,
            }
        }
        drop(janitor);
        self.close(TurnOutcome::Interrupted).await;
        if let Err(error) = self.options.store.close().await {
            tracing::warn!(%error, "the store did not close well");
        }
        self.tell(EventKind::Stopped).await;
        self.outbox.close();
    }

    /// Does what a command says. The disk and other programs may hold it up, and a cancel does not wait for them, but
    /// for words that were sent before it: it is meant for them too.
    async fn take(
        &mut self,
        command: Command,
        commands: &mut mpsc::Receiver<Command>,
        waiting: &mut VecDeque<Command>,
    ) {
        let session = Arc::clone(&self.session);
        let sends = |command: &Command| matches!(command, Command::Send { .. });
        let is_sending = sends(&command);
        let work = async {
            match command {
                Command::Session(command) => self.session_command(command).await,
                other => self.route(other).await,
            }
        };
        tokio::pin!(work);
        loop {
            tokio::select! {
                () = &mut work => return,
                Some(next) = commands.recv(), if waiting.len() < COMMAND_CAPACITY => {
                    match next {
                        Command::Cancel { agent } if !is_sending && !waiting.iter().any(sends) => {
                            cancel(&session, &agent).await;
                        }
                        other => waiting.push_back(other),
                    }
                }
            }
        }
    }

    pub(super) async fn tell(&self, kind: EventKind) {
        self.session.tell(&AgentId::main(), kind).await;
    }

    pub(super) async fn notice(&self, notice: Notice) {
        self.session.tell_notice(notice).await;
    }

    /// Sends an input to an agent.
    pub(super) async fn input(&self, agent: &AgentId, input: Input) {
        let sent = match self.session.tree.mailbox(agent) {
            Some(mailbox) => mailbox.send(input).await.is_ok(),
            None => false,
        };
        if !sent {
            self.notice(Notice::warning(format!("agent {agent} is no longer there")))
                .await;
        }
    }

    /// Has every agent judge again what has not begun.
    pub(super) async fn rules_changed(&self) {
        for mailbox in self.session.tree.mailboxes() {
            // An agent that has ended has nothing that waits.
            let _ = mailbox.send(Input::RulesChanged).await;
        }
    }

    async fn tell_opened(&self, ready: Ready) {
        let session = &ready.session;
        self.tell(EventKind::Opened(Box::new(ready.opened))).await;
        self.tell(EventKind::History {
            records: ready.shown,
            more: ready.more,
        })
        .await;
        for node in session.tree.nodes() {
            let agent = node.id.clone();
            let checklist = session.checklist(&agent);
            session.tell(&agent, EventKind::Agent(Box::new(node))).await;
            if let Some(gauge) = session.tree.with(&agent, |agent| agent.gauge) {
                session.tell(&agent, EventKind::Context(gauge)).await;
            }
            if !checklist.items.is_empty() {
                session
                    .tell(
                        &agent,
                        EventKind::Checklist {
                            checklist,
                            nudges: 0,
                        },
                    )
                    .await;
            }
        }
        session.tell_goal().await;
        session.tell_scratchpad().await;
        self.tell(EventKind::Usage(session.usage())).await;
        self.tell(EventKind::Grants(session.permissions.grants()))
            .await;
        if !session.permissions.declared().is_empty() {
            session.tell_declared().await;
        }
        for notice in ready.notices {
            self.notice(notice).await;
        }
        session.tasks.spawn(jobs::watch(Arc::clone(session)));
    }

    async fn session_command(&mut self, command: SessionCommand) {
        match command {
            SessionCommand::New => self.switch(Opening::New).await,
            SessionCommand::Resume(id) => self.resume(id).await,
            SessionCommand::Title(title) => self.title(&title).await,
            SessionCommand::AddProfile {
                name,
                base_url,
                model_id,
                api_key_env,
            } => {
                self.add_profile(NewProfile {
                    name,
                    base_url,
                    model_id,
                    api_key_env,
                })
                .await;
            }
            SessionCommand::Revoke(rule) => {
                let revoked = self.session.permissions.revoke(&rule);
                let changes = revoked.into_iter().map(|grant| (grant, true)).collect();
                self.rules_changed().await;
                self.session.tell_grants(changes).await;
            }
        }
    }

    async fn resume(&mut self, id: SessionId) {
        if id == self.session.id {
            self.notice(Notice::info("this session is open already"))
                .await;
            return;
        }
        match self.options.store.session(&id).await {
            Ok(info) if info.cwd != self.options.cwd => {
                let text = format!("that session works in {}", info.cwd.display());
                self.notice(Notice::warning(text).with_hint(format!("leave, then: qd -r {id}")))
                    .await;
            }
            Ok(_) => self.switch(Opening::Resume(id)).await,
            Err(error) => self.notice(Notice::error(error.to_string())).await,
        }
    }

    /// Opens another session, then closes the present one, which goes on when the other cannot be opened.
    async fn switch(&mut self, opening: Opening) {
        let mut options = self.options.clone();
        options.opening = opening;
        // What the start named was meant for the session that it opened.
        options.profile = None;
        options.permissions.asked = Asked::default();
        let options = match trust::look_again(options).await {
            Ok(options) => options,
            Err(error) => return self.notice(Notice::error(error)).await,
        };
        let ready = match opening::open(&options, self.outbox.clone()).await {
            Ok(ready) => ready,
            Err(error) => return self.notice(Notice::error(error.to_string())).await,
        };
        let reason = "the session was left".to_owned();
        self.close(TurnOutcome::Stopped { reason }).await;
        let unsent = self.session.unsent();
        self.options = options;
        self.session = Arc::clone(&ready.session);
        self.tell_opened(ready).await;
        if unsent > 0 {
            let text = match unsent {
                1 => "1 message was not sent".to_owned(),
                more => format!("{more} messages were not sent"),
            };
            let hint = "kept in the draft of the session that was left: /sessions goes back to it";
            self.notice(Notice::info(text).with_hint(hint)).await;
        }
    }

    async fn title(&self, title: &str) {
        let title = one_line(title, 120);
        if title.is_empty() {
            self.notice(Notice::warning("a title needs words").with_hint("/title WORDS"))
                .await;
            return;
        }
        self.session.take_title();
        self.session
            .log(&AgentId::main(), Record::Titled { title })
            .await;
    }

    async fn add_profile(&self, profile: NewProfile) {
        let profiles = Arc::clone(&self.options.profiles);
        let name = profile.name.clone();
        let added = blocking(move || {
            profiles.add(&profile)?;
            profiles
                .open(&profile.name)
                .map_err(|error| error.to_string())
        })
        .await;
        match added {
            Ok(opened) => {
                self.session.set_profile(opened);
                self.session.tell_settings().await;
                self.notice(Notice::info(format!("profile {name} is ready")))
                    .await;
            }
            Err(error) => self.notice(Notice::error(error)).await,
        }
    }

    /// Ends every agent of the session and waits for them, then every job that their commands left behind.
    async fn close(&self, outcome: TurnOutcome) {
        self.session.rest_goal(LEFT).await;
        for mailbox in self.session.tree.mailboxes() {
            let _ = mailbox.send(Input::Left(outcome.clone())).await;
        }
        self.session.cancel.cancel();
        self.session.tasks.close();
        if tokio::time::timeout(CLOSE_WITHIN, self.session.tasks.wait())
            .await
            .is_err()
        {
            tracing::warn!("agents did not end in time");
        }
        table::stop_all(&self.session.id).await;
        let id = self.session.id.clone();
        // Nothing runs in it any more.
        let _ = tokio::task::spawn_blocking(move || tmp::forget(&id)).await;
    }
}

/// Cancels an agent's turn and those of all below it, and with the main agent's what the person runs. An agent that
/// has ended has nothing to cancel.
pub(super) async fn cancel(session: &Session, agent: &AgentId) {
    if agent.is_main() {
        session.stop_person_commands();
    }
    let below = session.tree.below(agent).into_iter().map(|node| node.id);
    for id in std::iter::once(agent.clone()).chain(below) {
        if !session.tree.stop(&id)
            && let Some(mailbox) = session.tree.mailbox(&id)
        {
            let _ = mailbox.send(Input::Cancelled).await;
        }
    }
}

/// Work on profiles: it reads the disk and may wait for the program that prints a key.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, String> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => Err(error.to_string()),
    }
}

/// The first line's words, cut to `most` characters.
pub(super) fn one_line(text: &str, most: usize) -> String {
    let line = text
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .unwrap_or_default();
    let mut words: String = line.chars().take(most).collect();
    if line.chars().nth(most).is_some() {
        words.push('…');
    }
    words
}
