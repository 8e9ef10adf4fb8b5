//! What a sandbox costs: the shell's `true`, with the preparation that each command has, in turn without and within.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use quarterdeck::{
    domain::{
        ids::{AgentId, SessionId},
        permission::{Level, Network, OwnPlaces},
    },
    process::{
        program::Program,
        sandbox::{
            backend::{Backend, Choice},
            state::{self, State},
            tmp,
            wanted::{self, Wanted},
        },
        spawn::{End, Owner, ShellCommand, run},
        supervisor,
    },
    workspace::secrets,
};
use tokio_util::sync::CancellationToken;

use super::figures::median;

const RUNS: usize = 40;

/// Prints a row.
pub(crate) fn print() {
    supervisor::use_program(env!("CARGO_BIN_EXE_qd"));
    let world = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let place = world.path().canonicalize().unwrap();
    let works =
        |backend: &Backend| matches!(state::find(Choice::Only(*backend), &place), State::On(_));
    let mut ways: Vec<(String, Option<(Backend, Network)>)> = vec![("none".to_owned(), None)];
    for backend in Backend::ALL.iter().copied().filter(works) {
        for network in [Network::All, Network::Remote] {
            let name = format!("{} {}", backend.name(), network.name());
            ways.push((name, Some((backend, network))));
        }
    }
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let mut times = vec![Vec::new(); ways.len()];
    for _ in 0..RUNS {
        for ((_, way), times) in ways.iter().zip(&mut times) {
            times.push(runtime.block_on(one(&place, *way)));
        }
    }
    tmp::forget(&session());
    for ((name, _), times) in ways.iter().zip(times) {
        let least = times.iter().min().copied().unwrap_or_default();
        println!(
            "| `true`, sandbox {name}: median / least (ms) | – | {} / {:.1} |",
            median(times),
            least.as_secs_f64() * 1000.0
        );
    }
}

fn session() -> SessionId {
    SessionId::new("bench")
}

async fn one(place: &Path, way: Option<(Backend, Network)>) -> Duration {
    let at = Instant::now();
    let roots = [place.to_owned()];
    let sandbox = way.map(|(backend, network)| {
        wanted::policy(&Wanted {
            backend,
            session: &session(),
            level: Level::Workspace,
            roots: &roots,
            writable: &[],
            own: &OwnPlaces::default(),
            secrets: secrets::stores(std::env::home_dir().as_deref(), &roots),
            network,
            reachable: &[],
            confine_reads: false,
            place,
        })
        .unwrap()
    });
    let command = ShellCommand {
        command: "true".to_owned(),
        program: Program::Line("true".to_owned()),
        cwd: place.to_owned(),
        timeout: Duration::from_secs(10),
        spool: place.to_owned(),
        own_keys: Vec::new(),
        owner: Owner {
            session: session(),
            agent: AgentId::main(),
        },
        sandbox,
    };
    let finished = run(&command, &CancellationToken::new(), &|_| {})
        .await
        .unwrap();
    assert_eq!(finished.end, End::Exited(0));
    at.elapsed()
}
