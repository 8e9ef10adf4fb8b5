//! A command from its start to its end.
//!
//! `bash -c`, or a program that no shell reads, in a session of its own, with nothing to read, or with a terminal of its
//! own into which a person types. It is over when the shell has
//! exited, even if a job still holds its output; such a job goes to the `table`. On timeout and cancel the whole
//! tree is ended and what it printed is kept. Dropping the future ends the tree as well.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use tokio::time::{MissedTickBehavior, interval, timeout};
use tokio_util::sync::CancellationToken;

use super::{
    asking::{Answers, Clock, Deaf, serve},
    error::ProcessError,
    output::{Captured, Collector},
    program::Program,
    sandbox::policy::Policy,
    supervisor::Report,
    table,
    terminal::Keyboard,
    tree::{ENDING, Pipes, Source, Tree},
};
use crate::domain::{
    ids::{AgentId, SessionId},
    job::JobInfo,
    terminal::TerminalInput,
};

/// Between two looks at what can be shown live.
const LIVE_EVERY: Duration = Duration::from_millis(100);
/// How long a process that outlives the shell may take to end before it counts as a job.
const LINGER: Duration = Duration::from_millis(150);
/// A job's output so far has been read when nothing came for this long.
const QUIET: Duration = Duration::from_millis(50);
/// The longest wait for that.
const QUIET_MOST: Duration = Duration::from_millis(300);
/// The longest wait for what is left in the pipes of an ended tree.
const REST: Duration = Duration::from_secs(1);
/// The most refused connections that are remembered.
const MOST_REFUSED: usize = 16;
/// The longest single argument that Linux takes.
const LONGEST_ARGUMENT: usize = 128 * 1024 - 1;
/// The longest wait for an answer that is under way when the program has ended.
const LAST_ANSWER: Duration = Duration::from_millis(1_500);

/// What to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShellCommand {
    /// The command line, as it is told of.
    pub command: String,
    /// What is run.
    pub program: Program,
    /// Where to run it.
    pub cwd: PathBuf,
    /// When to end it: so long after it began, or after something was last typed into it.
    pub timeout: Duration,
    /// Where a large output is written.
    pub spool: PathBuf,
    /// Names of variables that hold our own keys.
    pub own_keys: Vec<String>,
    /// Who runs it, to tell jobs apart.
    pub owner: Owner,
    /// What it may touch; everything that we may when there is none.
    pub sandbox: Option<Policy>,
}

/// Who runs a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// In which session.
    pub session: SessionId,
    /// Which agent.
    pub agent: AgentId,
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The shell exited with this status.
    Exited(i32),
    /// The shell was ended by this signal.
    Signalled(i32),
    /// We ended it: the time was over.
    TimedOut,
    /// We ended it: it was asked for.
    Cancelled,
    /// We ended it: its supervisor was killed, and without one nothing would end it when we are gone.
    Unsupervised,
}

/// A command that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// How it ended.
    pub end: End,
    /// What it printed.
    pub captured: Captured,
    /// How long it took.
    pub elapsed: Duration,
    /// The job that it left behind.
    pub job: Option<JobInfo>,
    /// Connections that were refused, each once, and why.
    pub refused: Vec<String>,
    /// How many characters were typed into it.
    pub typed: usize,
}

/// Runs a command. `live` is called with new output while it runs, at most ten times a second.
pub async fn run(
    spec: &ShellCommand,
    cancel: &CancellationToken,
    live: &(dyn Fn(&str) + Send + Sync),
) -> Result<Finished, ProcessError> {
    run_beside(spec, cancel, live, &mut Keyboard::default(), &Deaf).await
}

/// The same with a keyboard, for a program that is attended. Whoever types is there, so the time limit begins anew with
/// each thing typed.
pub async fn run_attended(
    spec: &ShellCommand,
    cancel: &CancellationToken,
    live: &(dyn Fn(&str) + Send + Sync),
    keyboard: &mut Keyboard,
) -> Result<Finished, ProcessError> {
    run_beside(spec, cancel, live, keyboard, &Deaf).await
}

/// The same for a program that asks for things while it runs. The time that answers take is not the program's.
pub async fn run_asking(
    spec: &ShellCommand,
    cancel: &CancellationToken,
    live: &(dyn Fn(&str) + Send + Sync),
    answers: &dyn Answers,
) -> Result<Finished, ProcessError> {
    run_beside(spec, cancel, live, &mut Keyboard::default(), answers).await
}

