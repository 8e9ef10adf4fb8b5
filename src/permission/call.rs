//! What is judged: a tool's name and what the call touches, with every path resolved.
//!
//! Containment is judged by the resolved path only; the path as named takes part in deny and ask rules, so
//! that a link cannot take a file out of a rule's reach.

use std::{
    iter,
    path::{Path, PathBuf},
};

use super::{
    floor::{self, Finding},
    shell::{Line, Proof},
    web,
};
use crate::domain::{
    access::{Access, Resource},
    permission::{Level, Risk},
};

/// One thing that a call touches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Reads or writes a path.
    Path {
        /// Whether it writes.
        writes: bool,
        /// The path as named by the call, absolute.
        named: PathBuf,
        /// The path after every link was followed.
        resolved: PathBuf,
        /// Whether the file looks like one that holds secrets.
        secret: bool,
    },
    /// Runs a command line.
    Shell {
        /// The command line.
        command: String,
        /// What it runs.
        line: Box<Line>,
    },
    /// Starts an agent.
    Agent {
        /// Its type.
        name: String,
    },
    /// Asks a server of the web.
    Url {
        /// The URL.
        url: String,
    },
}

/// A call that is ready to be judged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PreparedCall {
    /// The tool's own name.
    pub tool: String,
    /// Its other names: a rule under one of them means the tool.
    pub aliases: Vec<String>,
    /// The least level at which it may run.
    pub needs: Level,
    /// Its class.
    pub risk: Risk,
    /// What it touches.
    pub targets: Vec<Target>,
    /// Files that a command line which was proven to only look looks at.
    pub looks: Vec<Target>,
    /// What no answer allows.
    pub floor: Option<Finding>,
    /// Why a command line is not known to only look.
    pub unproven: Option<String>,
    /// Whether it only looks, in a folder that is trusted: what the folder's own configuration starts would run.
    pub needs_trust: bool,
    /// Whether a sandbox holds its commands to the workspace, secrets and what runs by itself left out.
    pub held: bool,
    /// Why no command runs here below level unrestricted, when that is so and it is one.
    pub refused: Option<String>,
    /// Whether it looks at more than `looks` says, such as through whole folders.
    pub looks_wide: bool,
    /// What makes it looking as soon as it is held.
    pub(super) once_held: Option<Looking>,
}

/// What a call does when it does no more than look.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Looking {
    looks: Vec<Target>,
    needs_trust: bool,
    is_wide: bool,
}

impl PreparedCall {
    /// Prepares a call. `resolve` follows the links of a path (of its deepest existing parent when it does
    /// not exist), taken from the working directory when it is relative, and says whether the file looks secret.
    pub fn new(
        tool: &str,
        aliases: &[&str],
        access: &Access,
        mut resolve: impl FnMut(&Path) -> (PathBuf, bool),
    ) -> Self {
        let mut path_target = |path: &PathBuf, writes| {
            let (resolved, secret) = resolve(path);
            Target::Path {
                writes,
                named: path.clone(),
                resolved,
                secret,
            }
        };
        let targets = access
            .resources
            .iter()
            .map(|resource| match resource {
                Resource::Read { path } => path_target(path, false),
                Resource::Write { path } => path_target(path, true),
                Resource::Shell { command } => Target::shell(command),
                Resource::Agent { name } => Target::Agent { name: name.clone() },
                Resource::Url { url } => Target::Url {
                    url: web::normal(url),
                },
            })
            .collect();
        let mut call = Self {
            tool: tool.to_owned(),
            aliases: aliases.iter().map(|&alias| alias.to_owned()).collect(),
            needs: access.level,
            risk: access.risk,
            targets,
            looks: Vec::new(),
            floor: None,
            unproven: None,
            needs_trust: false,
            held: false,
            refused: None,
            looks_wide: false,
            once_held: None,
        };
        call.understand(&mut resolve);
        call
    }

