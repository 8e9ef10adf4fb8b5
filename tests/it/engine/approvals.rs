//! Asking the person: nothing runs that was not judged, and what runs is what was shown.

use std::os::unix::fs::symlink;

use quarterdeck::{
    domain::{
        approval::{ApprovalDecision, ApprovalRequest, Findings},
        display::Display,
        permission::{Level, Mode, Risk, Rule, Verdict},
        record::TurnOutcome,
        tool::CallStatus,
    },
    engine::command::{Command, SessionCommand},
    providers::scripted::Reply,
};
use serde_json::json;

use crate::support::bench::Bench;

fn write(path: &str, content: &str) -> Reply {
    Reply::calls("file_write", json!({"path": path, "content": content}))
}

#[tokio::test]
async fn an_allowed_write_runs_and_is_told_to_the_model() {
    let mut bench = Bench::start().await;
    bench
        .script
        .reply(write("new.txt", "hello\n"))
        .reply(Reply::says("Written."));
    bench.say("write it");

    let request = bench.approval().await;
    assert!(!bench.folder.join("new.txt").exists());
    bench.decide(&request, ApprovalDecision::Once);
    bench.turn_over().await;

    assert_eq!(request.tool, "file_write");
    assert!(request.preview.is_some());
    assert_eq!(
        std::fs::read_to_string(bench.folder.join("new.txt")).expect("the file"),
        "hello\n"
    );
}

#[tokio::test]
async fn a_rejection_runs_nothing_and_tells_the_words() {
    let mut bench = Bench::start().await;
    bench
        .script
        .reply(write("new.txt", "hello\n"))
        .reply(Reply::says("All right."));
    bench.say("write it");

    let request = bench.approval().await;
    bench.decide(
        &request,
        ApprovalDecision::Reject {
            words: Some("put it into docs/".to_owned()),
        },
    );
    bench.turn_over().await;

    let results = bench.results();
    assert_eq!(results[0].status, CallStatus::Refused);
    assert!(results[0].text.contains("put it into docs/"));
    assert!(!bench.folder.join("new.txt").exists());
}

/// B105: the file changes while its diff is on the screen.
#[tokio::test]
async fn a_file_that_changed_after_it_was_shown_is_asked_again() {
    let mut bench = Bench::start().await;
    bench.file("a.txt", "one\n");
    bench
        .script
        .reply(Reply::calls("file_read", json!({"path": "a.txt"})));
    bench.script.reply(Reply::calls(
        "file_edit",
        json!({"path": "a.txt", "old_string": "one", "new_string": "two"}),
    ));
    bench.script.reply(Reply::says("ok"));
    bench.say("edit it");

    let first = bench.approval().await;
    bench.file("a.txt", "one\nmine\n");
    bench.decide(&first, ApprovalDecision::Once);

    // The edit is refused as stale, or asked again with another hash; it never runs on what was not shown.
    bench.turn_over().await;
    let text = std::fs::read_to_string(bench.folder.join("a.txt")).expect("the file");
    assert_eq!(text, "one\nmine\n");
    assert_ne!(bench.results()[1].status, CallStatus::Done);
}

/// A link on the way is turned while the write is on the screen.
#[tokio::test]
async fn a_path_that_leads_elsewhere_after_it_was_shown_is_asked_again() {
    let mut bench = Bench::start().await;
    for folder in ["docs", "hooks"] {
        std::fs::create_dir(bench.folder.join(folder)).expect("a folder");
    }
    let link = bench.folder.join("d");
    symlink("docs", &link).expect("a link");
    bench
        .script
        .reply(write("d/pre-commit", "x\n"))
        .reply(Reply::says("ok"));
    bench.say("write it");

    let first = bench.approval().await;
    std::fs::remove_file(&link).expect("the link");
    symlink("hooks", &link).expect("a link");
    bench.decide(&first, ApprovalDecision::Once);
    let second = bench.approval().await;

    assert_ne!(first.hash, second.hash);
    assert!(!bench.folder.join("hooks/pre-commit").exists());
    assert_eq!(path_of(&first), "docs/pre-commit");
    assert_eq!(path_of(&second), "hooks/pre-commit");
}

