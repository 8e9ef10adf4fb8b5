//! Jobs that commands left behind: listed, stoppable, ended with us.
//!
//! Each job has a task that keeps its supervisor's line open and reads its output away, so that a job is not
//! ended by printing. A job leaves the table when its last process has ended.

use std::{
    collections::BTreeMap,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
};

use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::{
    kill::{ProcessInfo, descendants},
    spawn::Pipes,
    tree::{ENDING, Tree},
};

/// A job that runs on although its command is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobInfo {
    /// Its number, never used twice.
    pub id: u32,
    /// Who ran the command.
    pub owner: String,
    /// The command that left it behind; untrusted.
    pub command: String,
    /// What runs, parents first; untrusted.
    pub processes: Vec<ProcessInfo>,
}

struct Job {
    owner: String,
    command: String,
    supervisor: i32,
    stop: CancellationToken,
    gone: CancellationToken,
}

static NEXT: AtomicU32 = AtomicU32::new(1);
static JOBS: Mutex<BTreeMap<u32, Job>> = Mutex::new(BTreeMap::new());

fn jobs() -> std::sync::MutexGuard<'static, BTreeMap<u32, Job>> {
    JOBS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Job {
    fn info(&self, id: u32) -> JobInfo {
        JobInfo {
            id,
            owner: self.owner.clone(),
            command: self.command.clone(),
            processes: descendants(self.supervisor),
        }
    }
}

/// The jobs that run, the oldest first.
pub fn list() -> Vec<JobInfo> {
    jobs().iter().map(|(id, job)| job.info(*id)).collect()
}

/// Ends a job and waits until it has ended. Returns whether there was one of that number.
pub async fn stop(id: u32) -> bool {
    let Some((stop, gone)) = jobs()
        .get(&id)
        .map(|job| (job.stop.clone(), job.gone.clone()))
    else {
        return false;
    };
    stop.cancel();
    gone.cancelled().await;
    true
}

/// Ends all jobs and waits until they have ended.
pub async fn stop_all() {
    let ids: Vec<u32> = jobs().keys().copied().collect();
    futures::future::join_all(ids.into_iter().map(stop)).await;
}

/// Takes over what a command by `(owner, command)` left behind.
pub(super) fn adopt((owner, command): (&str, &str), tree: Tree, pipes: Pipes) -> JobInfo {
    let id = NEXT.fetch_add(1, Ordering::Relaxed);
    let job = Job {
        owner: owner.to_owned(),
        command: command.to_owned(),
        supervisor: tree.supervisor(),
        stop: CancellationToken::new(),
        gone: CancellationToken::new(),
    };
    let info = job.info(id);
    let (stop, gone) = (job.stop.clone(), job.gone.clone());
    jobs().insert(id, job);
    tokio::spawn(async move {
        // Also when the task is dropped with its runtime, nobody waits for ever.
        let _gone = gone.drop_guard();
        watch(tree, pipes, &stop).await;
        jobs().remove(&id);
    });
    info
}

/// Reads a job's output away until its last process has ended.
async fn watch(mut tree: Tree, mut pipes: Pipes, stop: &CancellationToken) {
    tokio::select! {
        () = tree.closed() => return tree.gone().await,
        () = pipes.read_away() => {}
        () = stop.cancelled() => {}
    }
    tree.ask_to_end().await;
    let ended = async {
        tokio::select! {
            () = tree.closed() => {}
            () = pipes.read_away() => {}
        }
    };
    match timeout(ENDING, ended).await {
        Ok(()) => tree.gone().await,
        Err(_) => tree.end_by_force().await,
    }
}
