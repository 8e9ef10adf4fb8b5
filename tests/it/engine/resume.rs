//! Coming back to a session.

use quarterdeck::{
    domain::{
        agent::AgentStatus,
        approval::ApprovalDecision,
        ids::AgentId,
        permission::{Level, Mode},
        record::{Lane, Record, TurnOutcome},
        tool::CallStatus,
    },
    engine::{
        command::{Command, SessionCommand, Setting},
        event::{Event, EventKind, Opened},
        options::Asked,
    },
    providers::scripted::{Gate, Reply},
};
use serde_json::json;

use crate::support::bench::Bench;

#[tokio::test]
async fn a_resumed_session_shows_and_sends_what_it_held() {
    let mut bench = Bench::start().await;
    bench.script.reply(Reply::says("I am the first reply."));
    bench.say("remember me");
    bench.turn_over().await;
    let before: Vec<Record> = bench
        .records()
        .into_iter()
        .map(|stored| stored.record)
        .collect();

    let mut bench = bench.restart().await;
    let history = bench
        .until("the past", |event| {
            matches!(event.kind, EventKind::History { .. })
        })
        .await;
    bench.script.reply(Reply::says("second"));
    bench.say("go on");
    bench.turn_over().await;

    let EventKind::History { records, more } = history.kind else {
        panic!("not history");
    };
    let after: Vec<Record> = records.into_iter().map(|stored| stored.record).collect();
    assert_eq!(after, before);
    assert!(!more);
    let requests = bench.script.requests();
    let words: Vec<String> = requests[1]
        .messages
        .iter()
        .map(quarterdeck::domain::chat::ChatMessage::text)
        .collect();
    assert!(words[0].ends_with("remember me"), "{words:?}");
    assert_eq!(words[1], "I am the first reply.");
    assert!(words[2].ends_with("go on"), "{words:?}");
}

/// What was read before a restart is known after it; what the person changed in between is not.
#[tokio::test]
async fn a_resumed_agent_may_change_what_it_has_read() {
    let mut bench = Bench::start().await;
    bench.file("kept.txt", "one\n");
    bench.file("touched.txt", "one\n");
    for path in ["kept.txt", "touched.txt"] {
        bench
            .script
            .reply(Reply::calls("file_read", json!({"path": path})));
    }
    bench.script.reply(Reply::says("Read."));
    bench.say("read them");
    bench.turn_over().await;

    let mut bench = bench.restart().await;
    bench.file("touched.txt", "mine\none\n");
    bench.script.reply(Reply::calls(
        "file_edit",
        json!({"path": "touched.txt", "old_string": "one", "new_string": "two"}),
    ));
    bench.script.reply(Reply::calls(
        "file_edit",
        json!({"path": "kept.txt", "old_string": "one", "new_string": "two"}),
    ));
    bench.script.reply(Reply::says("Changed."));
    bench.say("change them");
    let request = bench.approval().await;
    bench.decide(&request, ApprovalDecision::Once);
    bench.turn_over().await;

    let results = bench.results();
    assert!(
        results[0].text.contains("has changed since it was read"),
        "{:?}",
        results[0]
    );
    assert_eq!(results[1].status, CallStatus::Done, "{:?}", results[1]);
    let kept = std::fs::read_to_string(bench.folder.join("kept.txt")).expect("the file");
    assert_eq!(kept, "two\n");
}

#[tokio::test]
async fn leaving_in_the_middle_pairs_every_call_and_ends_the_turn() {
    let mut bench = Bench::start().await;
    bench.script.reply(Reply::calls(
        "file_write",
        json!({"path": "a.txt", "content": "x"}),
    ));
    bench.say("go");
    bench.approval().await;

    let mut bench = bench.restart().await;
    let history = bench
        .until("the past", |event| {
            matches!(event.kind, EventKind::History { .. })
        })
        .await;
    bench.script.reply(Reply::says("Going on."));
    bench.say("go on");
    let outcome = bench.turn_over().await;

    assert_eq!(outcome, TurnOutcome::Finished);
    let EventKind::History { records, .. } = history.kind else {
        panic!("not history");
    };
    let results = records
        .iter()
        .filter(|stored| matches!(stored.record, Record::Result { .. }))
        .count();
    let ends: Vec<&TurnOutcome> = records
        .iter()
        .filter_map(|stored| match &stored.record {
            Record::TurnFinished { outcome, .. } => Some(outcome),
            _ => None,
        })
        .collect();
    // Nobody cancelled it.
    assert_eq!((results, ends), (1, vec![&TurnOutcome::Interrupted]));
    assert!(!bench.folder.join("a.txt").exists());
}

