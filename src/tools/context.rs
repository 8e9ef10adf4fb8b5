//! What a running call has at hand.

use std::{path::PathBuf, sync::Arc, time::Duration};

use tokio_util::sync::CancellationToken;

use super::host::Host;
use crate::{
    domain::{
        access::{Access, Places, Resource},
        approval::{Confinement, Enclosure},
        ids::{AgentId, CallId, SessionId},
        media::MediaGate,
        permission::{Level, Network, OwnPlaces},
    },
    process::sandbox::{probe::Enforced, state::State, wanted::SandboxSettings},
    workspace::{freshness::Freshness, root::Roots},
};

/// Settings of the tools, from the configuration.
#[derive(Clone, Debug)]
pub struct ToolSettings {
    /// Default time limit of a shell command.
    pub shell_timeout: Duration,
    /// The longest time limit that a call may ask for.
    pub shell_timeout_max: Duration,
    /// Where running commands write their whole output.
    pub spool: PathBuf,
    /// Names of environment variables that hold our own keys: never given to a child.
    pub secret_variables: Vec<String>,
    /// The program's own places: searches leave them out.
    pub own: OwnPlaces,
    /// What holds commands.
    pub sandbox: SandboxSettings,
}

/// How far a call reaches: what its session and its agent allow, and what holds its commands to it.
#[derive(Clone, Debug)]
pub struct Reach {
    /// The level.
    pub level: Level,
    /// Where connections may go.
    pub network: Network,
    /// Whether only the roots and the system can be read.
    pub confine_reads: bool,
    /// What holds commands.
    pub sandbox: Arc<State>,
}

impl Reach {
    /// Whatever the person themselves may do.
    pub fn of_person() -> Self {
        Self {
            level: Level::Unrestricted,
            network: Network::All,
            confine_reads: false,
            sandbox: Arc::new(State::Off { tried: Vec::new() }),
        }
    }

    /// The sandbox that a command of the call runs in.
    pub fn enforced(&self) -> Option<&Enforced> {
        self.sandbox
            .enforced()
            .filter(|_| self.level < Level::Unrestricted)
    }
}

/// What a call has at hand. Cheap to clone.
#[derive(Clone)]
pub struct ToolContext {
    /// In which session.
    pub session: SessionId,
    /// Who calls.
    pub agent: AgentId,
    /// The call.
    pub call: CallId,
    /// Where relative paths start.
    pub cwd: PathBuf,
    /// Directories in which writing is possible; containment is judged by resolved path.
    pub roots: Arc<Roots>,
    /// How far the call reaches.
    pub reach: Reach,
    /// Where the paths of the call led when it was judged; nothing for a call that nobody judges.
    pub places: Option<Arc<Places>>,
    /// Which files this agent has read, and in what state.
    pub freshness: Arc<Freshness>,
    /// Settings.
    pub settings: Arc<ToolSettings>,
    /// What only the engine can do.
    pub host: Arc<dyn Host>,
    /// Which files the model gets.
    pub media: MediaGate,
    /// Whether the output goes to a scratchpad entry whole: what is cut only to be short enough need not be.
    pub keeps: bool,
    /// Ends the call.
    pub cancel: CancellationToken,
}

impl ToolContext {
    /// Files that look like secrets and that a rule of the configuration opens for this call, resolved.
    pub fn opened(&self) -> Vec<PathBuf> {
        let places = self.places.iter();
        places.flat_map(|places| places.opened()).cloned().collect()
    }

    /// What holds a call back: a sandbox, when it runs a command in one.
    pub fn confinement(&self, access: &Access) -> Confinement {
        let runs = access
            .resources
            .iter()
            .any(|resource| matches!(resource, Resource::Shell { .. }));
        let reach = &self.reach;
        let Some(enforced) = reach.enforced().filter(|_| runs) else {
            return Confinement::Nothing;
        };
        let writable = if reach.level >= Level::Workspace {
            let directories = self.roots.directories.iter();
            directories
                .chain(&self.settings.sandbox.writable)
                .map(|directory| directory.to_string_lossy().into_owned())
                .collect()
        } else {
            Vec::new()
        };
        Confinement::Sandbox(Enclosure {
            backend: enforced.backend.name().to_owned(),
            writable,
            network: enforced.network(reach.network),
            is_confined: reach.confine_reads,
            missing: enforced.missing().into_iter().map(str::to_owned).collect(),
        })
    }

    /// A path as the call names it, made absolute and lexically clean (no `.` and `..`), without touching the disk.
    pub fn absolute(&self, path: &str) -> PathBuf {
        crate::workspace::root::absolute(&self.cwd, path)
    }
}
