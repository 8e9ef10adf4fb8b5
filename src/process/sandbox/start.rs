//! Starting the helper and hearing whether the command runs.

use std::{
    io::{self, Read as _, Write as _},
    net::Shutdown,
    os::{
        fd::OwnedFd,
        unix::{net::UnixStream, process::CommandExt as _},
    },
    path::Path,
    process::{Child, Stdio},
    time::Duration,
};

use super::order::{Order, SUBCOMMAND};

/// The longest that setting a sandbox up may take.
const SETTING_UP: Duration = Duration::from_secs(10);

/// Starts the helper, in a group of its own, and waits until the command runs. The error says why it does not.
#[expect(clippy::disallowed_types, reason = "this folder starts the children")]
pub(crate) fn start_inside(
    program: &Path,
    order: &Order,
    within: Option<Duration>,
) -> io::Result<Child> {
    let (mut near, far) = UnixStream::pair()?;
    near.set_read_timeout(Some(within.unwrap_or(SETTING_UP)))?;
    let mut child = std::process::Command::new(program)
        .arg(SUBCOMMAND)
        .stdin(Stdio::from(OwnedFd::from(far)))
        .process_group(0)
        .spawn()?;
    match talk(&mut near, order) {
        Ok(()) => Ok(child),
        Err(error) => {
            // Nothing of it may be left: it would run what was given up.
            let _ = child.kill();
            let _ = child.wait();
            Err(error)
        }
    }
}

fn talk(near: &mut UnixStream, order: &Order) -> io::Result<()> {
    let order = serde_json::to_vec(order)?;
    near.write_all(&order)?;
    near.shutdown(Shutdown::Write)?;
    let mut answer = String::new();
    near.read_to_string(&mut answer).map_err(|error| {
        io::Error::other(format!("the sandbox was not set up in time: {error}"))
    })?;
    if answer.is_empty() {
        Ok(())
    } else {
        Err(io::Error::other(format!(
            "the sandbox was not set up: {answer}"
        )))
    }
}
