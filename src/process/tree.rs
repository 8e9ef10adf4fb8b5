//! A supervised tree of processes as we hold it: asked to end by closing its supervisor's line, ended by force when
//! the supervisor cannot do it.
//!
//! A supervisor that is killed leaves its processes to us, since we adopt orphans as it does; one that is stopped
//! answers nothing, so every wait for it is bounded.

use std::{
    os::fd::OwnedFd,
    process::Stdio,
    sync::{
        Once,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use rustix::process::Signal;
use tokio::{
    io::{
        AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWriteExt as _, BufReader, Lines,
    },
    net::{
        UnixStream,
        unix::{OwnedReadHalf, OwnedWriteHalf},
    },
    process::{Child, ChildStderr, ChildStdout},
    time::timeout,
};

use super::{
    environment,
    error::ProcessError,
    kill::{end_strays, signal_below},
    output::{Collector, Stream},
    spawn::ShellCommand,
    supervisor::{self, Report, Task},
    terminal::Near,
};

/// How long a supervisor may take to end its tree once it was asked to.
pub(super) const ENDING: Duration = Duration::from_millis(1_500);
/// How long it may take to be gone once its line is closed, or once it was killed.
const GOING: Duration = Duration::from_millis(500);

/// Read at a time; small, so that a flood does not keep timers waiting.
const PIECE: usize = 16 * 1024;

/// Where the output of a command comes from.
#[derive(Debug)]
pub(super) enum Source {
    /// Its standard output.
    Pipe(ChildStdout),
    /// Its terminal.
    Terminal(Near),
}

/// The near ends of a command's streams, until they end.
pub(super) struct Pipes {
    pub(super) output: Option<Source>,
    error: Option<ChildStderr>,
    output_piece: Box<[u8]>,
    error_piece: Box<[u8]>,
}

/// A supervisor and what is below it.
pub(super) struct Tree {
    child: Child,
    line: Lines<BufReader<OwnedReadHalf>>,
    /// Closing it ends the tree.
    hold: OwnedWriteHalf,
    supervisor: i32,
    /// What its processes have in their environment.
    mark: String,
    /// The near end of the line that the program itself has to us.
    asked: Option<UnixStream>,
}

impl Tree {
    /// Starts a command under a supervisor. Answers the near ends of its output and error as well.
    pub(super) async fn start(
        spec: &ShellCommand,
    ) -> Result<(Self, Option<Source>, Option<ChildStderr>), ProcessError> {
        adopt_orphans();
        let mark = next_mark();
        let (near, far) = std::os::unix::net::UnixStream::pair()?;
        near.set_nonblocking(true)?;
        let (mut terminal, mut asked, mut output) = (None, None, None);
        if spec.program.is_attended() {
            let (near, far) = Near::coming()?;
            (terminal, output) = (Some(near), Some(far));
        } else if spec.program.asks() {
            let (near, far) = std::os::unix::net::UnixStream::pair()?;
            near.set_nonblocking(true)?;
            asked = Some(UnixStream::from_std(near)?);
            output = Some(far.into());
        }
        let mut child = start_supervisor(spec, &mark, far.into(), output)?;
        let (read, hold) = UnixStream::from_std(near)?.into_split();
        let output = match terminal {
            Some(terminal) => Some(Source::Terminal(terminal)),
            None => child.stdout.take().map(Source::Pipe),
        };
        let error = child.stderr.take();
        let supervisor = child.id().and_then(|pid| pid.try_into().ok());
        let mut tree = Self {
            child,
            line: BufReader::new(read).lines(),
            hold,
            supervisor: supervisor.unwrap_or_default(),
            mark,
            asked,
        };
        let task = Task {
            program: spec.program.clone(),
            sandbox: spec.sandbox.clone(),
        };
        tree.hold.write_all(&task.framed()?).await?;
        Ok((tree, output, error))
    }

    /// The line that the program itself has to us, when it has one that nobody has taken.
    pub(super) fn take_asked(&mut self) -> Option<UnixStream> {
        self.asked.take()
    }

    /// The process id of the supervisor.
    pub(super) fn supervisor(&self) -> i32 {
        self.supervisor
    }

    /// The next report; `None` when the line is closed.
    pub(super) async fn report(&mut self) -> Option<Report> {
        // A line that cannot be read tells as little as a closed one.
        let line = self.line.next_line().await.ok().flatten()?;
        Report::read(&line)
    }

    /// Waits until the line is closed.
    pub(super) async fn closed(&mut self) {
        while matches!(self.line.next_line().await, Ok(Some(_))) {}
    }

    /// Asks the supervisor to end the tree.
    pub(super) async fn ask_to_end(&mut self) {
        // It fails only when the line is closed already.
        let _ = self.hold.shutdown().await;
    }

    /// Waits until the supervisor is gone, which it is soon after its line was closed. What it has left, because it
    /// was killed, is ended.
    pub(super) async fn gone(&mut self) {
        match timeout(GOING, self.child.wait()).await {
            Ok(Ok(status)) if status.success() => {}
            _ => self.end_by_force().await,
        }
    }

    /// Ends everything, the supervisor included.
    pub(super) async fn end_by_force(&mut self) {
        // Before anybody has waited for it, its number is nobody else's.
        if self.child.id().is_some() {
            signal_below(self.supervisor, Signal::KILL);
            let _ = self.child.start_kill();
            let _ = timeout(GOING, self.child.wait()).await;
        }
        let (mark, supervisor) = (self.mark.clone(), self.supervisor);
        let ending = tokio::task::spawn_blocking(move || end_strays(&mark, supervisor));
        if ending.await.is_err() {
            tracing::warn!("what a killed supervisor left was not looked for");
        }
    }
}

/// Makes us the parent of what a killed supervisor leaves behind.
fn adopt_orphans() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        #[cfg(target_os = "linux")]
        if let Err(error) = rustix::process::set_child_subreaper(Some(rustix::process::getpid())) {
            tracing::warn!(%error, "processes of a killed supervisor would not be found");
        }
    });
}

