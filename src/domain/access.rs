//! What a call touches, declared before it runs.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::permission::{Level, Risk, Rule};

/// One thing that a call touches.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Resource {
    /// Reads a file or directory (absolute path).
    Read {
        /// The path as named by the call, made absolute.
        path: PathBuf,
    },
    /// Creates, changes or deletes a file (absolute path).
    Write {
        /// The path as named by the call, made absolute.
        path: PathBuf,
    },
    /// Runs a shell command line.
    Shell {
        /// The command line.
        command: String,
    },
    /// Starts an agent of this type.
    Agent {
        /// The type's name.
        name: String,
    },
    /// Asks a server of the web.
    Url {
        /// The URL as parsers write it, or what the call says when it is none.
        url: String,
    },
}

impl Resource {
    /// The text that a rule's resource pattern is matched against.
    pub fn subject(&self) -> String {
        match self {
            Self::Read { path } | Self::Write { path } => path.to_string_lossy().into_owned(),
            Self::Shell { command } => command.clone(),
            Self::Agent { name } => name.clone(),
            Self::Url { url } => url.clone(),
        }
    }
}

/// Where the paths of a call led when it was judged. What runs opens these very places and follows no link again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// One for each path that the call touches.
    pub places: Vec<Place>,
    /// What decides about where the web redirects the call to.
    pub links: Links,
}

/// The rules and answers about addresses of the web that a call may be redirected to: those that are about its tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Links {
    /// Rules of the configuration.
    pub configured: Vec<Rule>,
    /// What the person has forbidden.
    pub refused: Vec<Rule>,
    /// What the documents of the agent and of those above it say; each lets through only what it allows.
    pub documents: Vec<Vec<Rule>>,
}

/// Where a path led.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The path as named by the call, made absolute.
    pub named: PathBuf,
    /// The path with every link followed.
    pub real: PathBuf,
    /// Whether it may be opened although it looks like a secret: a rule of the configuration names it.
    pub opened: bool,
}

impl Places {
    /// Where a path of the call led.
    pub fn of(&self, named: &Path) -> Option<&Place> {
        self.places.iter().find(|place| place.named == named)
    }

    /// Files that look like secrets and may be opened.
    pub fn opened(&self) -> impl Iterator<Item = &PathBuf> {
        let opened = self.places.iter().filter(|place| place.opened);
        opened.map(|place| &place.real)
    }
}

/// Everything that a prepared call touches and needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    /// What it touches; empty for tools that touch only the session itself.
    pub resources: Vec<Resource>,
    /// The least level at which it may run without being asked.
    pub level: Level,
    /// The class that modes look at.
    pub risk: Risk,
}

impl Access {
    /// A call that touches nothing outside the session.
    pub fn session_only() -> Self {
        Self {
            resources: Vec::new(),
            level: Level::None,
            risk: Risk::SessionOnly,
        }
    }

    /// A read of one path.
    pub fn read(path: PathBuf) -> Self {
        Self {
            resources: vec![Resource::Read { path }],
            level: Level::Read,
            risk: Risk::ReadOnlyLocal,
        }
    }

    /// A request to a server of the web.
    pub fn fetch(url: String) -> Self {
        Self {
            resources: vec![Resource::Url { url }],
            level: Level::Read,
            risk: Risk::ReadOnlyNetwork,
        }
    }

    /// A write of one path.
    pub fn write(path: PathBuf) -> Self {
        Self {
            resources: vec![Resource::Write { path }],
            level: Level::Workspace,
            risk: Risk::WorkspaceWrite,
        }
    }
}
