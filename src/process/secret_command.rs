//! Runs the program that prints a key (`api_key_command`).
//!
//! It has a session of its own and so no terminal to ask on, ten seconds, and its output never reaches a log. What it
//! leaves behind in its process group is ended with it; an agent that puts itself into a session of its own
//! (`gpg-agent`) stays, as it would after the same command in a shell.

#![expect(
    clippy::disallowed_types,
    reason = "this folder is where children are started"
)]

use std::{ffi::OsString, process::Stdio, thread, time::Duration};

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::{
    io::AsyncReadExt as _,
    process::{Child, ChildStdout, Command},
    time::{Instant, timeout_at},
};

/// How long it may take.
const LIMIT: Duration = Duration::from_secs(10);
/// The longest wait for what is left in the pipe once it has ended: somebody else may hold it open.
const REST: Duration = Duration::from_millis(200);
/// Most bytes of a key.
const KEY_BYTES: usize = 64 * 1024;

/// Variables that are set for a child.
type Variables = [(OsString, OsString)];

/// The first line that the program prints. The error names the program and never holds its output. The person named the
/// program, and it may need a secret to reach another one: it is given what is hidden from all other children.
pub fn run(argv: &[String], hidden: &Variables) -> Result<String, String> {
    run_within(argv, hidden, LIMIT)
}

fn run_within(argv: &[String], hidden: &Variables, limit: Duration) -> Result<String, String> {
    let (program, arguments) = argv
        .split_first()
        .ok_or_else(|| "api_key_command is empty".to_owned())?;
    // A thread of its own, since the caller may be a task, and no task may wait for another runtime.
    let printed = thread::scope(|scope| {
        let asking = scope.spawn(|| {
            tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .map_err(|error| format!("{program}: {error}"))?
                .block_on(ask(program, arguments, hidden, limit))
        });
        asking
            .join()
            .unwrap_or_else(|_| Err(format!("{program} could not be asked for a key")))
    })?;
    // What is not UTF-8 is no key.
    let key = std::str::from_utf8(&printed)
        .ok()
        .and_then(|printed| printed.lines().next())
        .unwrap_or_default()
        .trim();
    if key.is_empty() {
        return Err(format!("{program} printed no key"));
    }
    Ok(key.to_owned())
}

/// Runs the program to its end and answers what it printed, at least up to the end of the first line.
async fn ask(
    program: &str,
    arguments: &[String],
    hidden: &Variables,
    limit: Duration,
) -> Result<Vec<u8>, String> {
    let deadline = Instant::now() + limit;
    let mut child = start(program, arguments, hidden)
        .map_err(|error| format!("{program} cannot be started: {error}"))?;
    let mut group = Group(child.id());
    let mut output = Output {
        pipe: child.stdout.take(),
        key: Vec::new(),
    };
    let ended = timeout_at(deadline, async {
        loop {
            tokio::select! {
                status = child.wait() => return status,
                () = output.read() => {}
            }
        }
    });
    let Ok(status) = ended.await else {
        drop(group);
        // So that it is no zombie.
        let _ = timeout_at(Instant::now() + REST, child.wait()).await;
        return Err(format!(
            "{program} did not print a key within {} s",
            limit.as_secs()
        ));
    };
    group.end();
    let status = status.map_err(|error| format!("{program}: {error}"))?;
    if !status.success() {
        return Err(format!("{program} failed ({status})"));
    }
    let rest = async {
        while output.pipe.is_some() && !output.key.contains(&b'\n') {
            output.read().await;
        }
    };
    let _ = timeout_at(Instant::now() + REST, rest).await;
    Ok(output.key)
}

fn start(program: &str, arguments: &[String], hidden: &Variables) -> std::io::Result<Child> {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .envs(hidden.iter().map(|(name, value)| (name, value)))
        .env_remove(super::environment::HANDED_OVER)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    #[expect(
        unsafe_code,
        reason = "only the child itself can leave our session before it becomes the program"
    )]
    // SAFETY: between fork and exec only these two system calls are made; nothing is allocated and no lock is taken.
    unsafe {
        command.pre_exec(|| {
            rustix::process::setsid()?;
            // The thread that starts it waits for its end, so this comes only when we are killed.
            #[cfg(target_os = "linux")]
            rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
            Ok(())
        });
    }
    command.spawn()
}