/// The path that a change would have.
fn path_of(request: &ApprovalRequest) -> &str {
    match &request.preview {
        Some(Display::Diff(change)) => &change.path,
        other => panic!("not a change: {other:?}"),
    }
}

#[tokio::test]
async fn a_decision_about_something_else_decides_nothing() {
    let mut bench = Bench::start().await;
    bench
        .script
        .reply(write("new.txt", "x"))
        .reply(Reply::says("ok"));
    bench.say("go");
    let request = bench.approval().await;

    bench.send(Command::Decide {
        request: request.id,
        hash: "0".repeat(64),
        decision: ApprovalDecision::Once,
    });
    let again = bench.approval().await;
    assert!(!bench.folder.join("new.txt").exists());
    bench.decide(&again, ApprovalDecision::Once);
    bench.turn_over().await;

    assert_eq!(again.hash, request.hash);
    assert!(bench.folder.join("new.txt").exists());
}

#[tokio::test]
async fn an_edited_call_runs_what_the_person_wrote() {
    let mut bench = Bench::start().await;
    bench
        .script
        .reply(write("new.txt", "model\n"))
        .reply(Reply::says("ok"));
    bench.say("go");
    let request = bench.approval().await;

    bench.decide(
        &request,
        ApprovalDecision::Edited {
            arguments: json!({"path": "new.txt", "content": "person\n"}),
        },
    );
    bench.turn_over().await;

    let text = std::fs::read_to_string(bench.folder.join("new.txt")).expect("the file");
    assert_eq!(text, "person\n");
    assert!(
        bench.results()[0]
            .text
            .contains("the person changed the arguments")
    );
}

#[tokio::test]
async fn a_session_grant_covers_the_same_thing_and_can_be_taken_back() {
    let mut bench = Bench::start().await;
    for content in ["one", "two", "three"] {
        bench.script.reply(write("new.txt", content));
        bench.script.reply(Reply::says("ok"));
    }
    bench.say("first");
    let request = bench.approval().await;
    bench.decide(&request, ApprovalDecision::Session);
    bench.turn_over().await;
    bench.say("second");
    assert_eq!(bench.turn_over().await, TurnOutcome::Finished);

    let rule = request.offers.kinds.first().cloned().expect("a kind");
    bench.send(Command::Session(SessionCommand::Revoke(rule)));
    bench.say("third");
    let again = bench.approval().await;
    bench.decide(&again, ApprovalDecision::Never);
    bench.turn_over().await;

    let text = std::fs::read_to_string(bench.folder.join("new.txt")).expect("the file");
    assert_eq!(text, "two");
}

#[tokio::test]
async fn a_write_outside_the_folder_is_refused_without_asking() {
    let mut bench = Bench::start().await;
    bench
        .script
        .reply(write("../outside.txt", "x"))
        .reply(Reply::says("ok"));
    bench.say("go");

    bench.turn_over().await;

    assert_eq!(bench.results()[0].status, CallStatus::Refused);
    assert!(!bench.folder.join("../outside.txt").exists());
}

#[tokio::test]
async fn an_untrusted_folder_is_only_read() {
    let mut bench = Bench::start_with(|options| options.trusted = Some(false)).await;
    bench.file("a.txt", "hello\n");
    bench.script.reply(
        Reply::new()
            .call("file_read", json!({"path": "a.txt"}))
            .call("file_write", json!({"path": "b.txt", "content": "x"}))
            .tool_calls(),
    );
    bench.script.reply(Reply::says("ok"));
    bench.say("go");

    let request = bench.approval().await;
    bench.decide(&request, ApprovalDecision::Reject { words: None });
    bench.turn_over().await;

    let read = bench
        .results()
        .into_iter()
        .find(|result| result.text.contains("hello"));
    assert_eq!(read.map(|result| result.status), Some(CallStatus::Done));
}

