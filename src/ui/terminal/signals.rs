//! Signals that end us or wake us up again. They arrive in the loop, so the terminal is given back as at any end.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// What a signal says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// End, with this exit code.
    End(i32),
    /// We were stopped and go on.
    Continued,
}

/// Signals that the loop waits for.
#[derive(Debug)]
pub struct Signals {
    terminate: Signal,
    hang_up: Signal,
    interrupt: Signal,
    resume: Signal,
}

impl Signals {
    /// Listens from now on.
    pub fn new() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
            interrupt: signal(SignalKind::interrupt())?,
            resume: signal(SignalKind::from_raw(libc::SIGCONT))?,
        })
    }

    /// Waits for one.
    pub async fn next(&mut self) -> Told {
        tokio::select! {
            _ = self.terminate.recv() => Told::End(128 + libc::SIGTERM),
            _ = self.hang_up.recv() => Told::End(128 + libc::SIGHUP),
            _ = self.interrupt.recv() => Told::End(128 + libc::SIGINT),
            _ = self.resume.recv() => Told::Continued,
        }
    }
}

/// Stops the program as the shell's job control does; returns when it goes on.
pub fn stop() -> io::Result<()> {
    use rustix::process::{Signal, getpid, kill_process};

    kill_process(getpid(), Signal::TSTP)?;
    Ok(())
}