    /// Looks into command lines: at the floor, and at what only looks.
    fn understand(&mut self, resolve: &mut dyn FnMut(&Path) -> (PathBuf, bool)) {
        let lines = self.targets.iter().filter_map(|target| match target {
            Target::Shell { line, .. } => Some(&**line),
            _ => None,
        });
        let resolve = std::cell::RefCell::new(resolve);
        let is_secret = |path: &str| resolve.borrow_mut()(Path::new(path)).1;
        let mut proofs = Vec::new();
        for line in lines {
            self.floor = self.floor.take().or_else(|| floor::find(line, &is_secret));
            proofs.push(line.prove_readonly());
        }
        match proofs.into_iter().collect::<Result<Vec<Proof>, _>>() {
            Ok(proofs) if !proofs.is_empty() => {
                let mut looking = Looking {
                    needs_trust: proofs.iter().any(|proof| proof.runs_git),
                    is_wide: proofs.iter().any(|proof| proof.is_wide),
                    looks: Vec::new(),
                };
                let paths = proofs.into_iter().flat_map(|proof| proof.paths);
                looking.looks = paths
                    .map(|named| {
                        let (resolved, secret) = resolve.borrow_mut()(&named);
                        Target::Path {
                            writes: false,
                            named,
                            resolved,
                            secret,
                        }
                    })
                    .collect();
                if looking.is_wide {
                    let why =
                        "it looks through folders, and no sandbox is known to keep secrets from it";
                    self.unproven = Some(why.to_owned());
                    self.once_held = Some(looking);
                } else {
                    self.only_looks(looking);
                }
            }
            Ok(_) => {}
            Err(why) => self.unproven = Some(why),
        }
    }

    fn only_looks(&mut self, looking: Looking) {
        self.unproven = None;
        self.looks = looking.looks;
        self.looks_wide = looking.is_wide;
        // Until the folder is trusted, its configuration starts nothing; an untrusted one is at level read.
        self.needs_trust = looking.needs_trust;
        self.needs = if self.needs_trust {
            Level::Workspace
        } else {
            Level::Read
        };
        self.risk = Risk::ReadOnlyLocal;
    }

    /// Says what is around the call: whether a sandbox holds its commands, and whether the folder is trusted.
    pub fn surrounded(&mut self, held: bool, trusted: bool) {
        self.held = held;
        if held && let Some(looking) = self.once_held.take() {
            self.only_looks(looking);
        }
        if self.needs_trust && trusted {
            self.needs = Level::Read;
        }
    }

    /// Says why no command runs here below level unrestricted.
    pub fn refuse_commands(&mut self, why: Option<String>) {
        let is_line = |target: &Target| matches!(target, Target::Shell { .. });
        self.refused = why.filter(|_| self.targets.iter().any(is_line));
    }

    /// Whether a rule's action means this tool.
    pub(super) fn is_meant_by(&self, action: &str) -> bool {
        let mut names =
            iter::once(self.tool.as_str()).chain(self.aliases.iter().map(String::as_str));
        // Most rules name their tool plainly, and a configuration may hold many.
        if !action.contains(['*', '?', '\\']) {
            return names.any(|name| name == action);
        }
        let pattern = super::rule::Pattern::parse(action);
        names.any(|name| pattern.matches(name))
    }
}

impl Target {
    /// A command line.
    pub fn shell(command: &str) -> Self {
        Self::Shell {
            command: command.to_owned(),
            line: Box::new(Line::read(command)),
        }
    }

    /// Every text by which a deny or ask rule may name the target: a path as named and as resolved, absolute
    /// and relative to the roots; a command line whole and in its parts.
    pub(super) fn wide_subjects(&self, roots: &[PathBuf]) -> Vec<String> {
        match self {
            Self::Path {
                named, resolved, ..
            } => {
                let mut subjects = path_subjects(resolved, roots);
                for subject in path_subjects(named, roots) {
                    if !subjects.contains(&subject) {
                        subjects.push(subject);
                    }
                }
                subjects
            }
            Self::Shell { command, line } => {
                let mut subjects = vec![command.clone()];
                subjects.extend(line.subjects());
                subjects
            }
            Self::Agent { name } => vec![name.clone()],
            Self::Url { url } => web::wide(url),
        }
    }

    /// Every text by which an allow rule may name the target: only what it really is.
    pub(super) fn narrow_subjects(&self, roots: &[PathBuf]) -> Vec<String> {
        match self {
            Self::Path { resolved, .. } => path_subjects(resolved, roots),
            Self::Shell { command, .. } => vec![command.clone()],
            Self::Agent { name } => vec![name.clone()],
            Self::Url { url } => web::narrow(url),
        }
    }
}

fn path_subjects(path: &Path, roots: &[PathBuf]) -> Vec<String> {
    let mut subjects = vec![path.to_string_lossy().into_owned()];
    for root in roots {
        if let Ok(relative) = path.strip_prefix(root)
            && !relative.as_os_str().is_empty()
        {
            subjects.push(relative.to_string_lossy().into_owned());
        }
    }
    subjects
}