/// The processes that the program started and that did not leave its group. Ended when dropped.
struct Group(Option<u32>);

impl Group {
    fn end(&mut self) {
        let leader = self.0.take().and_then(|pid| Pid::from_raw(pid as i32));
        if let Some(leader) = leader {
            // There is none any more when all have ended.
            let _ = kill_process_group(leader, Signal::KILL);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end();
    }
}

/// What it prints: the beginning is kept, the rest is read away so that it can end.
struct Output {
    pipe: Option<ChildStdout>,
    key: Vec<u8>,
}

impl Output {
    /// Reads a piece; never returns when the pipe has ended.
    async fn read(&mut self) {
        let Some(pipe) = &mut self.pipe else {
            return std::future::pending().await;
        };
        let mut piece = [0; 4096];
        match pipe.read(&mut piece).await {
            Ok(length @ 1..) => {
                let room = KEY_BYTES.saturating_sub(self.key.len());
                self.key.extend(piece.iter().take(length.min(room)));
            }
            Ok(0) | Err(_) => self.pipe = None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Vec<String> {
        ["sh", "-c", script].map(str::to_owned).to_vec()
    }

    fn ask_for(argv: &[String]) -> Result<String, String> {
        run(argv, &[])
    }

    #[test]
    fn it_is_given_what_is_hidden_from_others() {
        let hidden = [("OP_SERVICE_ACCOUNT_TOKEN".into(), "opens".into())];

        let key = run(&shell("echo $OP_SERVICE_ACCOUNT_TOKEN"), &hidden);

        assert_eq!(key, Ok("opens".to_owned()));
    }

    #[test]
    fn the_first_line_is_the_key() {
        assert_eq!(
            ask_for(&shell("printf ' key \\nmore\\n'")),
            Ok("key".to_owned())
        );
    }

    #[test]
    fn failures_name_the_program_and_never_its_output() {
        assert_eq!(
            ask_for(&shell("echo secret; exit 3")),
            Err("sh failed (exit status: 3)".to_owned())
        );
        assert_eq!(ask_for(&shell("true")), Err("sh printed no key".to_owned()));
        assert!(
            ask_for(&["/no/such/program".to_owned()])
                .is_err_and(|error| error.contains("cannot be started"))
        );
    }
    #[test]
    fn a_job_that_it_leaves_behind_holds_nobody_up_and_is_ended() {
        let folder = tempfile::tempdir().unwrap();
        let pid = folder.path().join("pid");
        let script = format!("sleep 600 & echo $! >{}; printf key", pid.display());
        let started = Instant::now();

        let key = ask_for(&shell(&script));

        assert_eq!(key, Ok("key".to_owned()));
        assert!(started.elapsed() < LIMIT);
        assert!(is_gone(&std::fs::read_to_string(pid).unwrap()));
    }

    #[test]
    fn a_program_that_is_too_slow_is_ended_with_its_children() {
        let folder = tempfile::tempdir().unwrap();
        let pid = folder.path().join("pid");
        let script = format!("sleep 600 & echo $! >{}; wait", pid.display());

        let answer = run_within(&shell(&script), &[], Duration::from_secs(1));

        assert_eq!(answer, Err("sh did not print a key within 1 s".to_owned()));
        assert!(is_gone(&std::fs::read_to_string(pid).unwrap()));
    }

    #[test]
    fn it_has_a_session_of_its_own_and_so_no_terminal() {
        let script =
            "read -r pid name state parent group session rest </proc/self/stat; echo $pid $session";

        let told = ask_for(&shell(script)).unwrap();

        let (pid, session) = told.split_once(' ').unwrap();
        assert_eq!(pid, session);
    }

    #[test]
    fn a_program_that_prints_more_than_a_pipe_holds_can_end() {
        assert_eq!(
            ask_for(&shell("echo key; yes | head -c 1000000")),
            Ok("key".to_owned())
        );
    }

    /// Whether a process has ended, perhaps without anybody having waited for it. Killing takes effect a little later.
    fn is_gone(pid: &str) -> bool {
        let deadline = Instant::now() + Duration::from_secs(5);
        while Instant::now() < deadline {
            let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
            if stat.is_err() || stat.is_ok_and(|stat| stat.contains(") Z ")) {
                return true;
            }
            thread::yield_now();
        }
        false
    }
}