async fn run_beside(
    spec: &ShellCommand,
    cancel: &CancellationToken,
    live: &(dyn Fn(&str) + Send + Sync),
    keyboard: &mut Keyboard,
    answers: &dyn Answers,
) -> Result<Finished, ProcessError> {
    let started = Instant::now();
    let clock = Clock::start(spec.timeout);
    let mut running = Running::start(spec).await?;
    let over = cancel.child_token();
    let serving = serve(running.tree.take_asked(), answers, &clock, &over);
    let time_is_up = clock.is_up();
    tokio::pin!(serving, time_is_up);
    let mut is_served = false;
    let mut ticks = interval(LIVE_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let end = loop {
        tokio::select! {
            biased;
            () = cancel.cancelled() => break End::Cancelled,
            () = &mut time_is_up => break End::TimedOut,
            () = &mut serving, if !is_served => is_served = true,
            report = running.tree.report() => match report {
                Some(Report::Refused(what)) => running.note_refused(what),
                report => break ended(report)?,
            },
            input = keyboard.next() => {
                if running.take(&input) {
                    clock.begin_anew();
                }
            }
            _ = ticks.tick(), if running.fresh => {
                running.fresh = false;
                if let Some(piece) = running.collector.live() {
                    live(&piece);
                }
            }
            () = running.pipes.read(&mut running.collector) => running.fresh = true,
        }
    };
    over.cancel();
    let last_answer = async {
        if !is_served {
            let _ = timeout(LAST_ANSWER, &mut serving).await;
        }
    };
    let tree_ends = async {
        match end {
            End::Exited(_) | End::Signalled(_) => running.linger().await,
            End::TimedOut | End::Cancelled | End::Unsupervised => {
                running.end_tree().await;
                true
            }
        }
    };
    let ((), is_gone) = tokio::join!(last_answer, tree_ends);
    let refused = std::mem::take(&mut running.refused);
    let typed = running.typed;
    let (collector, job) = running.close(is_gone, spec).await;
    Ok(Finished {
        end,
        captured: collector.finish(),
        elapsed: started.elapsed(),
        job,
        refused,
        typed,
    })
}

/// What can be known before a command is started.
pub(super) fn check(spec: &ShellCommand) -> Result<(), ProcessError> {
    if !spec.cwd.is_dir() {
        return Err(ProcessError::NoDirectory(spec.cwd.clone()));
    }
    if spec.program.longest() > LONGEST_ARGUMENT {
        return Err(ProcessError::TooLong(spec.program.longest()));
    }
    Ok(())
}

/// How the shell ended, by the first report of its supervisor.
pub(super) fn ended(report: Option<Report>) -> Result<End, ProcessError> {
    match report {
        Some(Report::Exited(code)) => Ok(End::Exited(code)),
        Some(Report::Signalled(signal)) => Ok(End::Signalled(signal)),
        Some(Report::Failed(why)) => Err(ProcessError::Shell(why)),
        // Neither is an end.
        Some(Report::Refused(_)) | None => Ok(End::Unsupervised),
    }
}

/// A command under way.
struct Running {
    tree: Tree,
    pipes: Pipes,
    collector: Collector,
    /// Whether something was read since the last look.
    fresh: bool,
    refused: Vec<String>,
    typed: usize,
}

impl Running {
    async fn start(spec: &ShellCommand) -> Result<Self, ProcessError> {
        check(spec)?;
        let (tree, output, error) = Tree::start(spec).await?;
        Ok(Self {
            tree,
            pipes: Pipes::new(output, error),
            collector: Collector::new(&spec.spool),
            fresh: false,
            refused: Vec::new(),
            typed: 0,
        })
    }

    /// Takes what comes from the person; whether it was typed.
    fn take(&mut self, input: &TerminalInput) -> bool {
        let Some(Source::Terminal(terminal)) = &mut self.pipes.output else {
            return false;
        };
        terminal.take(input);
        let TerminalInput::Typed(typed) = input else {
            return false;
        };
        self.typed += typed.characters();
        true
    }

    fn note_refused(&mut self, what: String) {
        if self.refused.len() < MOST_REFUSED && !self.refused.contains(&what) {
            self.refused.push(what);
        }
    }

    /// Waits a little for what outlives the shell. Returns whether nothing is left.
    async fn linger(&mut self) -> bool {
        timeout(LINGER, self.until_gone()).await.is_ok()
    }

    /// Ends the tree.
    async fn end_tree(&mut self) {
        self.tree.ask_to_end().await;
        if timeout(ENDING, self.until_gone()).await.is_err() {
            self.tree.end_by_force().await;
        }
    }

    /// Reads on until the supervisor has closed its line, which it does when nothing is left below it.
    async fn until_gone(&mut self) {
        let closed = self.tree.closed();
        tokio::pin!(closed);
        loop {
            tokio::select! {
                biased;
                () = &mut closed => return,
                () = self.pipes.read(&mut self.collector) => {}
            }
        }
    }

    /// Reads what is left; leaves a job in the table when something still runs.
    async fn close(mut self, is_gone: bool, spec: &ShellCommand) -> (Collector, Option<JobInfo>) {
        if is_gone {
            // Before the rest is read: what a killed supervisor has left would hold the pipes.
            self.tree.gone().await;
            let rest = async {
                while self.pipes.are_open() {
                    self.pipes.read(&mut self.collector).await;
                }
            };
            let _ = timeout(REST, rest).await;
            return (self.collector, None);
        }
        let quiet = async {
            while self.pipes.are_open()
                && timeout(QUIET, self.pipes.read(&mut self.collector))
                    .await
                    .is_ok()
            {}
        };
        let _ = timeout(QUIET_MOST, quiet).await;
        let job = table::adopt(spec, self.tree, self.pipes);
        (self.collector, Some(job))
    }
}
