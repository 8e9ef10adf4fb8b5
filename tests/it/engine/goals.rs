//! Goals: an agent that rests is reminded until its checklist is finished, unless something else comes first.

use quarterdeck::{
    domain::{
        goal::{Goal, GoalStatus},
        ids::AgentId,
        notice::Severity,
        permission::{Level, Mode},
        record::{Lane, Record, Speaker, TurnOutcome},
    },
    engine::{
        command::{Command, Fetch, GoalCommand},
        event::{Delta, Event, EventKind, Fetched},
    },
    process::supervisor,
    providers::{
        error::{Fault, ProviderError},
        scripted::{Gate, Reply},
    },
};
use serde_json::{Value, json};

use crate::support::bench::Bench;

fn items(items: &[(&str, bool)]) -> Value {
    let items: Vec<Value> = items
        .iter()
        .map(|(text, finished)| json!({"description": text, "finished": finished}))
        .collect();
    json!({ "items": items })
}

fn set(bench: &Bench, objective: &str) {
    bench.send(Command::Goal(GoalCommand::Set(objective.to_owned())));
}

/// The goal once it stands like this.
async fn stands(bench: &mut Bench, status: GoalStatus) -> Goal {
    let event = bench
        .until(
            status.name(),
            |event| matches!(&event.kind, EventKind::Goal(goal) if goal.status == status),
        )
        .await;
    match event.kind {
        EventKind::Goal(goal) => *goal,
        other => panic!("no goal: {other:?}"),
    }
}

async fn turn_begins(bench: &mut Bench) {
    bench
        .until("the turn", |event| {
            matches!(event.kind, EventKind::Turn { running: true, .. })
        })
        .await;
}

/// What the agent was told by reminders of the goal.
fn reminders(bench: &Bench) -> Vec<String> {
    bench
        .records()
        .into_iter()
        .filter_map(|stored| match stored.record {
            Record::Said {
                speaker: Speaker::Program,
                text,
                ..
            } if text.starts_with("[goal]") => Some(text),
            _ => None,
        })
        .collect()
}

fn said(bench: &Bench) -> Vec<String> {
    bench
        .records()
        .into_iter()
        .filter_map(|stored| match stored.record {
            Record::Said { text, .. } => Some(text),
            _ => None,
        })
        .collect()
}

fn is_notice(event: &Event, words: &str) -> bool {
    matches!(&event.kind, EventKind::Notice(notice) if notice.text.contains(words))
}

/// Tools that the requests so far offered: whether those of the goal were among them.
fn offers(bench: &Bench) -> Vec<bool> {
    bench
        .script
        .requests()
        .iter()
        .map(|request| {
            let names = request.tools.iter().map(|tool| tool.name.as_str());
            names.filter(|name| name.starts_with("goal_")).count() == 2
        })
        .collect()
}

#[tokio::test]
async fn it_goes_on_by_itself_until_every_item_is_finished() {
    let mut bench = Bench::start().await;
    bench
        .script
        .reply(Reply::calls("goal_update", items(&[("find", false)])))
        .reply(Reply::calls(
            "checklist_edit",
            json!({"id": 1, "status": "deferred", "reason": "later"}),
        ))
        .reply(Reply::says("put off"))
        .reply(Reply::calls("goal_get", json!({})))
        .reply(Reply::calls("goal_update", items(&[("find", true)])))
        .reply(Reply::says("done"));

    set(&bench, "green tests\nby noon");
    let goal = stands(&mut bench, GoalStatus::Completed).await;
    bench.turn_over().await;

    assert_eq!(goal.objective, "green tests\nby noon");
    let told = reminders(&bench);
    assert_eq!(told.len(), 2, "{told:#?}");
    assert!(told[0].contains("green tests\nby noon\nThe checklist is empty"));
    assert!(told[1].contains("1. [deferred] find"));
    let texts = bench.texts();
    assert!(
        texts[2].contains("Objective:\ngreen tests\nby noon"),
        "{texts:?}"
    );
    assert_eq!(offers(&bench), [true; 6]);

    // Nothing follows, and the tools are gone.
    bench.script.reply(Reply::says("hello"));
    bench.say("hello");
    bench.turn_over().await;
    assert_eq!(reminders(&bench).len(), 2);
    assert_eq!(offers(&bench).last(), Some(&false));
}

