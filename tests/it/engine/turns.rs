//! A turn from the person's words to the agent's rest.

use quarterdeck::{
    domain::{
        chat::ContentBlock,
        ids::AgentId,
        permission::{Level, Mode},
        record::{Record, TurnOutcome},
        tool::CallStatus,
        window::WindowPart,
    },
    engine::{
        command::{Command, Fetch, ScratchpadEdit},
        event::{Delta, EventKind, Fetched},
    },
    process::supervisor,
    providers::{
        error::{Fault, ProviderError},
        scripted::{Gate, Reply},
    },
};
use serde_json::json;

use crate::support::bench::Bench;

#[tokio::test]
async fn words_are_answered_and_both_are_stored() {
    let mut bench = Bench::start().await;
    bench.script.reply(Reply::says("Hello!").usage(12, 0, 3));
    bench.say("hi there");

    let outcome = bench.turn_over().await;

    assert_eq!(outcome, TurnOutcome::Finished);
    let kinds: Vec<String> = bench
        .records()
        .iter()
        .map(|stored| match &stored.record {
            Record::Titled { title } => format!("title {title}"),
            Record::ContextNote { .. } => "note".to_owned(),
            Record::TurnStarted { turn } => format!("turn {turn}"),
            Record::Said { text, .. } => format!("said {text}"),
            Record::Reply { message, .. } => format!("reply {}", message.text()),
            Record::TurnFinished { .. } => "finished".to_owned(),
            other => format!("{other:?}"),
        })
        .collect();
    assert_eq!(
        kinds,
        [
            "title hi there",
            "note",
            "turn 1",
            "said hi there",
            "reply Hello!",
            "finished"
        ]
    );
    let orders: Vec<u64> = bench
        .records()
        .iter()
        .map(|stored| stored.sequence.0)
        .collect();
    assert!(orders.is_sorted(), "{orders:?}");
}

#[tokio::test]
async fn text_is_shown_while_it_comes() {
    let mut bench = Bench::start().await;
    let gate = Gate::new();
    bench
        .script
        .reply(Reply::new().text("Hel").gate(&gate).text("lo").stop());
    bench.say("hi");

    bench
        .until("the first piece", |event| {
            event.kind == EventKind::Delta(Delta::Text("Hel".to_owned()))
        })
        .await;
    gate.open();

    assert_eq!(bench.turn_over().await, TurnOutcome::Finished);
}

#[tokio::test]
async fn a_tool_result_reaches_the_next_request_in_call_order() {
    let mut bench = Bench::start().await;
    bench.script.reply(
        Reply::new()
            .call("checklist_add", json!({"items": ["write it"]}))
            .call("no_such_tool", json!({}))
            .tool_calls(),
    );
    bench.script.reply(Reply::calls(
        "checklist_edit",
        json!({"id": 1, "status": "completed"}),
    ));
    bench.script.reply(Reply::says("Done."));
    bench.say("go");

    bench.turn_over().await;

    let requests = bench.script.requests();
    let last = requests[1].messages.last().expect("a message");
    let results: Vec<(CallStatus, bool)> = last
        .blocks
        .iter()
        .map(|block| match block {
            ContentBlock::ToolResult(result) => {
                (result.status, result.text.contains("no tool named"))
            }
            other => panic!("not a result: {other:?}"),
        })
        .collect();
    assert_eq!(
        results,
        [(CallStatus::Done, false), (CallStatus::Failed, true)]
    );
    assert_eq!(requests[0].system, requests[2].system);
}

#[tokio::test]
async fn malformed_arguments_are_told_to_the_model() {
    let mut bench = Bench::start().await;
    bench.script.reply(
        Reply::new()
            .raw_call("checklist_read", "{\"a\":")
            .tool_calls(),
    );
    bench.script.reply(Reply::says("Sorry."));
    bench.say("go");

    bench.turn_over().await;

    let results = bench.results();
    assert_eq!(results[0].status, CallStatus::Failed);
    assert!(
        results[0].text.contains("not a JSON object"),
        "{}",
        results[0].text
    );
}

#[tokio::test]
async fn a_refused_request_is_one_clear_line_and_the_session_goes_on() {
    let mut bench = Bench::start().await;
    bench.script.reply(Reply::refused(ProviderError::new(
        Fault::Unauthorized,
        "the key is wrong",
    )));
    bench.script.reply(Reply::says("Now it works."));

    bench.say("first");
    let first = bench.turn_over().await;
    bench.say("second");
    let second = bench.turn_over().await;

    assert_eq!(
        first,
        TurnOutcome::Failed {
            reason: "the key is wrong".to_owned()
        }
    );
    assert_eq!(second, TurnOutcome::Finished);
}

#[tokio::test]
async fn a_large_output_is_kept_whole_and_shown_in_part() {
    let mut bench = Bench::start_with(|options| {
        options.permissions.level = Level::Unrestricted;
        options.permissions.mode = Mode::Open;
    })
    .await;
    bench.script.reply(Reply::calls(
        "shell_execute",
        json!({"command": "seq 1 20000"}),
    ));
    bench.script.reply(Reply::says("Counted."));
    bench.say("count");

    bench.turn_over().await;

    let result = &bench.results()[0];
    assert!(
        result.text.len() < 30_000,
        "{} bytes inline",
        result.text.len()
    );
    assert!(result.text.starts_with("1\n2\n") && result.text.contains("artifact://"));
    assert!(
        (3_000..3_500).contains(&result.text.len()),
        "{} bytes",
        result.text.len()
    );
    let artifact = result.artifact.as_ref().expect("the whole output");
    let whole: String = (1..=20_000).map(|n| format!("{n}\n")).collect();
    assert_eq!(artifact.bytes as usize, whole.len());
}

