//! The small process between us and a command, so that nothing of the command survives us.
//!
//! It is this program again under a hidden name. It leaves the terminal, adopts every orphan below it, starts the
//! shell, and ends the whole tree when its line to us closes: on request, and as well when we are killed. The
//! line is its standard input, a socket: the command comes in, reports go out. The command is not among its
//! arguments, where `pkill -f` would find it.

use std::{
    fs::File,
    io::{self, Read as _, Write as _},
    os::{
        fd::{AsFd as _, OwnedFd},
        unix::{net::UnixStream, process::CommandExt as _},
    },
    path::PathBuf,
    process::ExitCode,
    sync::OnceLock,
    time::Duration,
};

use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process_group, setsid, wait};
use serde::{Deserialize, Serialize};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    signal::unix::{Signal as SignalStream, SignalKind, signal},
    sync::mpsc,
    time::{Instant, sleep, timeout, timeout_at},
};
use tokio_util::task::AbortOnDropHandle;

use super::{
    kill::signal_below,
    network::{guard::Guard, proxy::Proxy},
    program::Program,
    sandbox::{
        handover::{self, Mark},
        order::Act,
        policy::Policy,
        start::{Outlet, start_inside},
    },
    terminal::unconfined,
};

/// The hidden first argument.
pub const SUBCOMMAND: &str = "__supervise";

/// How long a tree may take to end by itself once it was asked to.
const GRACE: Duration = Duration::from_millis(400);
/// Between two rounds of ending what does not end by itself.
const ROUND: Duration = Duration::from_millis(10);
/// Rounds after which a tree that cannot be ended (blocked in the kernel) is left.
const MOST_ROUNDS: usize = 500;
/// The longest task taken.
const LONGEST_TASK: usize = 16 << 20;
/// Refused connections that wait to be told; more are not.
const MOST_REFUSALS: usize = 32;

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Names the program that is started as supervisor, when it is not the one that runs (in tests). The first name
/// stays.
pub fn use_program(path: impl Into<PathBuf>) {
    let _ = PROGRAM.set(path.into());
}

/// The program that is started as supervisor. By default the one that runs, even if its file was replaced.
pub(in crate::process) fn program() -> PathBuf {
    PROGRAM.get().cloned().unwrap_or_else(|| {
        if cfg!(target_os = "linux") {
            PathBuf::from("/proc/self/exe")
        } else {
            std::env::current_exe().unwrap_or_default()
        }
    })
}

/// What a supervisor tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Report {
    /// The shell has exited with this status.
    Exited(i32),
    /// The shell was ended by this signal.
    Signalled(i32),
    /// The shell could not be started.
    Failed(String),
    /// A connection was refused, and why. The shell goes on.
    Refused(String),
}

impl Report {
    /// The report as a line.
    fn line(&self) -> String {
        match self {
            Self::Exited(code) => format!("exited {code}\n"),
            Self::Signalled(signal) => format!("signalled {signal}\n"),
            Self::Failed(why) => format!("failed {}\n", why.replace('\n', " ")),
            Self::Refused(what) => format!("refused {}\n", what.replace('\n', " ")),
        }
    }

    /// Reads a line.
    pub(super) fn read(line: &str) -> Option<Self> {
        let (word, rest) = line.trim_end_matches('\n').split_once(' ')?;
        match word {
            "exited" => Some(Self::Exited(rest.parse().ok()?)),
            "signalled" => Some(Self::Signalled(rest.parse().ok()?)),
            "failed" => Some(Self::Failed(rest.to_owned())),
            "refused" => Some(Self::Refused(rest.to_owned())),
            _ => None,
        }
    }
}

/// What a supervisor is to run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Task {
    /// What is run.
    pub(super) program: Program,
    /// What it may touch; everything that we may when there is none.
    pub(super) sandbox: Option<Policy>,
}

impl Task {
    /// The task as it is sent: its length, then its bytes.
    pub(super) fn framed(&self) -> io::Result<Vec<u8>> {
        let task = serde_json::to_vec(self)?;
        let mut frame = (task.len() as u64).to_le_bytes().to_vec();
        frame.extend(task);
        Ok(frame)
    }
}

