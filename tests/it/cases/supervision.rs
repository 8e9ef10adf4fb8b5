//! Commands whose supervisor is killed or stopped, or whose program is.

use std::{io::Write as _, os::unix::net::UnixStream, process::Stdio};

use quarterdeck::process::{supervisor, table};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use tokio::time::timeout;

use super::shell::{GUARD, World};

/// Nobody but its supervisor would end the command once we are gone.
#[tokio::test]
async fn nothing_of_a_tree_is_left_when_it_kills_its_supervisor() {
    for command in [
        "exec 9>held; echo up; setsid sleep 300 & kill -9 $PPID; sleep 300",
        "exec 9>held; echo up; (setsid sh -c 'sleep 300; true' &); sleep 300 & kill -9 $PPID",
    ] {
        let world = World::new();
        let held = world.pipe("held");

        let text = world.text(command).await;

        assert_eq!(
            text,
            "up\n[ended with all its processes: it killed the supervisor, its parent]"
        );
        assert_eq!(held.await, "");
    }
}

#[tokio::test]
async fn nothing_of_a_tree_is_left_when_its_supervisor_answers_no_more() {
    let world = World::new();
    let held = world.pipe("held");

    let output = world
        .call(json!({
            "command": "exec 9>held; echo up; setsid sleep 300 & kill -STOP $PPID; sleep 300",
            "timeout_ms": 700,
        }))
        .await
        .unwrap();

    assert_eq!(held.await, "");
    assert!(
        output
            .text
            .starts_with("up\n[ended with all its processes after 700 ms")
    );
}

#[tokio::test]
async fn a_job_ends_whatever_happens_to_its_supervisor() {
    for signal in [Signal::KILL, Signal::STOP] {
        let world = World::new();
        let held = world.pipe("held");
        let text = world
            .text("exec 9>held; setsid sleep 300 & echo $PPID")
            .await;
        let supervisor = text.lines().next().and_then(|line| line.parse().ok());
        let job = world.job();

        kill_process(Pid::from_raw(supervisor.unwrap()).unwrap(), signal).unwrap();
        if signal == Signal::STOP {
            let stopped = timeout(GUARD, table::stop(&world.session(), job.id)).await;
            assert!(stopped.unwrap().is_some());
        }

        assert_eq!(held.await, "");
    }
}

/// The other end of a supervisor's line is held by a process that is killed without a chance to clean up.
#[tokio::test]
#[expect(clippy::disallowed_types, reason = "the test is the parent here")]
async fn nothing_of_a_tree_is_left_when_its_owner_is_killed() {
    let world = World::new();
    let held = world.pipe("held");
    let started = world.pipe("started");
    let (mut near, far) = UnixStream::pair().unwrap();
    let command =
        "exec 9>held; echo up >started; setsid sleep 300 & (trap '' TERM; sleep 300) & sleep 300";
    let task = json!({ "program": { "Line": command }, "sandbox": null }).to_string();
    near.write_all(&(task.len() as u64).to_le_bytes()).unwrap();
    near.write_all(task.as_bytes()).unwrap();
    let mut supervisor = std::process::Command::new(env!("CARGO_BIN_EXE_qd"))
        .arg(supervisor::SUBCOMMAND)
        .current_dir(world.folder.path())
        .stdin(Stdio::from(std::os::fd::OwnedFd::from(far)))
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut owner = std::process::Command::new("sleep")
        .arg("300")
        .stdin(Stdio::from(std::os::fd::OwnedFd::from(near)))
        .spawn()
        .unwrap();
    assert_eq!(started.await, "up\n");

    owner.kill().unwrap();
    owner.wait().unwrap();

    assert_eq!(held.await, "");
    assert!(supervisor.wait().unwrap().success());
}