#[tokio::test]
async fn reminders_that_lead_to_no_call_end_with_a_pause_and_a_warning() {
    let mut bench = Bench::start().await;
    for _ in 0..3 {
        bench.script.reply(Reply::says("I think about it"));
    }

    set(&bench, "green tests");
    bench
        .until("the warning", |event| {
            matches!(&event.kind, EventKind::Notice(notice)
                if notice.severity == Severity::Warning && notice.text.contains("3 reminders in a row"))
        })
        .await;
    let goal = stands(&mut bench, GoalStatus::Paused).await;

    assert_eq!(goal.reason, "3 reminders in a row led to no tool call");
    assert_eq!(reminders(&bench).len(), 3);
    assert_eq!(bench.script.requests().len(), 3);
}

#[tokio::test]
async fn what_the_person_says_comes_first() {
    let mut bench = Bench::start().await;
    let gate = Gate::new();
    bench
        .script
        .reply(Reply::says("at work").accepted_after(&gate))
        .reply(Reply::says("read that"))
        .reply(Reply::calls("goal_update", items(&[("find", true)])))
        .reply(Reply::says("done"));
    bench.say("begin");
    turn_begins(&mut bench).await;
    set(&bench, "green tests");
    stands(&mut bench, GoalStatus::Active).await;
    bench.say_by(Lane::Queue, "and another thing");
    bench
        .until(
            "the queue",
            |event| matches!(&event.kind, EventKind::Queue(queue) if queue.len() == 1),
        )
        .await;
    gate.open();

    stands(&mut bench, GoalStatus::Completed).await;

    let said = said(&bench);
    assert!(said[0].ends_with("begin"), "{said:?}");
    assert!(said[1].ends_with("and another thing"), "{said:?}");
    assert!(said[2].starts_with("[goal]"), "{said:?}");
    assert_eq!(said.len(), 3);
}

#[tokio::test]
async fn a_pause_stops_reminders_and_cancels_nothing() {
    let mut bench = Bench::start().await;
    let gate = Gate::new();
    bench
        .script
        .reply(Reply::says("at work").accepted_after(&gate))
        .reply(Reply::calls("goal_update", items(&[("find", true)])))
        .reply(Reply::says("done"));
    set(&bench, "green tests");
    turn_begins(&mut bench).await;

    bench.send(Command::Goal(GoalCommand::Pause));
    stands(&mut bench, GoalStatus::Paused).await;
    gate.open();
    assert_eq!(bench.turn_over().await, TurnOutcome::Finished);
    assert_eq!(reminders(&bench).len(), 1);

    bench.send(Command::Goal(GoalCommand::Resume));
    stands(&mut bench, GoalStatus::Completed).await;
    assert_eq!(reminders(&bench).len(), 2);
    let last = bench.script.requests()[1].messages.last().unwrap().text();
    assert!(last.contains("The person paused the goal"), "{last}");
}

/// A list that is finished while the goal rests completes it all the same.
#[tokio::test]
async fn a_paused_goal_is_completed_by_its_checklist() {
    let mut bench = Bench::start().await;
    let gate = Gate::new();
    bench
        .script
        .reply(Reply::calls("goal_update", items(&[("find", true)])).accepted_after(&gate))
        .reply(Reply::says("done"));
    set(&bench, "green tests");
    turn_begins(&mut bench).await;
    bench.send(Command::Goal(GoalCommand::Pause));
    stands(&mut bench, GoalStatus::Paused).await;
    gate.open();

    stands(&mut bench, GoalStatus::Completed).await;
}