#[tokio::test]
async fn a_tool_can_be_made_to_need_a_higher_level() {
    let mut bench = Bench::start_with(|options| {
        options.configured.levels = [("file_read".to_owned(), Level::Unrestricted)].into();
    })
    .await;
    bench.file("a.txt", "hello\n");
    bench
        .script
        .reply(Reply::calls("file_read", json!({"path": "a.txt"})));
    bench.script.reply(Reply::says("ok"));
    bench.say("read it");

    let request = bench.approval().await;
    bench.decide(&request, ApprovalDecision::Reject { words: None });
    bench.turn_over().await;

    assert_eq!(request.tool, "file_read");
}

/// The tool is the same, what the lines do is not.
#[tokio::test]
async fn a_request_says_what_the_judge_found_in_the_line() {
    let mut bench = Bench::start_with(|options| {
        options.permissions.rules = vec![Rule {
            action: "shell_execute".to_owned(),
            resource: "*".to_owned(),
            verdict: Verdict::Ask,
        }];
    })
    .await;
    let mut found = Vec::new();
    for command in ["pwd", "rm -rf x > log"] {
        bench
            .script
            .reply(Reply::calls("shell_execute", json!({"command": command})))
            .reply(Reply::says("All right."));
        bench.say("go");
        let request = bench.approval().await;
        bench.decide(&request, ApprovalDecision::Reject { words: None });
        bench.turn_over().await;
        let how = request.circumstances.expect("how it would run");
        found.push((how.risk, how.findings));
    }

    let looks = Findings {
        only_looks: true,
        ..Findings::default()
    };
    let changes = Findings {
        deletes: vec!["x".to_owned()],
        writes: vec!["log".to_owned()],
        ..Findings::default()
    };
    assert_eq!(
        found,
        [(Risk::ReadOnlyLocal, looks), (Risk::Execution, changes)]
    );
}

/// What is read is where the path led when the person was asked.
#[tokio::test]
async fn a_link_that_is_turned_while_the_person_looks_is_asked_about_again() {
    let mut bench = Bench::start_with(|options| {
        options.permissions.rules = vec![Rule {
            action: "file_read".to_owned(),
            resource: "*".to_owned(),
            verdict: Verdict::Ask,
        }];
    })
    .await;
    bench.file("a.txt", "first");
    bench.file("b.txt", "second");
    let link = bench.folder.join("link");
    symlink("a.txt", &link).expect("a link");
    bench
        .script
        .reply(Reply::calls("file_read", json!({"path": "link"})))
        .reply(Reply::says("Read."));
    bench.say("read it");

    let shown = bench.approval().await;
    std::fs::remove_file(&link).expect("the link goes");
    symlink("b.txt", &link).expect("a link");
    bench.decide(&shown, ApprovalDecision::Once);
    let again = bench.approval().await;
    bench.decide(&again, ApprovalDecision::Once);
    bench.turn_over().await;

    assert_ne!(shown.hash, again.hash);
    let texts = bench.texts();
    assert!(texts[0].starts_with("second"), "{texts:?}");
}

/// Both are judged before either runs: the edit is looked at again when its turn comes.
#[tokio::test]
async fn an_edit_sees_what_a_write_of_the_same_step_left() {
    let mut bench = Bench::start_with(|options| {
        options.permissions.mode = Mode::Open;
    })
    .await;
    bench.file("a.txt", "one\n");
    let read = Reply::calls("file_read", json!({"path": "a.txt"}));
    let both = Reply::new()
        .call("file_write", json!({"path": "a.txt", "content": "two\n"}))
        .call(
            "file_edit",
            json!({"path": "a.txt", "old_string": "two", "new_string": "three"}),
        )
        .tool_calls();
    bench
        .script
        .reply(read)
        .reply(both)
        .reply(Reply::says("ok"));
    bench.say("go");
    bench.turn_over().await;

    let texts = bench.texts();
    let after = std::fs::read_to_string(bench.folder.join("a.txt")).unwrap();
    assert_eq!(after, "three\n", "{texts:#?}");
}