#[tokio::test]
async fn a_named_scratchpad_entry_takes_the_output_out_of_the_conversation() {
    let mut bench = Bench::start().await;
    bench.file("a.txt", "the content of a\n");
    bench.script.reply(Reply::calls(
        "file_read",
        json!({"path": "a.txt", "scratchpad": "notes"}),
    ));
    bench
        .script
        .reply(Reply::calls("scratchpad_read", json!({"name": "notes"})));
    bench.script.reply(Reply::says("Read."));
    bench.say("read it");

    bench.turn_over().await;

    let results = bench.results();
    assert!(
        !results[0].text.contains("the content of a"),
        "{}",
        results[0].text
    );
    assert!(
        results[1].text.contains("the content of a"),
        "{}",
        results[1].text
    );
}

#[tokio::test]
async fn an_unfit_name_for_the_scratchpad_is_refused_before_anything_runs() {
    let mut bench = Bench::start_with(|options| options.permissions.mode = Mode::Open).await;
    for name in ["two\nlines".to_owned(), "x".repeat(121)] {
        bench.script.reply(Reply::calls(
            "file_write",
            json!({"path": "made.txt", "content": "x", "scratchpad": name}),
        ));
    }
    bench.script.reply(Reply::says("No."));
    bench.say("write it");

    bench.turn_over().await;

    let texts = bench.texts();
    assert_eq!(
        texts,
        [
            "file_write: `scratchpad` must be one line without control characters",
            "file_write: `scratchpad` has 121 characters; at most 120 are possible",
        ]
    );
    assert!(!bench.folder.join("made.txt").exists());
}

#[tokio::test]
async fn a_generated_name_never_takes_the_place_of_another_entry() {
    supervisor::use_program(env!("CARGO_BIN_EXE_qd"));
    let mut bench = Bench::start_with(|options| {
        options.permissions.level = Level::Unrestricted;
        options.permissions.mode = Mode::Open;
    })
    .await;
    let mut names = Vec::new();
    for turn in ["one", "two", "three"] {
        bench.script.reply(Reply::calls(
            "shell_execute",
            json!({"command": "seq 20000"}),
        ));
        bench.script.reply(Reply::says(turn));
        bench.say(turn);
        bench.turn_over().await;
        names = entries(&bench);
        if turn == "two" {
            assert_eq!(names.len(), 1, "the same output is kept once: {names:?}");
            bench.send(Command::EditScratchpad {
                agent: AgentId::main(),
                edit: ScratchpadEdit::Write {
                    name: names[0].0.clone(),
                    content: "mine".to_owned(),
                },
            });
        }
    }

    let digits = |name: &str| name.len() - "shell_execute_".len();
    assert_eq!(names.len(), 2, "{names:?}");
    assert_eq!((digits(&names[0].0), names[0].1), (8, 4));
    assert_eq!((digits(&names[1].0), names[1].1), (16, 108_894));
}

/// Names and sizes of the scratchpad's entries, as last told.
fn entries(bench: &Bench) -> Vec<(String, u64)> {
    let told = bench.seen.iter().rev().find_map(|event| match &event.kind {
        EventKind::Scratchpad(entries) => Some(entries),
        _ => None,
    });
    told.into_iter()
        .flatten()
        .map(|entry| (entry.name.clone(), entry.bytes))
        .collect()
}

#[tokio::test]
async fn a_recap_counts_only_calls_that_ran() {
    let mut bench = Bench::start().await;
    bench.file("notes.txt", "one\n");
    bench
        .script
        .reply(
            Reply::new()
                .call("shell_execute", json!({"command": "true", "nonsense": 1}))
                .call("file_find", json!({"pattern": "*"}))
                .call("read", json!({"path": "notes.txt"}))
                .call("file_read", json!({"path": "gone.txt"}))
                .tool_calls(),
        )
        .reply(Reply::says("ok"));
    bench.say("go");
    bench.turn_over().await;

    let recap = bench
        .records()
        .into_iter()
        .find_map(|stored| match stored.record {
            Record::TurnFinished { recap, .. } => Some(recap),
            _ => None,
        })
        .expect("a recap");

    assert_eq!(bench.results()[0].status, CallStatus::Failed);
    assert_eq!((recap.commands, recap.file_ops, recap.tools), (0, 2, 1));
}

#[tokio::test]
async fn what_stands_in_the_window_is_told_the_largest_first() {
    let mut bench = Bench::start().await;
    bench.file("long.txt", &"a line of words\n".repeat(2_000));
    bench
        .script
        .reply(Reply::calls("file_read", json!({"path": "long.txt"})));
    bench.script.reply(Reply::says("It is long."));
    bench.say("read it");
    bench.turn_over().await;

    bench.send(Command::Fetch(Fetch::Window(AgentId::main())));
    let told = bench
        .until("the parts", |event| {
            matches!(&event.kind, EventKind::Fetched(Fetched::Window(_)))
        })
        .await;

    let EventKind::Fetched(Fetched::Window(items)) = told.kind else {
        panic!("not the parts");
    };
    assert_eq!(items[0].part, WindowPart::Output);
    assert_eq!(items[0].name, "file_read long.txt");
    let has = |part, name: &str| {
        items
            .iter()
            .any(|item| item.part == part && item.name == name)
    };
    assert!(has(WindowPart::System, "prompt"));
    assert!(has(WindowPart::Tool, "file_read"));
    assert!(has(WindowPart::Said, "read it"));
    assert!(has(WindowPart::Reply, "It is long."));
}
