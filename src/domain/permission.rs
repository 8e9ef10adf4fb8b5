//! Levels, modes, rules, grants and verdicts: the vocabulary of permission.
//!
//! The judgement itself is `crate::permission`; what the kernel enforces is the sandbox.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::ids::AgentId;

/// Reach: the most that may happen without a person widening it.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// No tools at all, only words (and the session's own state).
    None,
    /// Reading.
    Read,
    /// Reading anywhere, writing inside the workspace roots.
    #[default]
    Workspace,
    /// Everything that the user account may do.
    Unrestricted,
}

/// When to ask about what no rule decides; the narrowest first.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Ask for everything but local reads.
    Strict,
    /// Ask for the first of a kind.
    #[default]
    Adaptive,
    /// Run what is left.
    Open,
}

/// Where connections on the agent's behalf may go.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Network {
    /// Nowhere.
    None,
    /// Not to this machine and not to private ranges.
    Remote,
    /// Anywhere.
    #[default]
    All,
}

/// The class of a call by what could go wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Risk {
    /// Touches only the session: checklist, scratchpad, questions.
    SessionOnly,
    /// Reads files of this machine.
    ReadOnlyLocal,
    /// Reads from the network.
    ReadOnlyNetwork,
    /// Changes files inside the workspace.
    WorkspaceWrite,
    /// Runs a program.
    #[default]
    Execution,
    /// Changes something outside this machine.
    ExternalSideEffect,
}

/// What a rule or the whole judgement says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Run it.
    Allow,
    /// Ask a person.
    Ask,
    /// Refuse it without asking.
    Deny,
}

/// How long and how widely a rule or grant holds. What an agent is allowed holds for it alone; what it is forbidden
/// holds for the agents below it as well.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Until the turn of this agent ends.
    Turn(AgentId),
    /// As long as this agent is there.
    Agent(AgentId),
    /// Until the session is closed for good.
    Session,
    /// Every session of this project.
    Project,
    /// Every session of this user.
    User,
}

/// One line of the rules: what is done to what, and the verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Tool name, perhaps with `*`.
    pub action: String,
    /// Pattern over the resource; `*` crosses `/`, and `git *` also matches `git`.
    #[serde(default = "any")]
    pub resource: String,
    /// What the rule says.
    pub verdict: Verdict,
}

fn any() -> String {
    "*".to_owned()
}

/// A rule that a person made by answering an approval.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// The rule.
    pub rule: Rule,
    /// How widely it holds.
    pub scope: Scope,
    /// When it ends, in milliseconds since 1970; without it, it holds as long as its scope.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_ms: Option<i64>,
    /// Whether it is about a kind of call: it counts in mode adaptive, while the sandbox holds a command and the
    /// workspace a change, and neither a rule nor a higher level makes more of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub kind: bool,
}

impl Grant {
    /// A grant that holds as long as the session.
    pub fn session(rule: Rule) -> Self {
        Self {
            rule,
            scope: Scope::Session,
            expires_ms: None,
            kind: false,
        }
    }

    /// A grant for a kind of call that holds as long as the session.
    pub fn kind(rule: Rule) -> Self {
        Self {
            kind: true,
            ..Self::session(rule)
        }
    }

    /// Whether it no longer holds.
    pub fn is_over(&self, now_ms: i64) -> bool {
        self.expires_ms.is_some_and(|expires| expires <= now_ms)
    }
}

/// One step of the judgement, kept to explain it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionStep {
    /// What was looked at: `floor`, `bounds`, `rule`, `grant`, `agent`, `level`, `mode`.
    pub stage: String,
    /// What it said, in words.
    pub says: String,
    /// Whether this step decided.
    pub decided: bool,
}

/// A judgement that was made, kept to look back at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedCall {
    /// The tool.
    pub tool: String,
    /// What the call touches first: a path, a command line.
    pub subject: String,
    /// How it was judged.
    pub judgement: Judgement,
    /// When, in milliseconds since 1970.
    pub at_ms: i64,
}

/// The outcome of judging a prepared call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judgement {
    /// What happens.
    pub verdict: Verdict,
    /// One sentence that says why, for the approval box or the refusal.
    pub reason: String,
    /// Every step up to the one that decided.
    pub path: Vec<DecisionStep>,
}

/// The settings that a judgement looks at; recorded on the session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PermissionSettings {
    /// Reach.
    pub level: Level,
    /// When to ask.
    pub mode: Mode,
    /// Whether anything is asked; if not, what would be is refused.
    pub approvals: bool,
    /// Where connections may go.
    pub network: Network,
    /// Whether below `unrestricted` only the roots and the system's directories can be read.
    #[serde(default)]
    pub confine_reads: bool,
    /// Rules of the configuration, in file order.
    pub rules: Vec<Rule>,
    /// Directories in which writing is possible at `workspace`, canonical.
    pub roots: Vec<PathBuf>,
    /// The program's own places: closed to every tool.
    #[serde(default)]
    pub own: OwnPlaces,
}

/// Where the program keeps its settings, keys, sessions and outputs, canonical. What lies there decides what agents
/// may do, so no tool reads or writes it, whatever rules, level and mode say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnPlaces {
    /// Directories.
    pub closed: Vec<PathBuf>,
    /// Directories below them that are like any other: themes, keymaps.
    pub open: Vec<PathBuf>,
}

impl OwnPlaces {
    /// Whether this resolved path lies in one of them.
    pub fn hold(&self, path: &Path) -> bool {
        let below = |places: &[PathBuf]| places.iter().any(|place| path.starts_with(place));
        below(&self.closed) && !below(&self.open)
    }
}

impl Scope {
    /// The name on screen.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Turn(_) => "turn",
            Self::Agent(_) => "agent",
            Self::Session => "session",
            Self::Project => "project",
            Self::User => "everywhere",
        }
    }

    /// The only agent that it is about.
    pub fn agent(&self) -> Option<&AgentId> {
        match self {
            Self::Turn(agent) | Self::Agent(agent) => Some(agent),
            Self::Session | Self::Project | Self::User => None,
        }
    }

    /// Whether it outlasts the session.
    pub fn lasts(&self) -> bool {
        matches!(self, Self::Project | Self::User)
    }

    /// How it holds, behind "you allowed it".
    pub fn words(&self) -> String {
        match self {
            Self::Turn(_) => "for this turn".to_owned(),
            Self::Agent(agent) => format!("for the agent {agent}"),
            Self::Session => "for this session".to_owned(),
            Self::Project => "for this project".to_owned(),
            Self::User => "everywhere".to_owned(),
        }
    }
}

impl Verdict {
    /// The name in configuration and on screen.
    pub fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

impl Level {
    /// The name in configuration and on screen.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Read => "read",
            Self::Workspace => "workspace",
            Self::Unrestricted => "unrestricted",
        }
    }
}

impl Mode {
    /// The name in configuration and on screen.
    pub fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Adaptive => "adaptive",
            Self::Open => "open",
        }
    }
}

impl Network {
    /// The name in configuration and on screen.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Remote => "remote",
            Self::All => "all",
        }
    }
}

impl Risk {
    /// The name on screen.
    pub fn name(self) -> &'static str {
        match self {
            Self::SessionOnly => "session-only",
            Self::ReadOnlyLocal => "read-only-local",
            Self::ReadOnlyNetwork => "read-only-network",
            Self::WorkspaceWrite => "workspace-write",
            Self::Execution => "execution",
            Self::ExternalSideEffect => "external-side-effect",
        }
    }
}
