//! Scratchpad entries: those that an agent lends to one below it are read there and never changed, and those of its own
//! are its own.

use quarterdeck::{
    domain::{ids::AgentId, permission::Mode, record::Record},
    engine::{
        command::{Command, WindowCommand},
        event::EventKind,
    },
    providers::scripted::Reply,
};
use serde_json::{Value, json};

use crate::support::bench::Bench;

/// What a child hears whose parent has the entries `notes` and `secret` and lends it `notes`.
async fn lent(calls: &[(&str, Value)]) -> (Bench, Vec<String>) {
    let mut bench = Bench::start_with(|options| options.permissions.mode = Mode::Open).await;
    let write = |name: &str| {
        let arguments = json!({"name": name, "content": format!("{name} of the parent\n")});
        Reply::calls("scratchpad_write", arguments)
    };
    let spawn = json!({"prompt": "look", "agent": "scout", "inherit_scratchpad": ["notes"]});
    bench.script.reply_to("main", write("notes"));
    bench.script.reply_to("main", write("secret"));
    let spawn = Reply::calls("agent_spawn", spawn);
    bench.script.reply_to("main", spawn);
    for (tool, arguments) in calls {
        let call = Reply::calls(*tool, arguments.clone());
        bench.script.reply_to("scout", call);
    }
    bench.script.reply_to("scout", Reply::says("looked"));
    let read = Reply::calls("scratchpad_read", json!({"name": "notes"}));
    bench.script.reply_to("main", read);
    bench.script.reply_to("main", Reply::says("done"));
    bench.say("go");
    bench.turn_over().await;
    let texts = bench.texts();
    assert_eq!(
        texts.last().map(String::as_str),
        Some("notes of the parent\n")
    );
    let heard = texts[2..2 + calls.len()].to_vec();
    (bench, heard)
}

#[tokio::test]
async fn a_lent_entry_is_read_listed_merged_and_saved_and_no_other() {
    let (bench, heard) = lent(&[
        ("scratchpad_list", json!({})),
        ("scratchpad_read", json!({"name": "notes"})),
        ("scratchpad_read", json!({"name": "secret"})),
        (
            "scratchpad_write",
            json!({"name": "note of mine", "content": "mine"}),
        ),
        (
            "scratchpad_merge",
            json!({"sources": ["notes"], "prefix": "note", "target": "all", "format": "concat"}),
        ),
        ("scratchpad_read", json!({"name": "all"})),
        (
            "scratchpad_merge",
            json!({"prefix": "note", "target": "own", "format": "concat"}),
        ),
        ("scratchpad_read", json!({"name": "own"})),
        (
            "scratchpad_save_file",
            json!({"name": "notes", "path": "saved.txt"}),
        ),
    ])
    .await;

    let rows: Vec<&str> = heard[0].lines().skip(1).collect();
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert!(
        rows[0].starts_with("notes\t20 B\t") && rows[0].ends_with("\tinherited"),
        "{rows:?}"
    );
    assert_eq!(heard[1], "notes of the parent\n");
    assert_eq!(
        heard[2],
        "scratchpad_read: there is no entry `secret`; the entries are notes"
    );
    assert_eq!(heard[5], "notes of the parent\n\nmine");
    assert_eq!(heard[7], "mine");
    let saved = std::fs::read_to_string(bench.folder.join("saved.txt")).unwrap();
    assert_eq!(saved, "notes of the parent\n");
}

