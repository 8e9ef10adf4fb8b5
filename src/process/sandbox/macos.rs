//! The launcher on macOS: it reads its order and becomes the system's own `sandbox-exec`, which puts the policy on itself
//! and then becomes the command.

use std::{
    io::{self, Read as _, Write as _},
    os::{
        fd::AsFd as _,
        unix::{net::UnixStream, process::CommandExt as _},
    },
    process::ExitCode,
};

use super::{
    backend::Backend,
    handover::{self, Mark},
    order::{Act, Order, SUBCOMMAND},
    probe::attempt::{self, Attempts},
    seatbelt::Profile,
};
use crate::process::{network::proxy::ProxyAddress, terminal::pair};

/// Where the system has it. The search path is not asked: it may hold directories that a command can write.
const PROGRAM: &str = "/usr/bin/sandbox-exec";

/// Runs as helper. `main` calls this first of all when the first argument is its hidden name.
pub fn main() -> ExitCode {
    if let Some(attempts) = std::env::args().nth(2) {
        return probe(&attempts);
    }
    let Ok(mut line) = take_line() else {
        return ExitCode::FAILURE;
    };
    let error = match receive(&mut line) {
        Ok(order) if order.policy.backend == Backend::Seatbelt => become_command(&order, &line),
        Ok(order) => format!("{} is no sandbox of macOS", order.policy.backend.name()),
        Err(error) => error.to_string(),
    };
    // Nobody may be listening any more.
    let _ = line.write_all(error.as_bytes());
    ExitCode::FAILURE
}

/// The line to who started us; the command gets an empty input in its place.
fn take_line() -> io::Result<UnixStream> {
    let line = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let nothing = std::fs::File::open("/dev/null")?;
    rustix::stdio::dup2_stdin(nothing)?;
    Ok(line)
}

fn receive(line: &mut UnixStream) -> io::Result<Order> {
    let mut order = Vec::new();
    line.read_to_end(&mut order)?;
    Ok(serde_json::from_slice(&order)?)
}

/// Returns only when that fails.
#[expect(
    clippy::disallowed_types,
    reason = "the process replaces itself: no child is started"
)]
fn become_command(order: &Order, line: &UnixStream) -> String {
    if order.is_attended()
        && let Err(error) = take_terminal(line)
    {
        return format!("no terminal: {error}");
    }
    let port = order.proxy.as_ref().map(|proxy| proxy.port);
    let mut command = std::process::Command::new(PROGRAM);
    command
        .args(Profile::new(&order.policy, port).arguments())
        .envs(order.proxy.iter().flat_map(ProxyAddress::variables));
    match &order.act {
        Act::Run(program) => {
            let (inner, input) = match (program.command(), program.input()) {
                (Ok(inner), Ok(input)) => (inner, input),
                (Err(error), _) | (_, Err(error)) => return error.to_string(),
            };
            command
                .arg(inner.get_program())
                .args(inner.get_args())
                .stdin(input)
        }
        Act::Probe(attempts) => {
            let ready = (
                std::env::current_exe(),
                serde_json::to_string(&(attempts, port)),
            );
            let (Ok(ourselves), Ok(attempts)) = ready else {
                return "the probe cannot be started".to_owned();
            };
            command.arg(ourselves).arg(SUBCOMMAND).arg(attempts)
        }
    };
    format!("{PROGRAM}: {}", command.exec())
}

/// Makes the command's terminal, hands our end over to who started us, and makes the other one our own.
fn take_terminal(line: &UnixStream) -> io::Result<()> {
    let pair = pair::open()?;
    handover::send(line, Mark::Terminal, &pair.near)?;
    pair::take(&pair.far)
}

/// Inside: does the probe's work.
fn probe(attempts: &str) -> ExitCode {
    let Ok((attempts, port)) = serde_json::from_str::<(Attempts, Option<u16>)>(attempts) else {
        return ExitCode::FAILURE;
    };
    attempt::make(&attempts, port);
    ExitCode::SUCCESS
}