/// A value that no other tree of ours has.
fn next_mark() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("{}-{number}", std::process::id())
}

#[expect(clippy::disallowed_types, reason = "this folder starts the children")]
fn start_supervisor(
    spec: &ShellCommand,
    mark: &str,
    line: OwnedFd,
    output: Option<OwnedFd>,
) -> Result<Child, ProcessError> {
    let mut variables = match &spec.sandbox {
        Some(policy) => environment::in_sandbox(&spec.own_keys, policy),
        None => environment::for_child(&spec.own_keys),
    };
    if spec.program.is_attended() {
        environment::let_ask(&mut variables);
    }
    // On a terminal, errors come as the output does.
    let error = if spec.program.is_attended() {
        Stdio::null()
    } else {
        Stdio::piped()
    };
    Ok(tokio::process::Command::new(supervisor::program())
        .arg(supervisor::SUBCOMMAND)
        .current_dir(&spec.cwd)
        .env_clear()
        .envs(variables)
        .env("PWD", &spec.cwd)
        .env(environment::MARK, mark)
        .stdin(Stdio::from(line))
        .stdout(output.map_or_else(Stdio::piped, Stdio::from))
        .stderr(error)
        .spawn()?)
}

impl Pipes {
    /// The streams of a command that was just started.
    pub(super) fn new(output: Option<Source>, error: Option<ChildStderr>) -> Self {
        Self {
            output,
            error,
            output_piece: vec![0; PIECE].into_boxed_slice(),
            error_piece: vec![0; PIECE].into_boxed_slice(),
        }
    }

    /// Whether more can come.
    pub(super) fn are_open(&self) -> bool {
        self.output.is_some() || self.error.is_some()
    }

    /// Waits for a piece of either stream and hands it on; never returns when both have ended.
    pub(super) async fn read(&mut self, collector: &mut Collector) {
        let (stream, piece) = self.piece().await;
        collector.feed(stream, piece);
        // A flood is always ready: let others have their turn.
        tokio::task::yield_now().await;
    }

    /// Reads and forgets; never returns.
    pub(super) async fn read_away(&mut self) {
        loop {
            self.piece().await;
            tokio::task::yield_now().await;
        }
    }

    /// A piece of either stream; never returns when both have ended.
    pub(super) async fn piece(&mut self) -> (Stream, &[u8]) {
        let (stream, length) = tokio::select! {
            length = read_source(&mut self.output, &mut self.output_piece) => (Stream::Output, length),
            length = read(&mut self.error, &mut self.error_piece) => (Stream::Error, length),
        };
        let piece = match stream {
            Stream::Output => &self.output_piece[..length],
            Stream::Error => &self.error_piece[..length],
        };
        (stream, piece)
    }
}

/// Reads from where the output comes from; at its end it is dropped.
async fn read_source(source: &mut Option<Source>, piece: &mut [u8]) -> usize {
    let length = match source {
        Some(Source::Pipe(pipe)) => pipe.read(piece).await.unwrap_or(0),
        Some(Source::Terminal(terminal)) => terminal.read(piece).await,
        None => return std::future::pending().await,
    };
    if length == 0 {
        *source = None;
    }
    length
}

/// Reads from a pipe; at its end it is dropped.
async fn read(pipe: &mut Option<impl AsyncRead + Unpin>, piece: &mut [u8]) -> usize {
    let Some(open) = pipe else {
        return std::future::pending().await;
    };
    let length = open.read(piece).await.unwrap_or(0);
    if length == 0 {
        *pipe = None;
    }
    length
}
