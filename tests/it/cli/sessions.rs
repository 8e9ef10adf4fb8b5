//! Stored sessions: listing, showing, and what is said when the store cannot be read.

use quarterdeck::{
    domain::{
        chat::{ChatMessage, ContentBlock},
        ids::{AgentId, CallId},
        record::{Lane, Record, ReplyEnd, Speaker, TurnOutcome},
        session::SessionInfo,
        tool::{CallStatus, ToolCall, ToolResult},
        usage::Usage,
    },
    store::{Clock, StoreHandle, StoreOptions},
};
use serde_json::{Value, json};

use super::program::{Program, Run};
use crate::store::world::schema;

fn said(text: &str) -> Record {
    Record::Said {
        speaker: Speaker::Person,
        lane: Lane::Steer,
        text: text.to_owned(),
    }
}

/// A program with one session in which a tool ran.
async fn stored() -> (Program, SessionInfo) {
    let program = Program::new();
    let options = StoreOptions {
        clock: Clock::new(|| 1_764_500_000_000),
        ..StoreOptions::default()
    };
    let (store, _) = StoreHandle::open_with(program.store_places(), options)
        .await
        .unwrap();
    let session = store.create_session(&program.folder).await.unwrap();
    let call = CallId::new("call_1");
    let mut message = ChatMessage::assistant("I look at it.\u{1b}[31m");
    message.blocks.push(ContentBlock::ToolCall(ToolCall {
        id: call.clone(),
        name: "file_read".to_owned(),
        arguments: json!({"path": "src/a.rs"}),
        malformed: None,
    }));
    let mut result = ToolResult::plain(call, CallStatus::Done, "line\n".repeat(25));
    result.outcome = "25 lines".to_owned();
    let records = [
        said("Fix the\u{202e} test"),
        Record::Reply {
            message,
            end: ReplyEnd::ToolCalls,
            usage: Usage::default(),
        },
        Record::Result { result },
        Record::TurnFinished {
            turn: Default::default(),
            outcome: TurnOutcome::Cancelled,
            recap: Default::default(),
        },
    ];
    for record in records {
        store
            .append(&session.id, &AgentId::main(), record)
            .await
            .unwrap();
    }
    let info = store.session(&session.id).await.unwrap();
    store.close().await.unwrap();
    (program, info)
}

#[tokio::test]
async fn sessions_of_the_folder_are_listed_for_people_and_programs() {
    let (program, info) = stored().await;
    let elsewhere = program.home.display().to_string();

    let text = program.run(&["session", "list"]);
    let listed = program.run(&["session", "list", "--format", "json"]);
    let other_folder = program.run(&["session", "list", "-C", &elsewhere]);
    let all = program.run(&["session", "list", "--all", "-C", &elsewhere]);

    assert_eq!(
        text,
        Run {
            code: Some(0),
            out: format!("{}  2025-11-30 10:53  1 message  Fix the test\n", info.id),
            err: String::new()
        }
    );
    let listed: Vec<SessionInfo> = serde_json::from_str(&listed.out).unwrap();
    assert_eq!(listed, [info]);
    assert_eq!(
        (other_folder.code, other_folder.out.as_str()),
        (Some(0), "")
    );
    assert!(other_folder.err.contains("--all"), "{}", other_folder.err);
    assert!(all.out.contains("Fix the test"), "{}", all.out);
}

#[tokio::test]
async fn a_session_is_shown_as_a_clean_transcript() {
    let (program, info) = stored().await;
    let prefix = &info.id.as_str()[..13];

    let run = program.run(&["session", "show", prefix]);
    let latest = program.run(&["session", "show"]);

    let output = "  │ line\n".repeat(20);
    let expected = format!(
        "Fix the test\n{id}  2025-11-30 10:53  {folder}\n\n\
         ── You · 2025-11-30 10:53\nFix the test\n\n\
         ── main · 2025-11-30 10:53\nI look at it.\n▸ file_read {{\"path\":\"src/a.rs\"}}\n\n\
         ◂ done · 25 lines\n{output}  │ … 5 more lines; --format json has them\n\n\
         · main: you cancelled the turn\n",
        id = info.id,
        folder = program.folder.display()
    );
    assert_eq!(
        run,
        Run {
            code: Some(0),
            out: expected,
            err: String::new()
        }
    );
    assert_eq!(latest, run);
}

#[tokio::test]
async fn a_session_as_json_has_every_record_as_it_was_stored() {
    let (program, info) = stored().await;

    let run = program.run(&["session", "show", info.id.as_str(), "--format", "json"]);

    let shown: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(shown["session"]["id"], json!(info.id));
    let records = shown["records"].as_array().unwrap();
    assert_eq!(records.len(), 4);
    assert_eq!(records[0]["record"]["text"], json!("Fix the\u{202e} test"));
    assert_eq!(
        records[2]["record"]["result"]["text"],
        json!("line\n".repeat(25))
    );
}

#[tokio::test]
async fn a_session_that_is_not_there_fails_with_a_way_on() {
    let (program, _) = stored().await;
    let nothing_yet = Program::new();

    let wrong = program.run(&["session", "show", "ffff"]);
    let none = nothing_yet.run(&["session", "show"]);
    let empty = nothing_yet.run(&["session", "list", "--format", "json"]);

    assert_eq!(wrong.code, Some(1));
    assert_eq!(
        wrong.err,
        "error: there is no session ffff\n  = help: `qd session list` shows the sessions of this folder\n"
    );
    assert_eq!(none.code, Some(1));
    assert_eq!(none.out, "");
    assert_eq!((empty.code, empty.out.as_str()), (Some(0), "[]\n"));
    assert!(!nothing_yet.home.exists(), "a listing made files");
}

#[tokio::test]
async fn a_database_of_a_newer_version_exits_5_and_names_both_versions() {
    let (program, _) = stored().await;
    rusqlite::Connection::open(program.store_places().database())
        .unwrap()
        .execute_batch("PRAGMA user_version = 999")
        .unwrap();

    let run = program.run(&["session", "list"]);

    assert_eq!((run.code, run.out.as_str()), (Some(5), ""));
    assert!(run.err.contains("schema version 999"), "{}", run.err);
    let known = format!("versions up to {}", schema());
    assert!(run.err.contains(&known), "{}", run.err);
    assert!(
        run.err.contains("= help: start the newer version"),
        "{}",
        run.err
    );
}

#[tokio::test]
async fn what_was_done_to_a_damaged_database_is_told_on_stderr() {
    let (program, _) = stored().await;
    super::program::write(&program.store_places().database(), "no database at all");

    let run = program.run(&["session", "list", "--format", "json"]);

    assert_eq!((run.code, run.out.as_str()), (Some(0), "[]\n"));
    assert!(
        run.err
            .starts_with("warning: The session database was damaged"),
        "{}",
        run.err
    );
}