#[tokio::test]
async fn a_cancelled_goal_is_over_and_another_can_be_set() {
    let mut bench = Bench::start().await;
    let gate = Gate::new();
    bench
        .script
        .reply(Reply::calls("goal_update", items(&[("find", true)])).accepted_after(&gate))
        .reply(Reply::says("so be it"));
    set(&bench, "green tests");
    turn_begins(&mut bench).await;

    set(&bench, "another");
    bench
        .until("the refusal", |event| is_notice(event, "a goal already"))
        .await;
    bench.send(Command::Goal(GoalCommand::Cancel));
    stands(&mut bench, GoalStatus::Cancelled).await;
    gate.open();

    assert_eq!(bench.turn_over().await, TurnOutcome::Finished);
    // The tool that the turn still has is refused.
    assert!(bench.texts()[0].contains("no goal to work on"));
    assert_eq!(reminders(&bench).len(), 1);
    bench.send(Command::Goal(GoalCommand::Resume));
    bench
        .until("the refusal", |event| is_notice(event, "is cancelled"))
        .await;
    bench
        .script
        .reply(Reply::calls("goal_update", items(&[("other", true)])))
        .reply(Reply::says("done"));
    set(&bench, "another");
    let goal = stands(&mut bench, GoalStatus::Completed).await;
    assert_eq!(goal.objective, "another");
}

#[tokio::test]
async fn a_turn_that_is_stopped_or_fails_lets_the_goal_rest() {
    let mut bench = Bench::start().await;
    let gate = Gate::new();
    bench.script.reply(Reply::new().text("at work").gate(&gate));
    set(&bench, "green tests");
    bench
        .until("the reply", |event| {
            matches!(event.kind, EventKind::Delta(Delta::Text(_)))
        })
        .await;
    bench.send(Command::Cancel {
        agent: AgentId::main(),
    });

    let stopped = stands(&mut bench, GoalStatus::Paused).await;
    bench.script.reply(Reply::refused(ProviderError::new(
        Fault::Unauthorized,
        "no such key",
    )));
    bench.send(Command::Goal(GoalCommand::Resume));
    stands(&mut bench, GoalStatus::Active).await;
    let failed = stands(&mut bench, GoalStatus::Paused).await;

    assert_eq!(stopped.reason, "the turn was stopped");
    assert!(failed.reason.contains("no such key"), "{}", failed.reason);
    assert_eq!(reminders(&bench).len(), 2);
}

/// A session that is opened again begins nothing by itself, and what is resumed is reminded once.
#[tokio::test]
async fn after_a_restart_the_goal_rests_until_it_is_resumed() {
    let mut bench = Bench::start().await;
    let gate = Gate::new();
    bench.script.reply(Reply::new().text("at work").gate(&gate));
    set(&bench, "green tests");
    bench
        .until("the reply", |event| {
            matches!(event.kind, EventKind::Delta(Delta::Text(_)))
        })
        .await;

    let mut bench = bench.restart().await;
    let goal = stands(&mut bench, GoalStatus::Paused).await;
    let before = reminders(&bench).len();
    bench
        .script
        .reply(Reply::calls("goal_update", items(&[("find", true)])))
        .reply(Reply::says("done"));
    bench.send(Command::Goal(GoalCommand::Resume));
    stands(&mut bench, GoalStatus::Completed).await;
    bench.turn_over().await;

    assert_eq!(goal.reason, "the session was left");
    assert_eq!((before, reminders(&bench).len()), (0, 1));
}

#[tokio::test]
async fn a_background_command_comes_first() {
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
            json!({"command": "setsid sleep 300 & echo started"}),
        ))
        .reply(Reply::says("I wait for it"))
        .reply(Reply::calls("goal_update", items(&[("find", true)])))
        .reply(Reply::says("done"));
    set(&bench, "green tests");
    bench.turn_over().await;
    // The agent's task answers this behind whatever it does for the goal.
    bench.send(Command::Fetch(Fetch::Window(AgentId::main())));
    bench
        .until("the window", |event| {
            matches!(event.kind, EventKind::Fetched(Fetched::Window(_)))
        })
        .await;
    let jobs = quarterdeck::process::table::list(&bench.session);
    let waits = reminders(&bench).len();
    bench.send(Command::StopJob { id: jobs[0].id });

    stands(&mut bench, GoalStatus::Completed).await;
    assert_eq!((waits, reminders(&bench).len()), (1, 2));
}

