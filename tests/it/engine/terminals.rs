//! Commands that have a terminal: what the model is told of them, and what nobody is told.

use std::{cell::RefCell, fs, path::Path};

use quarterdeck::{
    domain::{
        ids::{AgentId, CallId},
        permission::{Level, Mode},
        terminal::{TerminalInput, Typed},
    },
    engine::{
        command::Command,
        event::{CallState, Delta, EventKind},
        options::EngineOptions,
    },
    process::supervisor,
    providers::scripted::Reply,
    text::ansi,
};
use serde_json::json;

use crate::support::bench::Bench;

fn free(options: &mut EngineOptions) {
    options.permissions.level = Level::Unrestricted;
    options.permissions.mode = Mode::Open;
}

/// An engine whose agent runs this line with a terminal.
async fn attended(line: &str) -> (Bench, CallId) {
    supervisor::use_program(env!("CARGO_BIN_EXE_qd"));
    let mut bench = Bench::start_with(free).await;
    bench
        .script
        .reply(Reply::calls(
            "shell_execute",
            json!({"command": line, "interactive": true}),
        ))
        .reply(Reply::says("done"));
    bench.say("run it");
    let event = bench
        .until("a call that can be typed into", |event| {
            matches!(
                event.kind,
                EventKind::Call {
                    state: CallState::Attended,
                    ..
                }
            )
        })
        .await;
    let EventKind::Call { call, .. } = event.kind else {
        unreachable!()
    };
    (bench, call)
}

async fn printed(bench: &mut Bench, words: &str) {
    let shown = RefCell::new(String::new());
    bench
        .until(words, |event| {
            let mut shown = shown.borrow_mut();
            if let EventKind::Delta(Delta::Output { text, .. }) = &event.kind {
                ansi::append(&mut shown, text, 10_000);
            }
            shown.contains(words)
        })
        .await;
}

fn type_in(bench: &Bench, call: &CallId, text: &str) {
    bench.send(Command::Terminal {
        agent: AgentId::main(),
        call: call.clone(),
        input: TerminalInput::Typed(Typed::new(text)),
    });
}

fn files_with(folder: &Path, words: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files_with(&path, words));
        } else if fs::read(&path)
            .is_ok_and(|bytes| bytes.windows(words.len()).any(|window| window == words))
        {
            found.push(path.display().to_string());
        }
    }
    found
}

#[tokio::test]
async fn the_model_is_told_how_much_was_typed_and_nobody_what() {
    let line = "read -rsp 'Password: ' word; printf '\\n\\033[31mgot %s letters\\033[0m\\n' ${#word}; exit 3";
    let (mut bench, call) = attended(line).await;
    printed(&mut bench, "Password: ").await;

    type_in(&bench, &call, "open-");
    type_in(&bench, &call, "sesame");
    type_in(&bench, &call, "\r");
    bench.turn_over().await;

    let texts = bench.texts();
    let told = texts
        .iter()
        .find(|text| text.contains("Password:"))
        .unwrap();
    assert_eq!(
        told,
        "Password: \ngot 11 letters\n[exit code: 3]\n[the person typed 12 characters into it]"
    );
    let home = bench.folder.parent().unwrap();
    assert_ne!(files_with(home, b"letters"), [""; 0]);
    assert_eq!(files_with(home, b"sesame"), [""; 0]);
}

#[tokio::test]
async fn where_nobody_is_asked_nobody_types() {
    supervisor::use_program(env!("CARGO_BIN_EXE_qd"));
    let mut bench = Bench::start_with(|options| {
        free(options);
        options.permissions.approvals = false;
    })
    .await;
    bench
        .script
        .reply(Reply::calls(
            "shell_execute",
            json!({"command": "touch it-ran", "interactive": true}),
        ))
        .reply(Reply::says("done"));
    bench.say("run it");
    bench.turn_over().await;

    let texts = bench.texts();
    assert!(
        texts.iter().any(|text| text.contains("nobody types")),
        "{texts:?}"
    );
    assert!(!bench.folder.join("it-ran").exists());
}

#[tokio::test]
async fn a_program_on_a_terminal_is_stopped_with_what_it_started() {
    let (mut bench, _) = attended(
        "trap '' HUP INT TERM; (trap '' HUP; setsid sleep 300) & echo $! >pid; echo started; read -r line",
    )
    .await;
    printed(&mut bench, "started").await;
    let pid = fs::read_to_string(bench.folder.join("pid")).unwrap();

    bench.send(Command::Cancel {
        agent: AgentId::main(),
    });
    bench.turn_over().await;

    assert!(!Path::new("/proc").join(pid.trim()).exists());
    let texts = bench.texts();
    assert!(
        texts
            .iter()
            .any(|text| text.contains("started")
                && text.contains("[the person typed nothing into it]")),
        "{texts:?}"
    );
}

/// A shell that ends hangs its terminal up; what goes on nevertheless is listed as every job.
#[tokio::test]
async fn what_outlives_its_terminal_is_a_job() {
    let (mut bench, _) = attended("trap '' HUP; sleep 300 >/dev/null 2>&1 &").await;
    bench.turn_over().await;

    let texts = bench.texts();
    assert!(
        texts
            .iter()
            .any(|text| text.contains("still running in the background")
                && text.contains("sleep 300")),
        "{texts:?}"
    );
    bench.send(Command::Session(
        quarterdeck::engine::command::SessionCommand::New,
    ));
    bench
        .until("the new session", |event| {
            matches!(event.kind, EventKind::Opened(_))
        })
        .await;
}
