//! Where the text of a viewer comes from, and how it follows what is still coming.

use std::sync::Arc;

use super::{viewer::State, viewer_rows::Lines};
use crate::{
    domain::ids::{AgentId, ArtifactId, CallId},
    engine::{
        command::{Command, Fetch},
        event::{Delta, Event, EventKind, Fetched},
    },
    text::{
        sanitize::clean,
        width::{TAB_STOP, expand_tabs},
    },
    ui::{
        Effect,
        panes::{context_gauge, conversation},
        reports,
        rows::Row,
    },
};

/// Where the text comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Text that is here.
    Text(Arc<str>),
    /// Lines that are here, in their looks.
    Rows(Arc<[Row]>),
    /// A stored output; fetched.
    Artifact(ArtifactId),
    /// A scratchpad entry; fetched.
    Scratchpad(AgentId, String),
    /// What stands in an agent's window; fetched.
    Window(AgentId),
    /// The tools, and why some are not offered; fetched.
    Tools,
    /// The output of a call that runs: followed, and when the call ends its whole output takes the place.
    Running(AgentId, CallId),
}

fn split(text: &str) -> Lines {
    let lines: Vec<String> = clean(text)
        .lines()
        .map(|line| expand_tabs(line, 0, TAB_STOP).into_owned())
        .collect();
    lines.into()
}

impl State {
    /// Takes the text that is here, or asks for it.
    pub(super) fn fill(&mut self, conversation: &conversation::State) -> Vec<Effect> {
        let fetch = match &self.source {
            Source::Text(text) => {
                self.lines = Some(split(text));
                return Vec::new();
            }
            Source::Rows(rows) => {
                let lines: Vec<String> = rows.iter().map(Row::text).collect();
                self.lines = Some(lines.into());
                return Vec::new();
            }
            Source::Running(agent, call) => {
                let (agent, call) = (agent.clone(), call.clone());
                return self.follow(conversation, &agent, &call);
            }
            Source::Artifact(id) => Fetch::Artifact(id.clone()),
            Source::Tools => Fetch::Tools,
            Source::Window(agent) => Fetch::Window(agent.clone()),
            Source::Scratchpad(agent, name) => Fetch::Scratchpad {
                agent: agent.clone(),
                name: name.clone(),
            },
        };
        vec![Effect::Send(Command::Fetch(fetch))]
    }

    /// Follows the engine.
    pub(super) fn apply(
        &mut self,
        event: &Event,
        conversation: &conversation::State,
    ) -> Vec<Effect> {
        match (&event.kind, &self.source) {
            (EventKind::Fetched(Fetched::Artifact { id, text }), Source::Artifact(wanted))
                if id == wanted =>
            {
                match text {
                    Ok(text) => self.lines = Some(split(text)),
                    Err(error) => self.failed = Some(error.clone()),
                }
            }
            (
                EventKind::Fetched(Fetched::Scratchpad { agent, name, entry }),
                Source::Scratchpad(wanted_agent, wanted),
            ) if agent == wanted_agent && name == wanted => match entry {
                Some(entry) => self.lines = Some(split(&entry.content)),
                None => self.failed = Some("the entry is gone".to_owned()),
            },
            (EventKind::Fetched(Fetched::Window(items)), Source::Window(agent))
                if event.agent == *agent =>
            {
                self.lines = Some(context_gauge::breakdown(items).into());
            }
            (EventKind::Fetched(Fetched::Tools(tools)), Source::Tools) => {
                self.lines = Some(split(&reports::tools(tools)));
            }
            (EventKind::Delta(Delta::Output { call, .. }), Source::Running(agent, wanted))
                if call == wanted && event.agent == *agent =>
            {
                let (agent, call) = (agent.clone(), wanted.clone());
                return self.follow(conversation, &agent, &call);
            }
            (EventKind::Recorded(_), Source::Running(agent, call)) => {
                let (agent, call) = (agent.clone(), call.clone());
                return self.follow(conversation, &agent, &call);
            }
            _ => {}
        }
        Vec::new()
    }

    /// Takes what has come of a running call; its whole output once it has ended.
    fn follow(
        &mut self,
        conversation: &conversation::State,
        agent: &AgentId,
        call: &CallId,
    ) -> Vec<Effect> {
        let Some(call) = conversation.call(agent, call) else {
            return Vec::new();
        };
        let dropped = call.dropped;
        if call.result.is_none() {
            self.lines = Some(split(&call.output));
            self.moved_up(dropped - self.dropped.min(dropped));
            self.dropped = dropped;
            return Vec::new();
        }
        // The whole begins with the first line, and what was read stays at the top.
        self.source = conversation::output(call);
        self.top.0 += self.dropped;
        self.found = None;
        self.dropped = 0;
        self.fill(conversation)
    }

    /// So many lines at the beginning are gone.
    fn moved_up(&mut self, lines: usize) {
        if lines == 0 {
            return;
        }
        self.top = match self.top.0.checked_sub(lines) {
            Some(line) => (line, self.top.1),
            None => (0, 0),
        };
        self.found = self
            .found
            .and_then(|(line, byte)| Some((line.checked_sub(lines)?, byte)));
    }
}
