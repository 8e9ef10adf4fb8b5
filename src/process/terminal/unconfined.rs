//! The process that becomes a command with a terminal where no sandbox holds it: this program again under a hidden name.
//!
//! As in a sandbox, what to run comes in on its standard input, a socket; what goes wrong before it runs goes out on it,
//! and nothing and the end mean that it runs.

use std::{
    fs::File,
    io::{self, Read as _, Write as _},
    os::{
        fd::{AsFd as _, OwnedFd},
        unix::{net::UnixStream, process::CommandExt as _},
    },
    path::Path,
    process::{Child, ExitCode},
};

use rustix::stdio::dup2_stdin;

use super::pair;
use crate::process::{
    program::Program,
    sandbox::{
        handover::{self, Mark},
        start::{Helper, start_helper},
    },
};

/// The hidden first argument.
pub const SUBCOMMAND: &str = "__terminal";

/// Starts a command with a terminal; answers our end of that.
pub(in crate::process) fn start(
    ourselves: &Path,
    program: &Program,
) -> io::Result<(Child, Option<OwnedFd>)> {
    let helper = Helper {
        subcommand: SUBCOMMAND,
        order: serde_json::to_vec(program)?,
        leads_itself: true,
        within: None,
    };
    let (child, handed) = start_helper(ourselves, &helper)?;
    Ok((child, handed.terminal))
}

/// Runs as that process. `main` calls this first of all when the first argument is its hidden name.
pub fn main() -> ExitCode {
    let Ok(mut line) = take_line() else {
        return ExitCode::FAILURE;
    };
    let error = become_command(&mut line);
    // Nobody may be listening any more.
    let _ = line.write_all(error.to_string().as_bytes());
    ExitCode::FAILURE
}

fn take_line() -> io::Result<UnixStream> {
    let line = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    dup2_stdin(File::open("/dev/null")?)?;
    Ok(line)
}

/// Returns only when that fails.
fn become_command(line: &mut UnixStream) -> io::Error {
    let ready = receive(line).and_then(|program| {
        let pair = pair::open()?;
        handover::send(&*line, Mark::Terminal, &pair.near)?;
        pair::take(&pair.far)?;
        program.command()
    });
    match ready {
        Ok(mut command) => command.exec(),
        Err(error) => error,
    }
}

fn receive(line: &mut UnixStream) -> io::Result<Program> {
    let mut order = Vec::new();
    line.read_to_end(&mut order)?;
    Ok(serde_json::from_slice(&order)?)
}
