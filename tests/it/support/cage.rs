//! A workspace whose commands run in a real sandbox, with a world around it that they must not reach.

use std::{
    fs,
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use quarterdeck::{
    domain::{
        ids::SessionId,
        permission::{Level, Network, OwnPlaces},
    },
    process::{
        sandbox::{
            backend::{Backend, Choice},
            state::{self, State},
            tmp,
            wanted::SandboxSettings,
        },
        supervisor,
    },
    tools::context::{Reach, ToolSettings},
    workspace::root::Roots,
};
use serde_json::json;
use tempfile::TempDir;

use super::host::Workbench;

/// Only a guard against hanging: nothing waits for it to pass.
const GUARD: Duration = Duration::from_mins(1);

/// A workspace and what is around it.
pub(crate) struct Cage {
    world: TempDir,
    bench: Workbench,
}

impl Cage {
    /// At level `workspace` with a network. The world lies beside the build's own files, since `/tmp` is private.
    pub(crate) fn new(backend: Backend) -> Self {
        Self::within(Path::new(env!("CARGO_TARGET_TMPDIR")), backend)
    }

    /// The same in a world that lies in a directory for temporary files.
    pub(crate) fn in_tmp(backend: Backend) -> Self {
        Self::within(Path::new("/tmp"), backend)
    }

    fn within(place: &Path, backend: Backend) -> Self {
        supervisor::use_program(env!("CARGO_BIN_EXE_qd"));
        let world = tempfile::tempdir_in(place).unwrap();
        let top = world.path().canonicalize().unwrap();
        for directory in ["work", "outside", "own", "spool"] {
            fs::create_dir(top.join(directory)).unwrap();
        }
        let mut bench = Workbench::new();
        let work = top.join("work");
        bench.path.clone_from(&work);
        let context = &mut bench.context;
        context.session = SessionId::new(top.display().to_string());
        context.cwd.clone_from(&work);
        context.roots = Arc::new(Roots {
            directories: vec![work],
        });
        context.settings = Arc::new(ToolSettings {
            shell_timeout: GUARD,
            shell_timeout_max: GUARD,
            spool: top.join("spool"),
            secret_variables: Vec::new(),
            own: OwnPlaces {
                closed: vec![top.join("own")],
                open: Vec::new(),
            },
            sandbox: SandboxSettings {
                choice: Choice::Only(backend),
                writable: Vec::new(),
                reachable: Vec::new(),
            },
        });
        context.reach = Reach {
            level: Level::Workspace,
            network: Network::All,
            confine_reads: false,
            sandbox: found(backend, &top.join("spool")),
        };
        Self { world, bench }
    }

    /// The same at another level.
    pub(crate) fn at(mut self, level: Level) -> Self {
        self.bench.context.reach.level = level;
        self
    }

    /// The same with another network.
    pub(crate) fn with_network(mut self, network: Network) -> Self {
        self.bench.context.reach.network = network;
        self
    }

    /// The same with a local address that the network `remote` reaches.
    pub(crate) fn with_reachable(mut self, address: SocketAddr) -> Self {
        let settings = Arc::make_mut(&mut self.bench.context.settings);
        settings.sandbox.reachable.push(address);
        self
    }

    /// The same with reading confined.
    pub(crate) fn confined(mut self) -> Self {
        self.bench.context.reach.confine_reads = true;
        self
    }

    /// The same, held by something else.
    pub(crate) fn held_by(mut self, state: State) -> Self {
        self.bench.context.reach.sandbox = Arc::new(state);
        self
    }

    /// What holds the commands.
    pub(crate) fn state(&self) -> &State {
        &self.bench.context.reach.sandbox
    }

    /// A path in the world: `work/x`, `outside/x`, `own/x`.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.world.path().canonicalize().unwrap().join(name)
    }

    /// Puts a file into the world.
    pub(crate) fn put(&self, name: &str, text: &str) -> PathBuf {
        self.bench.put(self.path(name), text)
    }

    /// What a file of the world holds.
    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Runs a command as a model does; what it is answered.
    pub(crate) async fn run(&self, command: &str) -> String {
        self.bench
            .text("shell_execute", json!({ "command": command }))
            .await
    }

    /// The tools in the workspace.
    pub(crate) fn bench(&self) -> &Workbench {
        &self.bench
    }
}

impl Drop for Cage {
    fn drop(&mut self) {
        tmp::forget(&self.bench.context.session);
    }
}

/// What holds commands with a backend, found out once.
fn found(backend: Backend, place: &Path) -> Arc<State> {
    static FOUND: std::sync::Mutex<Vec<(Backend, Arc<State>)>> = std::sync::Mutex::new(Vec::new());
    let mut known = FOUND.lock().unwrap();
    if let Some((_, state)) = known.iter().find(|(known, _)| *known == backend) {
        return Arc::clone(state);
    }
    let state = Arc::new(state::find(Choice::Only(backend), place));
    known.push((backend, Arc::clone(&state)));
    state
}

/// Whether a program is installed.
pub(crate) fn has(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|directory| directory.join(program).is_file())
}

/// The backends that work on this machine.
pub(crate) fn backends() -> Vec<Backend> {
    let works = |backend: &Backend| Cage::new(*backend).state().enforced().is_some();
    Backend::ALL.iter().copied().filter(works).collect()
}
