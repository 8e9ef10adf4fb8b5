//! The head of an agent's requests, and the notes in front of the person's words.

use std::{sync::Arc, time::Duration};

use super::{call::Caller, driver::Driver};
use crate::{
    domain::{notice::Notice, record::Record, tool::ToolSpec, window::ContextGauge},
    engine::{
        event::{EventKind, Fetched},
        prompt::{
            environment::{self, Environment},
            system,
        },
        session::state::Session,
        toolset,
        window::breakdown,
    },
    text::tokens,
};

/// How long reading the project's instructions may hold up the first request.
const READ_WITHIN: Duration = Duration::from_secs(5);

/// What stands in front of the conversation; made once, so that it stays byte-identical.
pub struct Prompting {
    system: Arc<str>,
    specs: Option<Arc<[ToolSpec]>>,
    system_tokens: u64,
    tool_tokens: u64,
    told: Option<Environment>,
}

impl Prompting {
    /// The head for the main agent or a sub-agent.
    pub fn new(is_main: bool) -> Self {
        let system = system::prompt(is_main);
        Self {
            system_tokens: tokens::estimate(&system) as u64,
            system: system.into(),
            specs: None,
            tool_tokens: 0,
            told: None,
        }
    }

    /// The system prompt.
    pub fn system(&self) -> Arc<str> {
        Arc::clone(&self.system)
    }

    /// What the agent was told of its surroundings is gone: it is told all of it again.
    pub fn forget(&mut self) {
        self.told = None;
    }

    /// What stands in front of the conversation, in tokens, estimated.
    pub fn overhead(&self) -> u64 {
        self.system_tokens + self.tool_tokens
    }

    /// Other tools are on offer from now on.
    pub fn tools_changed(&mut self) {
        self.specs = None;
    }

    /// The tools on offer.
    pub fn specs(&mut self, caller: &Caller) -> Arc<[ToolSpec]> {
        let tool_tokens = &mut self.tool_tokens;
        let specs = self.specs.get_or_insert_with(|| {
            let specs: Arc<[ToolSpec]> = toolset::specs(&caller.tools).into();
            *tool_tokens = specs.iter().map(breakdown::spec_tokens).sum();
            specs
        });
        Arc::clone(specs)
    }
}

/// What the person is told of instructions that are too long.
const CUT: &str = "AGENTS.md is longer than 32 KiB: the agent was given its beginning only";
const CUT_HINT: &str = "put what matters first, or into files that it names";

/// The project's instructions; the person is told when they cannot be read.
async fn instructions(session: &Session) -> Option<String> {
    let (cwd, own) = (session.cwd.clone(), session.tools.own.clone());
    let read = tokio::task::spawn_blocking(move || environment::instructions(&cwd, &own));
    let why = match tokio::time::timeout(READ_WITHIN, read).await {
        Ok(Ok(Ok(Some(read)))) => {
            if read.is_cut {
                session
                    .tell_notice(Notice::warning(CUT).with_hint(CUT_HINT))
                    .await;
            }
            return Some(read.text);
        }
        Ok(Ok(Ok(None))) => return None,
        Ok(Ok(Err(error))) => error,
        Ok(Err(error)) => error.to_string(),
        Err(_) => "the disk does not answer".to_owned(),
    };
    let text = format!("AGENTS.md was left out: {why}");
    session.tell_notice(Notice::warning(text)).await;
    None
}

impl Driver {
    /// Tells the model of its surroundings: all of them once, later what changed.
    pub(super) async fn note_environment(&mut self) {
        let session = Arc::clone(self.session());
        let settings = session.permissions.settings();
        let now = Environment {
            cwd: session.cwd.display().to_string(),
            level: settings.level.min(self.caller.cap),
            network: settings.network.min(self.caller.network),
            mode: settings.mode,
            date: jiff::Zoned::now().date().to_string(),
        };
        let text = match &self.prompt.told {
            Some(earlier) => now.difference(earlier),
            None => {
                let instructions = if session.is_trusted() {
                    instructions(&session).await
                } else {
                    None
                };
                Some(now.note(instructions.as_deref()))
            }
        };
        self.prompt.told = Some(now);
        if let Some(text) = text {
            let _ = self.keep(Record::ContextNote { text }).await;
        }
    }

    /// Tells what stands in the window, the largest first.
    pub(super) async fn tell_window(&mut self) {
        let caller = self.caller.clone();
        let specs = self.prompt.specs(&caller);
        let items = breakdown::breakdown(&self.prompt.system, &specs, &self.window.conversation);
        self.tell(EventKind::Fetched(Fetched::Window(items))).await;
    }

    /// How full the window is.
    pub(super) fn gauge(&mut self) -> ContextGauge {
        let caller = self.caller.clone();
        self.prompt.specs(&caller);
        self.window.conversation.budget.gauge(
            &caller.session.profile().model,
            caller.session.bounds.ceiling_percent,
            self.prompt.system_tokens,
            self.prompt.tool_tokens,
        )
    }

    /// What stands in front of the conversation, in tokens.
    pub(super) fn overhead(&self) -> u64 {
        self.prompt.overhead()
    }

    /// Tells how full the window is.
    pub(super) async fn tell_gauge(&mut self) {
        let session = Arc::clone(self.session());
        let gauge = self.gauge();
        session
            .tree
            .with(&self.caller.agent, |agent| agent.gauge = gauge);
        self.tell(EventKind::Context(gauge)).await;
    }
}