#[tokio::test]
async fn grants_and_the_checklist_survive() {
    let mut bench = Bench::start().await;
    bench.script.reply(Reply::calls(
        "file_write",
        json!({"path": "a.txt", "content": "x"}),
    ));
    bench.script.reply(Reply::calls(
        "checklist_add",
        json!({"items": ["first thing"]}),
    ));
    bench.script.reply(Reply::calls(
        "checklist_edit",
        json!({"id": 1, "status": "deferred", "reason": "tomorrow"}),
    ));
    bench.script.reply(Reply::says("ok"));
    bench.say("go");
    let request = bench.approval().await;
    bench.decide(&request, ApprovalDecision::Session);
    bench.turn_over().await;

    let mut bench = bench.restart().await;
    bench
        .until("the checklist", |event| {
            matches!(&event.kind, EventKind::Checklist { checklist, .. } if checklist.items[0].text == "first thing")
        })
        .await;
    bench
        .until(
            "the grants",
            |event| matches!(&event.kind, EventKind::Grants(grants) if grants.len() == 1),
        )
        .await;
}

#[tokio::test]
async fn text_that_was_coming_when_the_program_left_is_kept() {
    let bench = Bench::start().await;
    let never = Gate::new();
    bench
        .script
        .reply(Reply::new().text("half a sentence").gate(&never).stop());
    bench.say("go");
    never.reached().await;

    let mut bench = bench.restart().await;
    let history = bench
        .until("the past", |event| {
            matches!(event.kind, EventKind::History { .. })
        })
        .await;

    let EventKind::History { records, .. } = history.kind else {
        panic!("not history");
    };
    let kept = records.iter().any(
        |stored| matches!(&stored.record, Record::Reply { message, .. } if message.text() == "half a sentence"),
    );
    assert!(kept);
}

#[tokio::test]
async fn calls_are_counted_as_they_end_and_after_coming_back() {
    let mut bench = Bench::start().await;
    bench.file("a.txt", "one\n");
    let read = || Reply::calls("file_read", json!({"path": "a.txt"}));
    let write = Reply::calls("file_write", json!({"path": "b.txt", "content": "x"}));
    bench.script.reply(read()).reply(read()).reply(write);
    let counted = |event: &Event| match &event.kind {
        EventKind::Agent(node) if event.agent.is_main() => node.calls == 2,
        _ => false,
    };
    bench.say("go");
    bench
        .until("two calls in the middle of a turn", counted)
        .await;
    let request = bench.approval().await;
    bench.script.reply(Reply::says("Well."));
    bench.decide(&request, ApprovalDecision::Reject { words: None });
    bench.turn_over().await;

    let mut bench = bench.restart().await;

    bench.until("two calls after coming back", counted).await;
}

/// A child that was given `read` and has reported.
async fn with_a_reading_child() -> (Bench, AgentId) {
    let mut bench = Bench::start_with(|options| options.permissions.mode = Mode::Open).await;
    let spawn =
        json!({"prompt": "look", "description": "looks", "agent": "scout", "permission": "read"});
    bench
        .script
        .reply_to("main", Reply::calls("agent_spawn", spawn))
        .reply_to("scout", Reply::says("seen"))
        .reply_to("main", Reply::says("done"));
    bench.say("go");
    bench.turn_over().await;
    let child = bench
        .records()
        .into_iter()
        .find(|stored| !stored.agent.is_main())
        .expect("a record of the child")
        .agent;
    (bench, child)
}

