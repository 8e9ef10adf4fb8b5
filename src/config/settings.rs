//! The settings as everyone uses them: typed, complete, checked.
//!
//! Defaults live in the `Default` impls here; `catalogue` lists every key with the same defaults as text, and a
//! test holds the two together.

use std::collections::BTreeMap;

use super::{
    accounts::Account,
    profiles::{PRACTICE, Profile},
};
use crate::domain::{
    declared::DeclaredTool,
    hook::Hook,
    permission::{Level, Mode, Network, Rule},
    window::Compacting,
};

/// Every setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The profile that a new session uses; empty until one is chosen.
    pub default_profile: String,
    /// Endpoints by name.
    pub accounts: BTreeMap<String, Account>,
    /// Language models by name; `practice` is always there.
    pub profiles: BTreeMap<String, Profile>,
    /// What may happen.
    pub permissions: Permissions,
    /// What the kernel lets commands do.
    pub sandbox: Sandbox,
    /// How the workbench looks and feels.
    pub ui: Ui,
    /// Tools.
    pub tools: Tools,
    /// Programs that are told of what agents do.
    pub hooks: Vec<Hook>,
    /// Sub-agents.
    pub agents: Agents,
    /// The context window.
    pub context: Context,
}

/// What may happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permissions {
    /// Reach.
    pub level: Level,
    /// When to ask.
    pub mode: Mode,
    /// Whether anything is asked; if not, what would be is refused.
    pub approvals: bool,
    /// Where connections may go.
    pub network: Network,
    /// Whether only the workspace and the system's directories can be read.
    pub confine_reads: bool,
    /// Rules, in the order of the files.
    pub rules: Vec<Rule>,
}

/// What the kernel lets commands do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sandbox {
    /// What holds them.
    pub backend: String,
    /// Directories outside the workspace that they may write as well.
    pub writable: Vec<String>,
}

/// How the workbench looks and feels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ui {
    /// Name of the theme; `auto` asks the terminal for light or dark.
    pub theme: String,
    /// Name of the keymap.
    pub keymap: String,
    /// Whether the mouse is used.
    pub mouse: bool,
    /// Whether addresses in replies are links of the terminal.
    pub links: bool,
}

/// Tools.
#[derive(Clone, Debug, PartialEq)]
pub struct Tools {
    /// Time limit of a shell command that names none, in milliseconds.
    pub shell_timeout_ms: u64,
    /// The longest time limit that a call may name.
    pub shell_timeout_max_ms: u64,
    /// Lists of tools, of which each lets only those through that it names; without a list all are.
    pub allowed: Vec<Vec<String>>,
    /// Tools that are not offered.
    pub disabled: Vec<String>,
    /// Tools that need another level than their own.
    pub levels: BTreeMap<String, Level>,
    /// Tools that the configuration adds.
    pub declared: Vec<DeclaredTool>,
}

/// Sub-agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agents {
    /// How deep agents may start agents.
    pub max_depth: u64,
    /// How many of a session run at once; the rest wait.
    pub max_running: u64,
}

/// The context window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// Share of the window, in percent, at which something must go.
    pub ceiling_percent: u8,
    /// What happens there.
    pub compaction: Compacting,
    /// Whether the agent writes the summary itself.
    pub checkpoint: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            default_profile: String::new(),
            accounts: BTreeMap::from([(PRACTICE.to_owned(), Account::practice())]),
            profiles: BTreeMap::from([(PRACTICE.to_owned(), Profile::practice())]),
            permissions: Permissions::default(),
            sandbox: Sandbox::default(),
            ui: Ui::default(),
            tools: Tools::default(),
            hooks: Vec::new(),
            agents: Agents {
                max_depth: 3,
                max_running: 4,
            },
            context: Context {
                ceiling_percent: 85,
                compaction: Compacting::Auto,
                checkpoint: true,
            },
        }
    }
}

impl Default for Permissions {
    fn default() -> Self {
        Self {
            level: Level::Workspace,
            mode: Mode::Adaptive,
            approvals: true,
            network: Network::All,
            confine_reads: false,
            rules: Vec::new(),
        }
    }
}

impl Default for Sandbox {
    fn default() -> Self {
        Self {
            backend: "auto".to_owned(),
            writable: Vec::new(),
        }
    }
}

impl Default for Ui {
    fn default() -> Self {
        Self {
            theme: "auto".to_owned(),
            keymap: "default".to_owned(),
            mouse: true,
            links: true,
        }
    }
}

impl Default for Tools {
    fn default() -> Self {
        Self {
            shell_timeout_ms: 120_000,
            shell_timeout_max_ms: 600_000,
            allowed: Vec::new(),
            disabled: Vec::new(),
            levels: BTreeMap::new(),
            declared: Vec::new(),
        }
    }
}