#[tokio::test]
async fn nothing_changes_a_lent_entry() {
    let own = json!({"name": "own", "content": "mine"});
    let tries = [
        (
            "scratchpad_write",
            json!({"name": "notes", "content": "mine"}),
        ),
        (
            "scratchpad_edit",
            json!({"name": "notes", "content": "mine"}),
        ),
        ("scratchpad_delete", json!({"name": "notes"})),
        ("scratchpad_rename", json!({"old": "notes", "new": "taken"})),
        (
            "scratchpad_merge",
            json!({"sources": ["own"], "target": "notes"}),
        ),
        (
            "scratchpad_load_file",
            json!({"path": "a.txt", "name": "notes"}),
        ),
    ];
    let mut calls = vec![
        ("scratchpad_write", own),
        ("file_write", json!({"path": "a.txt", "content": "mine"})),
        ("scratchpad_rename", json!({"old": "own", "new": "notes"})),
    ];
    calls.extend(tries.iter().cloned());

    let (_bench, heard) = lent(&calls).await;

    assert!(
        heard[2].contains("there is an entry `notes` already"),
        "{heard:?}"
    );
    for (text, (tool, _)) in heard[3..].iter().zip(&tries) {
        assert_eq!(
            text, "\"notes\" is lent by your parent and read-only; write under another name",
            "{tool}"
        );
    }
}

#[tokio::test]
async fn reading_an_entry_stays_in_the_conversation_however_large_it_is() {
    let mut bench = Bench::start().await;
    let content = "seven words for a line of prose\n".repeat(2_000);
    for (tool, arguments) in [
        (
            "scratchpad_write",
            json!({"name": "log", "content": content}),
        ),
        (
            "scratchpad_read",
            json!({"name": "log", "limit": content.len()}),
        ),
        ("scratchpad_list", json!({})),
    ] {
        bench.script.reply(Reply::calls(tool, arguments));
    }
    bench.script.reply(Reply::says("Read."));
    bench.say("go");
    bench.turn_over().await;

    let results = bench.results();
    assert!(content.len() > 60_000);
    assert_eq!(results[1].text, content);
    assert_eq!(results[1].artifact, None);
    assert_eq!(
        results[2].text.lines().count(),
        2,
        "nothing else is kept: {}",
        results[2].text
    );
}

#[tokio::test]
async fn an_entry_is_there_in_the_next_turn_and_in_no_other_session() {
    let mut bench = Bench::start().await;
    let write = |content: &str| {
        let arguments = json!({"name": "log", "content": content});
        Reply::calls("scratchpad_write", arguments)
    };
    let read = || Reply::calls("scratchpad_read", json!({"name": "log"}));
    bench.script.reply(write("of the first"));
    bench.script.reply(Reply::says("Stored."));
    bench.say("store");
    bench.turn_over().await;
    bench.script.reply(read());
    bench.script.reply(Reply::says("Read."));
    bench.say("read");
    bench.turn_over().await;
    assert_eq!(bench.texts()[1], "of the first");

    let mut beside = bench.beside().await;
    beside.script.reply(read());
    beside.script.reply(write("of the second"));
    beside.script.reply(read());
    beside.script.reply(Reply::says("Read."));
    beside.say("read");
    beside.turn_over().await;
    bench.script.reply(read());
    bench.script.reply(Reply::says("Read."));
    bench.say("read again");
    bench.turn_over().await;

    assert_eq!(
        beside.texts()[0],
        "scratchpad_read: there is no entry `log`; the scratchpad is empty"
    );
    assert_eq!(beside.texts()[2], "of the second");
    assert_eq!(bench.texts()[2], "of the first");
}

#[tokio::test]
async fn an_entry_is_there_when_the_window_was_summarised() {
    let mut bench = Bench::start().await;
    let arguments = json!({"name": "log", "content": "word for word"});
    bench
        .script
        .reply(Reply::calls("scratchpad_write", arguments))
        .reply(Reply::says("answer ".repeat(6_000)))
        .reply(Reply::says("They stored a log."));
    bench.say("store it");
    bench.turn_over().await;
    bench.send(Command::Window {
        agent: AgentId::main(),
        command: WindowCommand::Compact(String::new()),
    });
    bench
        .until("a compaction", |event| match &event.kind {
            EventKind::Recorded(stored) => matches!(stored.record, Record::Compacted { .. }),
            _ => false,
        })
        .await;
    let read = Reply::calls("scratchpad_read", json!({"name": "log"}));
    bench.script.reply(read).reply(Reply::says("Read."));
    bench.say("read it");
    bench.turn_over().await;

    assert_eq!(
        bench.texts().last().map(String::as_str),
        Some("word for word")
    );
}