/// Runs as supervisor. `main` calls this first of all when the first argument is [`SUBCOMMAND`].
pub fn main() -> ExitCode {
    match supervise() {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn supervise() -> io::Result<()> {
    let mut line = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    // It fails when we lead a session already, which is as good.
    let _ = setsid();
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(getpid()))?;
    let task = receive(&mut line)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let ended = runtime.block_on(async {
        let mut signals = Signals::new()?;
        let started = start(task).and_then(|(shell, outlet, terminal)| {
            hand_over(terminal)?;
            Ok((shell, outlet))
        });
        let (shell, outlet) = match started {
            Ok(started) => started,
            Err(error) => {
                return line.write_all(Report::Failed(error.to_string()).line().as_bytes());
            }
        };
        let (tell, refusals) = mpsc::channel(MOST_REFUSALS);
        let _proxy = match outlet {
            Some(outlet) => Some(serve(outlet, tell)?),
            None => None,
        };
        attend(line, shell, &mut signals, refusals).await
    });
    // A name that is still being resolved must not be waited for.
    runtime.shutdown_background();
    ended
}

/// Serves the command's way to other machines until the answer is dropped.
fn serve(outlet: Outlet, refusals: mpsc::Sender<String>) -> io::Result<AbortOnDropHandle<()>> {
    outlet.listener.set_nonblocking(true)?;
    let listener = tokio::net::TcpListener::from_std(outlet.listener)?;
    let proxy = Proxy::new(Guard::new(outlet.policy), &outlet.address, refusals);
    Ok(AbortOnDropHandle::new(tokio::spawn(proxy.serve(listener))))
}

fn receive(line: &mut UnixStream) -> io::Result<Task> {
    let mut length = [0; 8];
    line.read_exact(&mut length)?;
    let length = usize::try_from(u64::from_le_bytes(length))
        .ok()
        .filter(|length| *length <= LONGEST_TASK)
        .ok_or(io::ErrorKind::InvalidData)?;
    let mut task = vec![0; length];
    // A part of a command must not run: its writer may have been killed in between.
    line.read_exact(&mut task)?;
    Ok(serde_json::from_slice(&task)?)
}

/// The signals that a supervisor listens to.
struct Signals {
    child: SignalStream,
    terminate: SignalStream,
    hangup: SignalStream,
    interrupt: SignalStream,
}

impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self {
            child: signal(SignalKind::child())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }
}

/// Starts the shell. Answers its way to other machines and our end of its terminal as well.
fn start(task: Task) -> io::Result<(Pid, Option<Outlet>, Option<OwnedFd>)> {
    let (child, outlet, terminal) = match task.sandbox {
        Some(policy) => {
            let inside = start_inside(&program(), policy, Act::Run(task.program), None)?;
            (inside.child, inside.outlet, inside.terminal)
        }
        None if task.program.is_attended() => {
            let (child, terminal) = unconfined::start(&program(), &task.program)?;
            (child, None, terminal)
        }
        None => {
            let child = task.program.command()?.process_group(0).spawn()?;
            (child, None, None)
        }
    };
    Ok((Pid::from_child(&child), outlet, terminal))
}

/// Hands our end of the shell's terminal on to who started us, on what would else be the shell's output.
fn hand_over(terminal: Option<OwnedFd>) -> io::Result<()> {
    let Some(terminal) = terminal else {
        return Ok(());
    };
    handover::send(io::stdout(), Mark::Terminal, &terminal)?;
    let nothing = File::options().write(true).open("/dev/null")?;
    Ok(rustix::stdio::dup2_stdout(nothing)?)
}

