//! Jobs that commands left behind: listed, stoppable, ended with their session and with us.
//!
//! Each job has a task that keeps its supervisor's line open and reads its output away, so that a job is not
//! ended by printing. A job leaves the table when its last process has ended.

use std::{
    collections::BTreeMap,
    sync::{
        LazyLock, Mutex, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
    time::{SystemTime, UNIX_EPOCH},
};

use tokio::{sync::watch, time::timeout};
use tokio_util::sync::CancellationToken;

use super::{
    kill::descendants,
    spawn::{Owner, ShellCommand},
    tree::{ENDING, Pipes, Tree},
};
use crate::domain::{ids::SessionId, job::JobInfo};

#[derive(Clone)]
struct Job {
    owner: Owner,
    command: String,
    since_ms: i64,
    supervisor: i32,
    stop: CancellationToken,
    gone: CancellationToken,
}

static NEXT: AtomicU32 = AtomicU32::new(1);
static JOBS: Mutex<BTreeMap<u32, Job>> = Mutex::new(BTreeMap::new());
/// Moves whenever a job is added or gone.
static CHANGES: LazyLock<watch::Sender<()>> = LazyLock::new(|| watch::Sender::new(()));

fn jobs() -> std::sync::MutexGuard<'static, BTreeMap<u32, Job>> {
    JOBS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Job {
    fn info(&self, id: u32) -> JobInfo {
        JobInfo {
            id,
            session: self.owner.session.clone(),
            agent: self.owner.agent.clone(),
            command: self.command.clone(),
            since_ms: self.since_ms,
            processes: descendants(self.supervisor),
        }
    }
}

/// Tells whenever some session has a job more or less.
pub fn changes() -> watch::Receiver<()> {
    CHANGES.subscribe()
}

/// The numbers of a session's jobs.
pub fn ids(session: &SessionId) -> Vec<u32> {
    let jobs = jobs();
    let own = jobs.iter().filter(|(_, job)| job.owner.session == *session);
    own.map(|(id, _)| *id).collect()
}

/// The jobs of a session, the oldest first.
pub fn list(session: &SessionId) -> Vec<JobInfo> {
    let list: Vec<(u32, Job)> = jobs()
        .iter()
        .filter(|(_, job)| job.owner.session == *session)
        .map(|(id, job)| (*id, job.clone()))
        .collect();
    // Their processes are looked for without the lock.
    list.into_iter().map(|(id, job)| job.info(id)).collect()
}

/// One for each job of a session, cancelled when that job has ended.
pub fn gone(session: &SessionId) -> Vec<CancellationToken> {
    let jobs = jobs();
    let own = jobs.values().filter(|job| job.owner.session == *session);
    own.map(|job| job.gone.clone()).collect()
}

/// Ends a job of a session and waits until it has ended. Returns its command, or `None` when there is none of that
/// number.
pub async fn stop(session: &SessionId, id: u32) -> Option<String> {
    let (command, stop, gone) = jobs()
        .get(&id)
        .filter(|job| job.owner.session == *session)
        .map(|job| (job.command.clone(), job.stop.clone(), job.gone.clone()))?;
    stop.cancel();
    gone.cancelled().await;
    Some(command)
}

/// Ends all jobs of a session and waits until they have ended.
pub async fn stop_all(session: &SessionId) {
    let ids = ids(session);
    futures::future::join_all(ids.into_iter().map(|id| stop(session, id))).await;
}

/// Takes over what a command left behind.
pub(super) fn adopt(spec: &ShellCommand, tree: Tree, pipes: Pipes) -> JobInfo {
    let id = NEXT.fetch_add(1, Ordering::Relaxed);
    let job = Job {
        owner: spec.owner.clone(),
        command: spec.command.clone(),
        since_ms: now_ms(),
        supervisor: tree.supervisor(),
        stop: CancellationToken::new(),
        gone: CancellationToken::new(),
    };
    let info = job.info(id);
    let (stop, gone) = (job.stop.clone(), job.gone.clone());
    jobs().insert(id, job);
    CHANGES.send_replace(());
    tokio::spawn(async move {
        // Also when the task is dropped with its runtime, nobody waits for ever.
        let _gone = gone.drop_guard();
        watch(tree, pipes, &stop).await;
        jobs().remove(&id);
        CHANGES.send_replace(());
    });
    info
}

fn now_ms() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_millis() as i64)
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