#[tokio::test]
async fn finished_items_of_before_reach_no_goal() {
    let mut bench = Bench::start().await;
    bench
        .script
        .reply(Reply::calls("checklist_add", json!({"items": ["old"]})))
        .reply(Reply::calls(
            "checklist_edit",
            json!({"id": 1, "status": "completed"}),
        ))
        .reply(Reply::says("done"))
        .reply(Reply::calls("goal_update", items(&[("new", true)])))
        .reply(Reply::says("done"));
    bench.say("do the old thing");
    bench.turn_over().await;

    set(&bench, "green tests");
    stands(&mut bench, GoalStatus::Completed).await;

    let told = reminders(&bench);
    assert_eq!(told.len(), 1);
    assert!(told[0].contains("The checklist is empty"), "{told:?}");
}

#[tokio::test]
async fn an_update_reaches_the_goal_that_there_is_by_then() {
    let mut bench = Bench::start().await;
    let gate = Gate::new();
    bench
        .script
        .reply(Reply::calls("goal_update", items(&[("find", true)])).accepted_after(&gate))
        .reply(Reply::says("done"));
    set(&bench, "green tests");
    turn_begins(&mut bench).await;
    bench.send(Command::Goal(GoalCommand::Cancel));
    stands(&mut bench, GoalStatus::Cancelled).await;
    set(&bench, "another");
    stands(&mut bench, GoalStatus::Active).await;
    gate.open();

    let goal = stands(&mut bench, GoalStatus::Completed).await;

    assert_eq!(goal.objective, "another");
}

#[tokio::test]
async fn only_the_agent_of_the_goal_is_offered_its_tools() {
    let mut bench = Bench::start().await;
    let spawn = json!({"prompt": "look", "agent": "scout"});
    for reply in [
        Reply::calls("agent_spawn", spawn),
        Reply::calls("goal_update", items(&[("find", true)])),
        Reply::says("done"),
    ] {
        bench.script.reply_to("main", reply);
    }
    bench.script.reply_to("scout", Reply::says("looked"));

    set(&bench, "green tests");
    stands(&mut bench, GoalStatus::Completed).await;
    bench.turn_over().await;

    let of_goal = |kind: &str| {
        let requests = bench.script.requests_of(kind);
        assert!(!requests.is_empty(), "{kind} was not asked");
        let tools = requests.iter().flat_map(|request| request.tools.iter());
        tools.filter(|tool| tool.name.starts_with("goal_")).count()
    };
    assert_eq!((of_goal("main"), of_goal("scout")), (6, 0));
}

#[tokio::test]
async fn a_sub_agent_has_a_checklist_of_its_own() {
    let mut bench = Bench::start().await;
    let add = |text: &str| Reply::calls("checklist_add", json!({ "items": text }));
    let done = || {
        let arguments = json!({"id": 1, "status": "completed"});
        Reply::calls("checklist_edit", arguments)
    };
    let spawn = json!({"prompt": "look", "agent": "scout"});
    for reply in [
        add("of the parent"),
        Reply::calls("agent_spawn", spawn),
        Reply::calls("checklist_read", json!({})),
        done(),
        Reply::says("done"),
    ] {
        bench.script.reply_to("main", reply);
    }
    let read = Reply::calls("checklist_read", json!({}));
    for reply in [add("of the child"), read, done(), Reply::says("looked")] {
        bench.script.reply_to("scout", reply);
    }
    bench.say("go");
    bench.turn_over().await;

    let texts = bench.texts();
    let said = "Added 1.\nRemaining (1):\n1. [pending] of the";
    assert_eq!(texts[0], format!("{said} parent"));
    assert_eq!(texts[1], format!("{said} child"));
    assert_eq!(texts[2], "Remaining (1):\n1. [pending] of the child");
    assert_eq!(
        texts[5], "Remaining (1):\n1. [pending] of the parent",
        "{texts:?}"
    );
}
