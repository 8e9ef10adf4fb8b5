//! The process that puts a command into its sandbox: this program again under a hidden name.
//!
//! The order comes in on its standard input, a socket. What goes wrong before the command runs goes out on it; nothing
//! and the end mean that it runs. With namespaces there are three of us: the one that the supervisor started waits and
//! passes on how the shell ended; its child is the first process of the new process namespace and stays as long as
//! anything runs in there; the child's child becomes the shell. With bubblewrap, that stands between the first two.

use std::{
    io::{self, Read as _, Write as _},
    net::{Ipv4Addr, TcpListener},
    os::{
        fd::{AsFd as _, OwnedFd},
        unix::{net::UnixStream, process::CommandExt as _},
    },
    path::{Path, PathBuf},
    process::ExitCode,
};

use super::{
    bubblewrap, landlock, mounts, seccomp,
    sys::{self, Fork},
};
use crate::process::{
    network::proxy::ProxyAddress,
    sandbox::{
        backend::Backend,
        handover::{self, Mark},
        order::{Act, Order},
        probe::attempt,
    },
    terminal::pair,
};
use rustix::process::{
    DumpableBehavior, Resource, Rlimit, WaitOptions, getegid, geteuid, setpgid, setrlimit, setsid,
    wait,
};

/// The most processes that a sandboxed tree may have, where the kernel counts them apart.
const MOST_PROCESSES: u64 = 4_096;
/// Signals that ask a tree to end. The one that waits goes on waiting for what the shell makes of them.
const ENDING: &[i32] = &[libc::SIGTERM, libc::SIGHUP, libc::SIGINT];

/// How the shell ended, as it is told from inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Exited(i32),
    Signalled(i32),
}

/// What is told once before, where bubblewrap may have failed.
const STARTED: [u8; 5] = [2; 5];

impl Ended {
    fn bytes(self) -> [u8; 5] {
        let (kind, number) = match self {
            Self::Exited(code) => (0, code),
            Self::Signalled(signal) => (1, signal),
        };
        let [a, b, c, d] = number.to_le_bytes();
        [kind, a, b, c, d]
    }

    fn read([kind, a, b, c, d]: [u8; 5]) -> Self {
        let number = i32::from_le_bytes([a, b, c, d]);
        if kind == 0 {
            Self::Exited(number)
        } else {
            Self::Signalled(number)
        }
    }
}

/// Runs as helper. `main` calls this first of all when the first argument is its hidden name.
pub fn main() -> ExitCode {
    if let Some(taken) = bubblewrap::taken_over(std::env::args_os().skip(2)) {
        return inside_bubblewrap(taken);
    }
    let Ok(mut line) = take_line() else {
        return ExitCode::FAILURE;
    };
    let ended = receive(&mut line).and_then(|order| {
        if order.is_attended() {
            // Who started us has left this to us: only what leads nothing yet can get a terminal.
            let _ = setsid();
        }
        match order.policy.backend {
            Backend::Namespaces => enclose(&order, &line),
            Backend::Landlock => Err(become_confined(&order, &line)),
            Backend::Bubblewrap => bubblewrap::enclose(&order, &line),
            Backend::Seatbelt => Err("seatbelt is the sandbox of macOS".to_owned()),
        }
    });
    match ended {
        Ok(Ended::Exited(code)) => u8::try_from(code).map_or(ExitCode::FAILURE, ExitCode::from),
        Ok(Ended::Signalled(signal)) => {
            sys::end_by(signal);
            ExitCode::FAILURE
        }
        Err(error) => {
            // Nobody may be listening any more.
            let _ = line.write_all(error.as_bytes());
            ExitCode::FAILURE
        }
    }
}

/// Becomes the command where Landlock alone holds it. Returns only when that fails.
fn become_confined(order: &Order, line: &UnixStream) -> String {
    limit(false);
    let private = std::iter::once(&order.policy.tmp);
    let writable: Vec<PathBuf> = order
        .policy
        .writable
        .iter()
        .chain(private)
        .cloned()
        .collect();
    let ready = hand_terminal_over(order, line).and_then(|terminal| {
        confine(order, &writable)?;
        terminal.as_ref().map_or(Ok(()), take)
    });
    match ready {
        Ok(()) => become_command(order),
        Err(error) => error,
    }
}

/// The line to who started us; the command gets an empty input in its place.
fn take_line() -> io::Result<UnixStream> {
    let line = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let nothing = std::fs::File::open("/dev/null")?;
    sys::replace(io::stdin().as_fd(), nothing.as_fd())?;
    Ok(line)
}

fn receive(line: &mut UnixStream) -> Result<Order, String> {
    let mut order = Vec::new();
    line.read_to_end(&mut order)
        .map_err(|error| format!("the order did not arrive: {error}"))?;
    serde_json::from_slice(&order).map_err(|error| format!("the order is not understood: {error}"))
}