#[tokio::test]
async fn a_child_comes_back_with_no_more_than_it_was_given() {
    let (bench, child) = with_a_reading_child().await;

    let mut bench = bench.restart().await;
    let write = json!({"path": "a.txt", "content": "x"});
    bench
        .script
        .reply_to("scout", Reply::calls("file_write", write));
    bench.send(Command::Send {
        agent: child,
        text: "now write".to_owned(),
        lane: Lane::Steer,
    });
    let request = bench.approval().await;

    assert_eq!(
        request.judgement.reason,
        "it needs level workspace, and read is given"
    );
}

#[tokio::test]
async fn a_removed_agent_stays_away() {
    let (mut bench, child) = with_a_reading_child().await;
    bench.send(Command::DeleteAgent {
        agent: child.clone(),
    });
    bench
        .until("the removal", |event| event.kind == EventKind::AgentRemoved)
        .await;

    let mut bench = bench.restart().await;
    // The grants are told last.
    bench
        .until("all of the session", |event| {
            matches!(event.kind, EventKind::Grants(_))
        })
        .await;

    let told = |event: &Event| event.agent == child && matches!(event.kind, EventKind::Agent(_));
    assert!(!bench.seen.iter().any(told));
}

/// What a session stored with this mode and level holds after coming back under a configuration that says adaptive
/// and unrestricted.
async fn come_back(mode: Mode, level: Level, asked: Asked) -> (Mode, Level) {
    let mut bench = Bench::start().await;
    for setting in [Setting::Mode(mode), Setting::Level(level)] {
        bench.send(Command::Configure(setting));
    }
    bench.script.reply(Reply::says("Well."));
    bench.say("go");
    bench.turn_over().await;

    let bench = bench
        .restart_with(|options| {
            let start = &mut options.permissions;
            start.level = Level::Unrestricted;
            start.mode = asked.mode.unwrap_or(start.mode);
            start.asked = asked;
        })
        .await;

    let opened = bench.seen.iter().find_map(|event| match &event.kind {
        EventKind::Opened(opened) => Some((opened.settings.mode, opened.settings.level)),
        _ => None,
    });
    opened.expect("an opened session")
}

#[tokio::test]
async fn the_narrower_of_session_and_configuration_holds_but_for_what_the_start_asks() {
    let nothing = Asked::default();
    let strict = Asked {
        mode: Some(Mode::Strict),
        ..nothing
    };
    let all = Asked {
        level: Some(Level::Unrestricted),
        mode: Some(Mode::Open),
        ..nothing
    };

    for (mode, level, asked, expected) in [
        (
            Mode::Open,
            Level::Workspace,
            nothing,
            (Mode::Adaptive, Level::Workspace),
        ),
        (
            Mode::Strict,
            Level::Read,
            nothing,
            (Mode::Strict, Level::Read),
        ),
        (
            Mode::Open,
            Level::Workspace,
            strict,
            (Mode::Strict, Level::Workspace),
        ),
        (
            Mode::Strict,
            Level::Workspace,
            all,
            (Mode::Open, Level::Unrestricted),
        ),
    ] {
        assert_eq!(
            come_back(mode, level, asked).await,
            expected,
            "{mode:?} {level:?} {asked:?}"
        );
    }
}

#[tokio::test]
async fn a_session_that_cannot_be_opened_leaves_the_present_one_at_work() {
    let mut other = Bench::start().await;
    other.script.reply(Reply::says("here"));
    other.say("mine");
    other.turn_over().await;
    let mut bench = other.beside().await;
    let gate = Gate::new();
    bench
        .script
        .reply(Reply::new().gate(&gate).text("still here").stop());
    bench.say("go");
    gate.reached().await;

    bench.send(Command::Session(SessionCommand::Resume(
        other.session.clone(),
    )));
    bench
        .until("why not", |event| {
            matches!(&event.kind, EventKind::Notice(notice) if notice.text.contains("open in another program"))
        })
        .await;
    gate.open();
    let outcome = bench.turn_over().await;

    assert_eq!(outcome, TurnOutcome::Finished);
    assert!(
        bench
            .seen
            .iter()
            .all(|event| event.session == bench.session)
    );
}

