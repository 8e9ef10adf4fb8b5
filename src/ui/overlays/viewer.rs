//! A whole output with its own scroll, search and follow.

use std::sync::Arc;

use crate::{
    domain::ids::{AgentId, ArtifactId},
    engine::command::{Command, Fetch},
    ui::{Effect, Model, overlays::Overlay},
};

/// Where the text comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Text that is here.
    Text(Arc<str>),
    /// A stored output; fetched.
    Artifact(ArtifactId),
    /// A scratchpad entry; fetched.
    Scratchpad(AgentId, String),
}

/// What is shown and where.
#[derive(Debug)]
pub struct State {
    /// What it is: `shell_execute cargo test -q`.
    pub title: String,
    /// Where it comes from.
    pub source: Source,
}

/// Opens a viewer.
pub fn open(model: &mut Model, title: impl Into<String>, source: Source) -> Vec<Effect> {
    let fetch = match &source {
        Source::Text(_) => None,
        Source::Artifact(id) => Some(Fetch::Artifact(id.clone())),
        Source::Scratchpad(agent, name) => Some(Fetch::Scratchpad {
            agent: agent.clone(),
            name: name.clone(),
        }),
    };
    model.overlay = Some(Overlay::Viewer(State {
        title: title.into(),
        source,
    }));
    fetch
        .map(|fetch| Effect::Send(Command::Fetch(fetch)))
        .into_iter()
        .collect()
}