/// Goes on in namespaces of its own. Returns how the shell ended.
fn enclose(order: &Order, line: &UnixStream) -> Result<Ended, String> {
    let cwd = working_directory(order)?;
    limit(true);
    part(order.policy.has_own_network())?;
    let (reader, mut writer) = io::pipe().map_err(|error| error.to_string())?;
    match sys::fork().map_err(|error| format!("no first process: {error}"))? {
        Fork::Parent(_) => {
            drop(writer);
            close_line(line)?;
            Ok(pass_on(reader))
        }
        Fork::Child => {
            drop(reader);
            let failed = inside(order, &cwd, line, &mut writer)
                .err()
                .unwrap_or_default();
            let mut line = line;
            let _ = line.write_all(failed.as_bytes());
            std::process::exit(1)
        }
    }
}

/// Where the command is to run.
pub(super) fn working_directory(order: &Order) -> Result<PathBuf, String> {
    match &order.act {
        Act::Run(_) => {
            std::env::current_dir().map_err(|error| format!("no working directory: {error}"))
        }
        // The folder the program was started in may be one that the probe's policy does not show.
        Act::Probe(attempts) => Ok(attempts.inside.clone()),
    }
}

/// Lets go of the line: whoever waits for its end must not wait for us. The descriptor is owned by `main`, so it is
/// replaced.
pub(super) fn close_line(line: &UnixStream) -> Result<(), String> {
    // Standard input is empty by now.
    sys::replace(line.as_fd(), io::stdin().as_fd())
        .map_err(|error| format!("the line stays open: {error}"))
}

/// Limits that no command may raise.
fn limit(are_processes_counted_apart: bool) {
    let limit = |most| Rlimit {
        current: Some(most),
        maximum: Some(most),
    };
    // They only take something away; where they cannot be set, nothing else is weaker for it.
    let _ = setrlimit(Resource::Core, limit(0));
    if are_processes_counted_apart {
        let _ = setrlimit(Resource::Nproc, limit(MOST_PROCESSES));
    }
}

/// Leaves the namespaces of everybody.
fn part(has_own_network: bool) -> Result<(), String> {
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    let mut flags =
        libc::CLONE_NEWUSER | libc::CLONE_NEWNS | libc::CLONE_NEWPID | libc::CLONE_NEWIPC;
    if has_own_network {
        flags |= libc::CLONE_NEWNET;
    }
    sys::unshare(flags).map_err(|error| format!("no namespaces: {error}"))?;
    let map = |file: &str, text: String| {
        std::fs::OpenOptions::new()
            .write(true)
            .open(file)
            .and_then(|mut file| file.write_all(text.as_bytes()))
            .map_err(|error| format!("{file}: {error}"))
    };
    map("/proc/self/setgroups", "deny".to_owned())?;
    map("/proc/self/uid_map", format!("{user} {user} 1"))?;
    map("/proc/self/gid_map", format!("{group} {group} 1"))
}

/// The first process inside, where bubblewrap has made the sandbox around it.
fn inside_bubblewrap(taken: io::Result<(Order, UnixStream, io::PipeWriter)>) -> ExitCode {
    match taken {
        Err(error) => {
            // Bubblewrap's complaints go the same way.
            let _ = write!(io::stderr(), "the order did not arrive: {error}");
        }
        Ok((order, line, mut told)) => {
            limit(true);
            let ended = hand_listener_over(&order, &line)
                .and_then(|()| run(&order, &line, &mut told, true));
            let mut line = &line;
            let _ = line.write_all(ended.err().unwrap_or_default().as_bytes());
        }
    }
    ExitCode::FAILURE
}

/// Waits for the word that the first process inside is there; `false` when there will be none.
pub(super) fn has_started(reader: &mut io::PipeReader) -> bool {
    let mut told = [0; 5];
    reader.read_exact(&mut told).is_ok() && told == STARTED
}

/// Waits for what the first process inside tells.
pub(super) fn pass_on(mut reader: io::PipeReader) -> Ended {
    for signal in ENDING {
        sys::ignore(*signal);
    }
    let mut told = [0; 5];
    match reader.read_exact(&mut told) {
        Ok(()) => Ended::read(told),
        // It is gone, and everything inside with it.
        Err(_) => Ended::Signalled(libc::SIGKILL),
    }
}

/// The first process inside: makes the sandbox, starts the shell, stays until nothing is left. Returns only when it
/// fails before the shell runs.
fn inside(
    order: &Order,
    cwd: &Path,
    line: &UnixStream,
    told: &mut io::PipeWriter,
) -> Result<(), String> {
    // Until the shell runs, nothing of us may outlive the one that waits.
    let with_parent = rustix::process::set_parent_process_death_signal;
    with_parent(Some(rustix::process::Signal::KILL)).map_err(|error| error.to_string())?;
    if order.policy.has_own_network() {
        sys::loopback_up().map_err(|error| format!("no loopback interface: {error}"))?;
        hand_listener_over(order, line)?;
    }
    mounts::enter(&order.policy, cwd)?;
    run(order, line, told, false)
}