#[tokio::test]
async fn another_session_is_opened_and_the_first_can_be_opened_again() {
    let mut bench = Bench::start().await;
    bench.script.reply(Reply::says("one"));
    bench.say("first");
    bench.turn_over().await;
    let first = bench.session.clone();

    bench.send(Command::Session(SessionCommand::New));
    let second = bench.opened().await;
    bench.send(Command::Session(SessionCommand::Resume(first.clone())));
    let back = bench.opened().await;

    assert_ne!(second, first);
    assert_eq!(back, first);
}

/// What an opened session was told to begin with.
fn opening(bench: &Bench) -> Opened {
    bench
        .seen
        .iter()
        .find_map(|event| match &event.kind {
            EventKind::Opened(opened) => Some((**opened).clone()),
            _ => None,
        })
        .expect("it is opened")
}

#[tokio::test]
async fn what_waited_to_be_sent_stands_in_the_draft_after_a_restart() {
    let mut bench = Bench::start().await;
    let never = Gate::new();
    bench.script.reply(Reply::new().gate(&never).stop());
    bench.say("start");
    never.reached().await;
    bench.say_by(Lane::Queue, "first");
    bench.say_by(Lane::Queue, "second");
    bench.send(Command::SaveDraft {
        text: "half a thou".to_owned(),
    });
    bench
        .until(
            "both wait",
            |event| matches!(&event.kind, EventKind::Queue(queue) if queue.len() == 2),
        )
        .await;

    let mut bench = bench.restart().await;
    assert_eq!(opening(&bench).draft, "first\n\nsecond\n\nhalf a thou");
    bench
        .until("it is said", |event| {
            matches!(&event.kind, EventKind::Notice(notice) if notice.text.contains("not sent"))
        })
        .await;
    assert_eq!(
        bench.script.requests().len(),
        1,
        "nothing is sent by itself"
    );

    let bench = bench.restart().await;
    assert_eq!(opening(&bench).draft, "first\n\nsecond\n\nhalf a thou");
}

#[tokio::test]
async fn what_waited_and_was_sent_is_in_no_draft() {
    let mut bench = Bench::start().await;
    let gate = Gate::new();
    bench.script.reply(Reply::new().gate(&gate).stop());
    bench.script.reply(Reply::says("Read."));
    bench.say("start");
    gate.reached().await;
    bench.say_by(Lane::Queue, "later");
    bench
        .until(
            "it waits",
            |event| matches!(&event.kind, EventKind::Queue(queue) if queue.len() == 1),
        )
        .await;
    gate.open();
    bench.turn_over().await;
    bench.turn_over().await;

    let bench = bench.restart().await;

    assert_eq!(opening(&bench).draft, "");
}

#[tokio::test]
async fn a_new_session_says_what_the_last_one_did_not_send() {
    let mut bench = Bench::start().await;
    let never = Gate::new();
    bench.script.reply(Reply::new().gate(&never).stop());
    bench.say("start");
    never.reached().await;
    bench.say_by(Lane::Queue, "later");
    let first = bench.session.clone();

    bench.send(Command::Session(SessionCommand::New));
    bench
        .until("it is said", |event| {
            matches!(&event.kind, EventKind::Notice(notice) if notice.text == "1 message was not sent")
        })
        .await;
    bench.send(Command::Session(SessionCommand::Resume(first)));
    let opened = bench
        .until("it is opened again", |event| {
            matches!(&event.kind, EventKind::Opened(_))
        })
        .await;

    let EventKind::Opened(opened) = opened.kind else {
        panic!("not opened");
    };
    assert_eq!(opened.draft, "later");
}

#[tokio::test]
async fn a_resumed_session_tells_its_turns_and_how_the_last_one_ended() {
    let mut bench = Bench::start().await;
    for words in ["one", "two"] {
        bench.script.reply(Reply::says(words));
        bench.say(words);
        bench.turn_over().await;
    }

    let mut bench = bench.restart().await;
    let main = bench
        .until(
            "the main agent",
            |event| matches!(&event.kind, EventKind::Agent(node) if node.id.is_main()),
        )
        .await;

    assert_eq!(opening(&bench).turns, 2);
    let EventKind::Agent(node) = main.kind else {
        panic!("not an agent");
    };
    assert_eq!(node.status, AgentStatus::Done);
    assert!(node.ended_ms.is_some_and(|ended| ended >= node.started_ms));
}
