//! A log that cannot be written for a while: nothing is sent or run that is not stored, and nothing is lost.

use quarterdeck::{
    domain::{
        permission::{Grant, Mode, Rule, Verdict},
        record::{Record, Stored, TurnOutcome},
    },
    engine::{
        command::{Command, SessionCommand, Setting},
        event::EventKind,
    },
    providers::scripted::Reply,
};
use serde_json::json;

use crate::support::bench::Bench;

fn told(records: &[Stored]) -> Vec<String> {
    records
        .iter()
        .filter_map(|stored| match &stored.record {
            Record::Said { text, .. } => Some(format!("said {text}")),
            Record::Reply { message, .. } => Some(format!("reply {}", message.text())),
            Record::CallStarted { .. } => Some("started".to_owned()),
            Record::Result { result } => Some(format!("{:?} {}", result.status, result.text)),
            Record::TurnFinished { outcome, .. } => Some(
                match outcome {
                    TurnOutcome::Failed { .. } => "failed",
                    TurnOutcome::Finished => "finished",
                    _ => "ended",
                }
                .to_owned(),
            ),
            _ => None,
        })
        .collect()
}

/// Waits for the end of a turn whose end cannot be stored.
async fn turn_given_up(bench: &mut Bench) {
    bench
        .until("the turn is given up", |event| {
            matches!(event.kind, EventKind::Turn { running: false, .. })
        })
        .await;
}

#[tokio::test]
async fn words_that_could_not_be_stored_are_stored_once_with_the_next_ones() {
    let mut bench = Bench::start().await;
    bench.script.reply(Reply::says("Both were heard."));
    bench.break_store("1");
    bench.say("hello");
    turn_given_up(&mut bench).await;
    assert!(bench.script.requests().is_empty());

    bench.mend_store();
    bench.say("go on");
    assert!(matches!(
        bench.turn_over().await,
        TurnOutcome::Failed { .. }
    ));
    assert_eq!(bench.turn_over().await, TurnOutcome::Finished);

    assert_eq!(
        told(&bench.stored().await),
        [
            "said hello",
            "failed",
            "said go on",
            "reply Both were heard.",
            "finished"
        ]
    );
    let requests = bench.script.requests();
    assert_eq!(requests.len(), 1);
    let sent = requests[0].messages[0].text();
    assert_eq!(sent.matches("hello").count(), 1, "{sent}");
}

#[tokio::test]
async fn what_could_not_be_stored_is_stored_when_the_session_is_left() {
    let mut bench = Bench::start().await;
    bench.break_store("1");
    bench.say("hello");
    turn_given_up(&mut bench).await;
    bench.mend_store();

    let bench = bench.restart().await;

    assert_eq!(told(&bench.stored().await), ["said hello", "failed"]);
}

#[tokio::test]
async fn a_call_whose_beginning_is_not_stored_does_not_run() {
    let mut bench = Bench::start().await;
    bench.script.reply(Reply::calls(
        "checklist_add",
        json!({"items": ["write it"]}),
    ));
    bench.script.reply(Reply::says("Another time, then."));
    bench.break_store("NEW.body LIKE '%call_started%'");
    bench.say("go");
    turn_given_up(&mut bench).await;

    bench.mend_store();
    bench.say("go on");
    bench.turn_over().await;
    bench.turn_over().await;

    assert_eq!(
        told(&bench.stored().await),
        [
            "said go",
            "reply ",
            "started",
            "Interrupted [not run: the turn was stopped before]",
            "failed",
            "said go on",
            "reply Another time, then.",
            "finished"
        ]
    );
    assert!(
        !bench
            .seen
            .iter()
            .any(|event| matches!(event.kind, EventKind::Checklist { .. }))
    );
}

/// A setting, a grant and a title of the person's hold again after a restart.
#[tokio::test]
async fn what_the_person_decided_while_nothing_could_be_stored_is_stored_later() {
    let mut bench = Bench::start().await;
    bench.script.reply(Reply::says("Hello."));
    bench.say("hello");
    bench.turn_over().await;
    bench.break_store("1");
    bench.send(Command::Configure(Setting::Mode(Mode::Strict)));
    bench.send(Command::Grant(Grant::session(Rule {
        action: "shell_execute".to_owned(),
        resource: "make*".to_owned(),
        verdict: Verdict::Allow,
    })));
    bench.send(Command::Session(SessionCommand::Title("kept".to_owned())));
    bench
        .until(
            "the grant is told",
            |event| matches!(&event.kind, EventKind::Grants(grants) if grants.len() == 1),
        )
        .await;
    bench.mend_store();

    let bench = bench.restart().await;

    let stored: Vec<Record> = bench
        .stored()
        .await
        .into_iter()
        .map(|stored| stored.record)
        .collect();
    assert!(stored.iter().any(
        |record| matches!(record, Record::SettingsChanged { settings } if settings.mode == Mode::Strict)
    ));
    assert!(
        stored
            .iter()
            .any(|record| matches!(record, Record::Granted { .. }))
    );
    assert!(
        stored
            .iter()
            .any(|record| matches!(record, Record::Titled { title } if title == "kept"))
    );
}

/// What the screen was told of what is not stored, in order.
fn told_unstored(bench: &Bench) -> Vec<Vec<String>> {
    let told = bench.seen.iter().filter_map(|event| match &event.kind {
        EventKind::Unstored(texts) => Some(texts.clone()),
        _ => None,
    });
    told.collect()
}

#[tokio::test]
async fn what_is_not_stored_is_told_with_its_words_and_that_it_is_stored_again() {
    let mut bench = Bench::start().await;
    bench.script.reply(Reply::says("Both were heard."));
    bench.break_store("1");
    bench.say("hello");
    turn_given_up(&mut bench).await;
    let told = told_unstored(&bench);
    assert_eq!(told.last(), Some(&vec!["hello".to_owned()]), "{told:?}");

    bench.mend_store();
    bench.say("go on");
    bench.turn_over().await;
    bench.turn_over().await;

    let told = told_unstored(&bench);
    assert_eq!(told.last(), Some(&Vec::new()), "{told:?}");
}