/// Takes what the policy does not give, starts the shell, stays until nothing is left. Returns only when it fails before
/// the shell runs.
fn run(
    order: &Order,
    line: &UnixStream,
    told: &mut io::PipeWriter,
    is_awaited: bool,
) -> Result<(), String> {
    // While it can still be opened, and where the command will find it.
    let terminal = hand_terminal_over(order, line)?;
    confine(order, &mounts::writable(&order.policy))?;
    let shell = match sys::fork().map_err(|error| format!("no process for the shell: {error}"))? {
        Fork::Parent(shell) => shell,
        Fork::Child => {
            match &terminal {
                Some(terminal) => take(terminal)?,
                None => drop(setpgid(None, None)),
            }
            return Err(become_command(order));
        }
    };
    drop(terminal);
    rustix::process::set_parent_process_death_signal(None).map_err(|error| error.to_string())?;
    if is_awaited {
        told.write_all(&STARTED)
            .map_err(|error| format!("nobody waits: {error}"))?;
    }
    close_line(line)?;
    let _ = rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable);
    // What is printed is at its end when the last one that prints is.
    for stream in [io::stdout().as_fd(), io::stderr().as_fd()] {
        let _ = sys::replace(stream, line.as_fd());
    }
    attend(shell, told);
    std::process::exit(0)
}

/// Listens where the command finds its proxy, for who started us: it is outside and reaches what we do not.
fn hand_listener_over(order: &Order, line: &UnixStream) -> Result<(), String> {
    let Some(proxy) = &order.proxy else {
        return Ok(());
    };
    let failed = |error: io::Error| format!("no place for the proxy: {error}");
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, proxy.port)).map_err(failed)?;
    handover::send(line, Mark::Listener, &listener).map_err(failed)
}

/// Makes the command's terminal, when it is to have one, and hands our end over to who started us. Answers the other.
fn hand_terminal_over(order: &Order, line: &UnixStream) -> Result<Option<OwnedFd>, String> {
    if !order.is_attended() {
        return Ok(None);
    }
    let made = pair::open().and_then(|pair| {
        handover::send(line, Mark::Terminal, &pair.near)?;
        Ok(Some(pair.far))
    });
    made.map_err(|error| format!("no terminal: {error}"))
}

fn take(terminal: &OwnedFd) -> Result<(), String> {
    pair::take(terminal).map_err(|error| format!("the terminal cannot be taken: {error}"))
}

/// Takes note of everything that ends, until nothing is left.
fn attend(shell: i32, told: &mut io::PipeWriter) {
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid.as_raw_nonzero().get() == shell => {
                let ended = match status.exit_status() {
                    Some(code) => Ended::Exited(code),
                    None => Ended::Signalled(status.terminating_signal().unwrap_or_default()),
                };
                // Who listened may have been killed.
                let _ = told.write_all(&ended.bytes());
            }
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return,
        }
    }
}

/// Takes everything from this process that the policy does not give.
fn confine(order: &Order, writable: &[PathBuf]) -> Result<(), String> {
    let policy = &order.policy;
    rustix::thread::set_no_new_privs(true)
        .map_err(|error| format!("privileges could be gained: {error}"))?;
    sys::drop_capabilities().map_err(|error| format!("capabilities stay: {error}"))?;
    let port = order.proxy.as_ref().map(|proxy| proxy.port);
    let is_held =
        landlock::apply(policy, writable, port).map_err(|error| format!("Landlock: {error}"))?;
    if !is_held && policy.backend == Backend::Landlock {
        return Err("the kernel has no Landlock".to_owned());
    }
    seccomp::apply(policy).map_err(|error| format!("seccomp: {error}"))
}

/// Becomes the command, or does the probe's work. Returns only when that fails.
fn become_command(order: &Order) -> String {
    for signal in ENDING {
        sys::heed(*signal);
    }
    if let Err(error) = sys::close_at_exec() {
        return format!("descriptors stay open: {error}");
    }
    match &order.act {
        Act::Run(program) => {
            let error = match program.command() {
                Ok(mut command) => command
                    .envs(order.proxy.iter().flat_map(ProxyAddress::variables))
                    .exec(),
                Err(error) => error,
            };
            format!("{}: {error}", program.name())
        }
        Act::Probe(attempts) => {
            attempt::make(attempts, order.proxy.as_ref().map(|proxy| proxy.port));
            std::process::exit(0)
        }
    }
}
