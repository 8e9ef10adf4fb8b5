//! Processes that a command leaves behind: shown, ended by the person, ended with their session.

use std::{fs::File, io::Read as _, path::PathBuf, time::Duration};

use quarterdeck::{
    domain::{
        job::JobInfo,
        permission::{Level, Mode},
    },
    engine::{
        command::{Command, Fetch, SessionCommand},
        event::{EventKind, Fetched},
    },
    process::supervisor,
    providers::scripted::Reply,
};
use serde_json::json;

use crate::support::bench::Bench;

/// An engine whose agent has left a job behind, and what ends when the job has.
async fn with_job() -> (Bench, impl Future<Output = ()>) {
    supervisor::use_program(env!("CARGO_BIN_EXE_qd"));
    let mut bench = Bench::start_with(|options| {
        options.permissions.level = Level::Unrestricted;
        options.permissions.mode = Mode::Open;
    })
    .await;
    let held = bench.folder.join("held");
    rustix::fs::mknodat(
        rustix::fs::CWD,
        &held,
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::from_raw_mode(0o600),
        0,
    )
    .unwrap();
    let ended = closed(held);
    bench
        .script
        .reply(Reply::calls(
            "shell_execute",
            json!({"command": "exec 9>held; setsid sleep 300 & echo started"}),
        ))
        .reply(Reply::says("it runs"));
    bench.say("start it");
    bench.turn_over().await;
    (bench, ended)
}

/// Ends when nobody holds the other end of the pipe any more.
fn closed(pipe: PathBuf) -> impl Future<Output = ()> {
    let reading = tokio::task::spawn_blocking(move || {
        let mut text = String::new();
        File::open(pipe).unwrap().read_to_string(&mut text).unwrap();
    });
    async {
        tokio::time::timeout(Duration::from_secs(20), reading)
            .await
            .expect("the job survives")
            .unwrap();
    }
}

/// Waits until so many jobs are told.
async fn told(bench: &mut Bench, count: usize) -> Vec<JobInfo> {
    let event = bench
        .until("the jobs", |event| {
            matches!(&event.kind, EventKind::Fetched(Fetched::Jobs(jobs)) if jobs.len() == count)
        })
        .await;
    match event.kind {
        EventKind::Fetched(Fetched::Jobs(jobs)) => jobs,
        other => panic!("no jobs: {other:?}"),
    }
}

#[tokio::test]
async fn a_job_is_listed_and_the_person_can_end_it() {
    let (mut bench, ended) = with_job().await;

    bench.send(Command::Fetch(Fetch::Jobs));
    let jobs = told(&mut bench, 1).await;
    assert_eq!(jobs[0].processes[0].command, "sleep 300");
    assert!(bench.results()[0].outcome.ends_with("left a job"));
    bench.send(Command::StopJob { id: jobs[0].id });

    assert_eq!(told(&mut bench, 0).await, []);
    ended.await;
}

#[tokio::test]
async fn a_job_ends_with_its_session() {
    let (mut bench, ended) = with_job().await;

    bench.send(Command::Session(SessionCommand::New));
    bench
        .until("the new session", |event| {
            matches!(event.kind, EventKind::Opened(_))
        })
        .await;

    ended.await;
}

/// Nobody has to ask for it.
#[tokio::test]
async fn a_job_that_begins_or_ends_by_itself_is_told() {
    supervisor::use_program(env!("CARGO_BIN_EXE_qd"));
    let mut bench = Bench::start_with(|options| {
        options.permissions.level = Level::Unrestricted;
        options.permissions.mode = Mode::Open;
    })
    .await;
    bench
        .script
        .reply(Reply::calls(
            "shell_execute",
            json!({"command": "mkfifo held; cat held >/dev/null & echo started"}),
        ))
        .reply(Reply::says("it runs"));
    bench.say("start it");
    told(&mut bench, 1).await;

    let held = bench.folder.join("held");
    tokio::task::spawn_blocking(move || File::options().write(true).open(held).unwrap())
        .await
        .unwrap();

    told(&mut bench, 0).await;
}
