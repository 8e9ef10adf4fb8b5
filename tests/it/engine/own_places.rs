//! What no tool opens, and what a rule opens: the program's own files, files that look like secrets.

use std::os::unix::fs::symlink;

use quarterdeck::{
    domain::{
        permission::{Level, Mode, Rule, Verdict},
        tool::{CallStatus, ToolResult},
    },
    engine::options::EngineOptions,
    providers::scripted::Reply,
};
use serde_json::{Value, json};

use crate::support::bench::Bench;

fn free(options: &mut EngineOptions) {
    options.permissions.level = Level::Unrestricted;
    options.permissions.mode = Mode::Open;
}

/// What comes of one call.
async fn call(bench: &mut Bench, tool: &str, arguments: Value) -> ToolResult {
    bench.script.reply(Reply::calls(tool, arguments));
    bench.script.reply(Reply::says("Well."));
    bench.say("go");
    bench.turn_over().await;
    bench.results().pop().expect("a result")
}

#[tokio::test]
async fn nothing_opens_the_programs_own_files() {
    let mut bench = Bench::start_with(free).await;
    let keys = bench.home_file("state/credentials.toml", "token = \"zebra\"\n");
    let config = bench.home_file("config/config.toml", "# mine\n");
    symlink(&config, bench.folder.join("notes.txt")).expect("a link");

    for (tool, arguments) in [
        ("file_read", json!({"path": keys})),
        ("file_read", json!({"path": "../state"})),
        (
            "file_search",
            json!({"pattern": "zebra", "path": "../state"}),
        ),
        (
            "file_write",
            json!({"path": "../config/new.toml", "content": "x"}),
        ),
        ("file_read", json!({"path": "notes.txt"})),
    ] {
        let result = call(&mut bench, tool, arguments.clone()).await;

        assert_eq!(
            result.status,
            CallStatus::Refused,
            "{tool} {arguments}: {}",
            result.text
        );
        let why = "in a directory of quarterdeck itself, which no tool reads or writes";
        assert!(result.text.contains(why), "{}", result.text);
    }
}

#[tokio::test]
async fn a_search_from_above_leaves_the_programs_own_files_out() {
    let mut bench = Bench::start_with(free).await;
    bench.home_file("state/credentials.toml", "token = \"zebra\"\n");
    bench.home_file("config/themes/mine.toml", "# zebra crossing\n");
    bench.file("a.txt", "a zebra\n");

    let found = call(
        &mut bench,
        "file_search",
        json!({"pattern": "zebra", "path": ".."}),
    )
    .await;
    let listed = call(
        &mut bench,
        "file_find",
        json!({"pattern": "*.toml", "path": ".."}),
    )
    .await;
    let theme = call(
        &mut bench,
        "file_read",
        json!({"path": "../config/themes/mine.toml"}),
    )
    .await;

    assert!(found.text.contains("a.txt"), "{}", found.text);
    assert!(!found.text.contains("credentials"), "{}", found.text);
    assert!(!listed.text.contains("credentials"), "{}", listed.text);
    assert!(theme.text.contains("# zebra crossing"), "{}", theme.text);
}

#[tokio::test]
async fn a_rule_that_names_a_secret_file_opens_it() {
    let rule = |action: &str| Rule {
        action: action.to_owned(),
        resource: ".env".to_owned(),
        verdict: Verdict::Allow,
    };
    let mut bench = Bench::start_with(|options| {
        options.permissions.rules = ["file_read", "file_edit", "file_search"].map(rule).to_vec();
    })
    .await;
    bench.file(".env", "PORT=1\n");
    bench.file(".env.local", "PORT=2\n");

    let read = call(&mut bench, "file_read", json!({"path": ".env"})).await;
    let search = call(
        &mut bench,
        "file_search",
        json!({"pattern": "PORT", "path": ".env"}),
    )
    .await;
    let edit = json!({"path": ".env", "old_string": "PORT=1", "new_string": "PORT=3"});
    let edited = call(&mut bench, "file_edit", edit).await;
    let other = call(&mut bench, "file_read", json!({"path": ".env.local"})).await;
    let write = json!({"path": ".env", "content": "x"});
    let written = call(&mut bench, "file_write", write).await;

    assert!(read.text.contains("PORT=1"), "{}", read.text);
    assert!(search.text.contains("PORT=1"), "{}", search.text);
    assert_eq!(edited.status, CallStatus::Done, "{}", edited.text);
    assert_eq!(other.status, CallStatus::Refused, "{}", other.text);
    assert_eq!(written.status, CallStatus::Refused, "{}", written.text);
}
