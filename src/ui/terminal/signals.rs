//! Signals that end us, stop us or wake us up again. They arrive in the loop, so the terminal is given back as at any
//! end. A loop that waits in a write, since the terminal takes no output, does not hear them: then the terminal is given
//! back by force and the program ends all the same.

use std::{io, time::Duration};

use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    sync::mpsc,
};

use super::guard;

/// How long the loop may take to hear that it is to end.
const PATIENCE: Duration = Duration::from_millis(1_500);
/// How long the end itself may take.
const ENDING: Duration = Duration::from_secs(5);
/// So many signals may wait for the loop; what comes then says nothing new.
const WAITING: usize = 16;

/// What a signal says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// End, with this exit code.
    End(i32),
    /// Stop until we are told to go on.
    Stop,
    /// We were stopped and go on.
    Continued,
}

impl Told {
    /// Whether this is what a key of a terminal sends to everything in front: it is meant for the person's editor while
    /// that is open.
    pub fn is_by_key(self) -> bool {
        [libc::SIGINT, libc::SIGQUIT]
            .iter()
            .any(|signal| self == Self::End(128 + signal))
    }
}

/// Signals that the loop waits for.
#[derive(Debug)]
pub struct Signals {
    told: mpsc::Receiver<Told>,
}

/// The signals themselves.
struct Sources {
    terminate: Signal,
    hang_up: Signal,
    interrupt: Signal,
    quit: Signal,
    stop: Signal,
    resume: Signal,
}

impl Signals {
    /// Listens from now on.
    pub fn new() -> io::Result<Self> {
        let sources = Sources {
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
            interrupt: signal(SignalKind::interrupt())?,
            quit: signal(SignalKind::quit())?,
            stop: signal(SignalKind::from_raw(libc::SIGTSTP))?,
            resume: signal(SignalKind::from_raw(libc::SIGCONT))?,
        };
        let (teller, told) = mpsc::channel(WAITING);
        // The loop may be held up in a write, so another thread listens.
        tokio::spawn(sources.tell(teller));
        Ok(Self { told })
    }

    /// Waits for one.
    pub async fn next(&mut self) -> Told {
        match self.told.recv().await {
            Some(told) => told,
            None => std::future::pending().await,
        }
    }
}

impl Sources {
    async fn tell(mut self, teller: mpsc::Sender<Told>) {
        loop {
            let told = self.next().await;
            let _ = teller.try_send(told);
            if let Told::End(code) = told {
                tokio::spawn(insist(code, teller.clone()));
            }
        }
    }

    async fn next(&mut self) -> Told {
        tokio::select! {
            _ = self.terminate.recv() => Told::End(128 + libc::SIGTERM),
            _ = self.hang_up.recv() => Told::End(128 + libc::SIGHUP),
            _ = self.interrupt.recv() => Told::End(128 + libc::SIGINT),
            _ = self.quit.recv() => Told::End(128 + libc::SIGQUIT),
            _ = self.stop.recv() => Told::Stop,
            _ = self.resume.recv() => Told::Continued,
        }
    }
}

/// Ends the program when the loop does not hear that it is to end, or does not come to its end.
async fn insist(code: i32, teller: mpsc::Sender<Told>) {
    tokio::time::sleep(PATIENCE).await;
    let is_heard = teller.capacity() == teller.max_capacity();
    if is_heard {
        // What a key sent while the editor was open ended nothing.
        if Told::End(code).is_by_key() {
            return;
        }
        tokio::time::sleep(ENDING).await;
    }
    guard::restore_by_force();
    std::process::exit(code);
}

/// Stops the program as the shell's job control does; returns when it goes on. Says whether it was stopped: where no
/// shell waits for us, nobody could wake us up again.
pub fn stop() -> io::Result<bool> {
    if is_orphaned() {
        return Ok(false);
    }
    // Raised by this thread for itself: it does not run on before the stop.
    signal_hook::low_level::raise(libc::SIGSTOP)?;
    Ok(true)
}

/// Whether no process of our session watches over our process group.
fn is_orphaned() -> bool {
    use rustix::process::{getpgid, getpgrp, getppid, getsid};

    let ours = getpgrp();
    let Some(parent) = getppid() else {
        return true;
    };
    // A parent in the same group (a script) is watched over by whoever watches over the group.
    let watches = getpgid(Some(parent)).is_ok_and(|group| group != ours);
    let same_session = getsid(Some(parent)).ok() == getsid(None).ok();
    !same_session || (!watches && getsid(None).is_ok_and(|session| session == ours))
}
