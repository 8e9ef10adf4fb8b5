//! What an engine is started with. Everything that could differ between a test and a real start comes from here.

use std::{path::PathBuf, sync::Arc};

use super::{event::ProfileOffer, session::permissions::Configured};
use crate::{
    domain::{
        configured::seen::{Altered, Asking, Seen},
        ids::SessionId,
        model_info::ModelInfo,
        notice::Notice,
        permission::{Level, Mode, Network, PermissionSettings, Rule},
        window::Compacting,
    },
    providers::{contract::Provider, error::ProviderError},
    store::StoreHandle,
    tools::context::ToolSettings,
};

/// Which session to open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opening {
    /// A new one.
    New,
    /// The latest of this folder; a new one when there is none.
    Latest,
    /// This one.
    Resume(SessionId),
}

/// What a person gives for a new profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewProfile {
    /// Its name.
    pub name: String,
    /// Base URL of the endpoint.
    pub base_url: String,
    /// The model's name.
    pub model_id: String,
    /// Environment variable that holds the key.
    pub api_key_env: Option<String>,
}

/// A language model ready to be asked.
#[derive(Clone)]
pub struct OpenedProfile {
    /// The wire with its account.
    pub provider: Arc<dyn Provider>,
    /// What is known of the model.
    pub model: ModelInfo,
}

/// The profiles of the configuration.
pub trait Profiles: Send + Sync {
    /// Name and model of each, in the order to show them.
    fn list(&self) -> Vec<(String, String)>;
    /// Makes one ready.
    fn open(&self, name: &str) -> Result<OpenedProfile, ProviderError>;
    /// Adds one to the user's configuration. The error says what to do.
    fn add(&self, profile: &NewProfile) -> Result<(), String>;
    /// Reads the configuration again, with the folder's own only when it is trusted, and puts it into the options.
    /// Blocks on the disk. Without one there is nothing to read.
    fn configure(&self, _options: &mut EngineOptions, _trusted: bool) -> Result<Reading, NotRead> {
        Ok(Reading::default())
    }
    /// Looks whether the files of a trusted folder are still those that the person trusted. Where they are not, the
    /// options get the configuration without them, and what to ask is returned. Blocks on the disk.
    fn look_again(&self, _options: &mut EngineOptions) -> Result<Option<Asking>, String> {
        Ok(None)
    }
}

/// What came of reading the configuration again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// What the person should know of it.
    pub notices: Vec<Notice>,
    /// The folder's own files that it was read from.
    pub seen: Seen,
}

/// Why the configuration was not read again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotRead {
    /// Something is wrong with it.
    Wrong(String),
    /// The folder's own files are not those that the person was asked about.
    Altered(Vec<Altered>),
}

/// Permission settings at the start. A resumed session keeps its own where they are narrower, but for what is
/// `asked`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartPermissions {
    /// Reach.
    pub level: Level,
    /// When to ask.
    pub mode: Mode,
    /// Whether calls above the level are asked.
    pub approvals: bool,
    /// Where connections may go.
    pub network: Network,
    /// Whether only the workspace and the system's directories can be read.
    pub confine_reads: bool,
    /// Rules of the configuration.
    pub rules: Vec<Rule>,
    /// What the person asked for with this start, over whatever the session held.
    pub asked: Asked,
}

impl StartPermissions {
    /// Takes the place of `before` in a running session: rules and level as they now are, the rest only where it
    /// became narrower, since the person may have chosen it.
    pub fn replace(&self, before: &Self, settings: &mut PermissionSettings, trusted: bool) {
        settings.level = if trusted {
            self.level
        } else {
            self.level.min(Level::Read)
        };
        if self.mode < before.mode {
            settings.mode = settings.mode.min(self.mode);
        }
        if self.network < before.network {
            settings.network = settings.network.min(self.network);
        }
        settings.approvals &= self.approvals || !before.approvals;
        settings.confine_reads = self.confine_reads;
        settings.rules.clone_from(&self.rules);
    }
}

/// Settings that the command line names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Reach.
    pub level: Option<Level>,
    /// When to ask.
    pub mode: Option<Mode>,
    /// Whether calls above the level are asked.
    pub approvals: Option<bool>,
    /// Where connections may go.
    pub network: Option<Network>,
}

/// Bounds of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// How deep sub-agents may nest; 0 means none at all.
    pub agent_depth: usize,
    /// Sub-agents that run at the same time.
    pub agents_running: usize,
    /// Share of the window, in percent, at which something must go.
    pub ceiling_percent: u8,
    /// What happens there.
    pub compacting: Compacting,
    /// Whether the agent writes the summary itself.
    pub checkpoint: bool,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            agent_depth: 3,
            agents_running: 4,
            ceiling_percent: 85,
            compacting: Compacting::Auto,
            checkpoint: true,
        }
    }
}

/// What an engine is started with.
#[derive(Clone)]
pub struct EngineOptions {
    /// The folder to work in, canonical.
    pub cwd: PathBuf,
    /// The store.
    pub store: StoreHandle,
    /// Which session to open.
    pub opening: Opening,
    /// The profiles.
    pub profiles: Arc<dyn Profiles>,
    /// The profile to use; `None` takes that of a resumed session.
    pub profile: Option<String>,
    /// The profile to use when nothing else names one.
    pub default_profile: String,
    /// Permission settings.
    pub permissions: StartPermissions,
    /// Bounds.
    pub bounds: Bounds,
    /// Settings of the tools.
    pub tools: ToolSettings,
    /// What the configuration says of tools, agents and hooks.
    pub configured: Configured,
    /// Whether the folder is trusted; `None` when the person has not been asked.
    pub trusted: Option<bool>,
    /// What the question about the folder says.
    pub asking: Asking,
    /// The folder's own files as they were when the configuration was read.
    pub seen: Seen,
    /// What was found for a first profile.
    pub offers: Vec<ProfileOffer>,
    /// What the person should know from the start.
    pub notices: Vec<Notice>,
}