/// Waits for the shell, for what it left behind, and for the end of the line.
async fn attend(
    line: UnixStream,
    shell: Pid,
    signals: &mut Signals,
    mut refusals: mpsc::Receiver<String>,
) -> io::Result<()> {
    line.set_nonblocking(true)?;
    let mut line = tokio::net::UnixStream::from_std(line)?;
    let mut byte = [0];
    loop {
        let (report, is_empty) = reap(shell);
        if let Some(report) = report {
            // Who waits for the end wants to have heard everything before.
            while let Ok(refused) = refusals.try_recv() {
                tell(&mut line, &Report::Refused(refused)).await;
            }
            tell(&mut line, &report).await;
        }
        if is_empty {
            return Ok(());
        }
        tokio::select! {
            _ = signals.child.recv() => {}
            Some(refused) = refusals.recv() => tell(&mut line, &Report::Refused(refused)).await,
            _ = line.read(&mut byte) => break,
            _ = signals.terminate.recv() => break,
            _ = signals.hangup.recv() => break,
            _ = signals.interrupt.recv() => break,
        }
    }
    if let Some(report) = end_tree(shell, signals).await {
        tell(&mut line, &report).await;
    }
    Ok(())
}

/// Writes a report. A line that was only just opened counts as not writable until the runtime has looked at it, so
/// this waits; when nobody listens any more, the line is closed and that ends the wait.
async fn tell(line: &mut tokio::net::UnixStream, report: &Report) {
    let text = report.line();
    let _ = timeout(GRACE, line.write_all(text.as_bytes())).await;
}

/// Collects ended children. Tells how the shell ended, when it did now, and whether no child is left.
fn reap(shell: Pid) -> (Option<Report>, bool) {
    let mut report = None;
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some((pid, status))) if pid == shell => {
                report = Some(match status.exit_status() {
                    Some(code) => Report::Exited(code),
                    None => Report::Signalled(status.terminating_signal().unwrap_or_default()),
                });
            }
            Ok(Some(_)) | Err(rustix::io::Errno::INTR) => {}
            Ok(None) => return (report, false),
            Err(_) => return (report, true),
        }
    }
}

/// Asks every process of the tree to end, then ends what is left.
async fn end_tree(shell: Pid, signals: &mut Signals) -> Option<Report> {
    let root = getpid().as_raw_nonzero().get();
    if signal_below(root, Signal::TERM) == 0 {
        let _ = kill_process_group(shell, Signal::TERM);
    }
    let deadline = Instant::now() + GRACE;
    let mut told = None;
    loop {
        let (report, is_empty) = reap(shell);
        told = told.or(report);
        if is_empty {
            return told;
        }
        if timeout_at(deadline, signals.child.recv()).await.is_err() {
            break;
        }
    }
    for _ in 0..MOST_ROUNDS {
        if signal_below(root, Signal::KILL) == 0 {
            let _ = kill_process_group(shell, Signal::KILL);
        }
        let (report, is_empty) = reap(shell);
        told = told.or(report);
        if is_empty {
            break;
        }
        sleep(ROUND).await;
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_survive_the_line() {
        let reports = [
            Report::Exited(101),
            Report::Signalled(9),
            Report::Failed("no such file: bash".to_owned()),
            Report::Refused("127.0.0.1:8080 refused: this machine".to_owned()),
        ];
        for report in reports {
            assert_eq!(Report::read(&report.line()), Some(report));
        }
        assert_eq!(Report::read("exited x\n"), None);
        assert_eq!(Report::read(""), None);
    }

    fn task() -> Task {
        Task {
            program: Program::Line("echo '各'\nexit 3".to_owned()),
            sandbox: None,
        }
    }

    #[test]
    fn a_command_arrives_whole() {
        let (mut near, mut far) = UnixStream::pair().unwrap();
        near.write_all(&task().framed().unwrap()).unwrap();

        assert_eq!(receive(&mut far).unwrap(), task());
    }

    #[test]
    fn a_part_of_a_command_is_not_taken_for_one() {
        let (mut near, mut far) = UnixStream::pair().unwrap();
        let frame = task().framed().unwrap();
        near.write_all(&frame[..frame.len() - 5]).unwrap();
        drop(near);

        let error = receive(&mut far).unwrap_err();

        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn a_command_of_an_impossible_length_is_refused() {
        let (mut near, mut far) = UnixStream::pair().unwrap();
        near.write_all(&u64::MAX.to_le_bytes()).unwrap();

        let error = receive(&mut far).unwrap_err();

        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    }
}
