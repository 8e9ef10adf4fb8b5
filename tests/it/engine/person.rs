//! Command lines that the person runs.

use quarterdeck::{
    domain::{
        ids::AgentId,
        record::Record,
        tool::{CallStatus, ToolResult},
    },
    engine::{
        command::Command,
        event::{Delta, EventKind},
    },
    process::supervisor,
};

use crate::support::bench::Bench;

/// A bench with a command that has said something and goes on for long.
async fn running() -> Bench {
    supervisor::use_program(env!("CARGO_BIN_EXE_qd"));
    let mut bench = Bench::start().await;
    bench.send(Command::RunShell {
        command: "echo begun; sleep 600".to_owned(),
        shared: true,
        attended: false,
    });
    bench
        .until("its first words", |event| {
            matches!(&event.kind, EventKind::Delta(Delta::Output { text, .. }) if text.contains("begun"))
        })
        .await;
    bench
}

async fn results(bench: &Bench) -> Vec<ToolResult> {
    let stored = bench.stored().await.into_iter();
    stored
        .filter_map(|stored| match stored.record {
            Record::PersonRan { result, .. } => Some(result),
            _ => None,
        })
        .collect()
}

fn check(results: &[ToolResult]) {
    assert_eq!(results.len(), 1);
    assert_eq!(results[0].status, CallStatus::Interrupted);
    assert!(results[0].text.contains("begun"), "{}", results[0].text);
}

#[tokio::test]
async fn a_command_of_the_person_can_be_stopped() {
    let mut bench = running().await;

    bench.send(Command::Cancel {
        agent: AgentId::main(),
    });
    bench
        .until("its end", |event| {
            matches!(&event.kind, EventKind::Recorded(stored) if matches!(stored.record, Record::PersonRan { .. }))
        })
        .await;

    check(&results(&bench).await);
}

#[tokio::test]
async fn a_command_that_runs_when_the_session_is_left_leaves_what_it_said() {
    let bench = running().await;

    let bench = bench.restart().await;

    check(&results(&bench).await);
}
