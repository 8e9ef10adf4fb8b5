//! Sub-agents: parallel work, narrowed authority, one cancel for the whole tree.

use std::collections::BTreeMap;

use quarterdeck::{
    domain::{
        agent::{AgentStatus, Authority},
        agent_policy::{AgentDocument, AgentPermissions, AgentTypes},
        approval::ApprovalDecision,
        ids::AgentId,
        permission::{Level, Network, Verdict},
        record::{Lane, TurnOutcome},
        tool::CallStatus,
    },
    engine::{
        command::{Command, Fetch},
        event::{EventKind, Fetched},
    },
    providers::scripted::{Gate, Reply},
};
use serde_json::json;

use crate::support::bench::Bench;

fn spawn_six() -> Reply {
    let spawn = |reply: Reply, number: u8| {
        reply.call(
            "agent_spawn",
            json!({"prompt": format!("part {number}"), "description": "part", "agent": "part"}),
        )
    };
    (0..6).fold(Reply::new(), spawn).tool_calls()
}

/// The last state that was told of each agent below the main one.
fn states(bench: &Bench) -> BTreeMap<AgentId, AgentStatus> {
    let nodes = bench.seen.iter().filter_map(|event| match &event.kind {
        EventKind::Agent(node) if !node.id.is_main() => Some(node),
        _ => None,
    });
    nodes
        .map(|node| (node.id.clone(), node.status.clone()))
        .collect()
}

fn spawn_two() -> Reply {
    Reply::new()
        .call(
            "agent_spawn",
            json!({"prompt": "look left", "description": "left", "agent": "scout"}),
        )
        .call(
            "agent_spawn",
            json!({"prompt": "look right", "description": "right", "agent": "tests"}),
        )
        .tool_calls()
}

#[tokio::test]
async fn two_sub_agents_run_at_the_same_time_and_report() {
    let mut bench = Bench::start().await;
    let (left, right) = (Gate::new(), Gate::new());
    bench.script.reply_to("main", spawn_two());
    bench
        .script
        .reply_to("scout", Reply::new().gate(&left).text("left report").stop());
    bench.script.reply_to(
        "tests",
        Reply::new().gate(&right).text("right report").stop(),
    );
    bench.script.reply_to("main", Reply::says("Both are back."));
    bench.say("go");

    left.reached().await;
    right.reached().await;
    left.open();
    right.open();
    let outcome = bench.turn_over().await;

    assert_eq!(outcome, TurnOutcome::Finished);
    let results = bench.results();
    assert!(
        results
            .iter()
            .any(|result| result.text.contains("left report"))
    );
    assert!(
        results
            .iter()
            .any(|result| result.text.contains("right report"))
    );
    assert_eq!(bench.script.open_streams(), 0);
}

#[tokio::test]
async fn cancelling_the_parent_ends_the_whole_tree() {
    let mut bench = Bench::start().await;
    let never = Gate::new();
    bench.script.reply_to("main", spawn_two());
    bench
        .script
        .reply_to("scout", Reply::new().text("thinking").gate(&never).stop());
    bench
        .script
        .reply_to("tests", Reply::new().accepted_after(&never).stop());
    bench.say("go");
    bench.script.asked(3).await;

    bench.send(Command::Cancel {
        agent: AgentId::main(),
    });
    let outcome = bench.turn_over().await;

    assert_eq!(outcome, TurnOutcome::Cancelled);
    assert_eq!(bench.results().len(), 2);
    assert_eq!(bench.script.open_streams(), 0);
    assert_eq!(bench.script.requests().len(), 3);
    let last_of = |kind: &str| {
        bench.seen.iter().rev().find_map(|event| match &event.kind {
            EventKind::Agent(node) if node.id.as_str().starts_with(kind) => {
                Some(node.status.clone())
            }
            _ => None,
        })
    };
    assert_eq!(last_of("scout"), Some(AgentStatus::Cancelled));
    assert_eq!(last_of("tests"), Some(AgentStatus::Cancelled));
}

#[tokio::test]
async fn a_childs_approval_reaches_the_person_with_its_lineage() {
    let mut bench = Bench::start().await;
    bench.script.reply_to(
        "main",
        Reply::calls(
            "agent_spawn",
            json!({"prompt": "write a file", "description": "writer", "agent": "writer"}),
        ),
    );
    bench.script.reply_to(
        "writer",
        Reply::calls("file_write", json!({"path": "w.txt", "content": "x"})),
    );
    bench.script.reply_to("writer", Reply::says("written"));
    bench.script.reply_to("main", Reply::says("done"));
    bench.say("go");

    let request = bench.approval().await;
    bench.decide(&request, ApprovalDecision::Once);
    bench.turn_over().await;

    assert_eq!(request.lineage.len(), 2);
    assert_eq!(request.lineage[0], "main");
    assert!(bench.folder.join("w.txt").exists());
}

#[tokio::test]
async fn a_child_cannot_have_more_than_its_parent() {
    let mut bench = Bench::start().await;
    bench.script.reply_to(
        "main",
        Reply::calls(
            "agent_spawn",
            json!({"prompt": "x", "description": "x", "agent": "a", "permission": "unrestricted"}),
        ),
    );
    bench.script.reply_to("main", Reply::says("ok"));
    bench.say("go");

    bench.turn_over().await;

    let text = &bench.results()[0].text;
    assert!(
        text.contains("cannot have the level unrestricted"),
        "{text}"
    );
}

/// What a child was given binds its own children too.
#[tokio::test]
async fn a_network_only_narrows_on_the_way_down() {
    let mut bench = Bench::start().await;
    let spawn = |kind: &str, network: &str| {
        Reply::calls(
            "agent_spawn",
            json!({"prompt": "x", "description": "x", "agent": kind, "network": network}),
        )
    };
    bench.script.reply_to("main", spawn("near", "none"));
    bench.script.reply_to("near", spawn("far", "remote"));
    bench.script.reply_to("near", Reply::says("refused"));
    bench.script.reply_to("main", Reply::says("ok"));
    bench.say("go");

    bench.turn_over().await;

    let text = &bench.results()[0].text;
    assert!(
        text.contains("cannot have the network remote: yours is none"),
        "{text}"
    );
}

#[tokio::test]
async fn six_children_run_four_at_a_time_and_all_finish() {
    let mut bench = Bench::start().await;
    bench.script.reply_to("main", spawn_six());
    let gates: Vec<Gate> = (0..6).map(|_| Gate::new()).collect();
    for gate in &gates {
        bench
            .script
            .reply_to("part", Reply::new().gate(gate).text("part done").stop());
    }
    bench.script.reply_to("main", Reply::says("all done"));
    bench.say("go");

    bench.script.asked(5).await;
    let while_held = bench.script.requests_of("part").len();
    for gate in &gates {
        gate.open();
    }
    bench.turn_over().await;

    assert_eq!(while_held, 4);
    assert_eq!(bench.results().len(), 6);
}

#[tokio::test]
async fn cancelling_the_parent_ends_children_that_still_queue() {
    let mut bench = Bench::start().await;
    let never = Gate::new();
    bench.script.reply_to("main", spawn_six());
    for _ in 0..6 {
        bench
            .script
            .reply_to("part", Reply::new().gate(&never).stop());
    }
    bench.say("go");
    bench.script.asked(5).await;

    bench.send(Command::Cancel {
        agent: AgentId::main(),
    });
    let outcome = bench.turn_over().await;

    assert_eq!(outcome, TurnOutcome::Cancelled);
    assert_eq!(bench.script.requests_of("part").len(), 4);
    assert_eq!(bench.script.open_streams(), 0);
    let states: Vec<AgentStatus> = states(&bench).into_values().collect();
    assert_eq!(states, vec![AgentStatus::Cancelled; 6]);
}

#[tokio::test]
async fn a_child_that_still_queues_can_be_cancelled_alone() {
    let mut bench = Bench::start().await;
    let held = Gate::new();
    bench.script.reply_to("main", spawn_six());
    for _ in 0..5 {
        bench
            .script
            .reply_to("part", Reply::new().gate(&held).text("part done").stop());
    }
    bench.script.reply_to("main", Reply::says("all done"));
    bench.say("go");
    bench.script.asked(5).await;
    let thinks = |status: &AgentStatus| *status == AgentStatus::Thinking;
    while states(&bench)
        .values()
        .filter(|status| thinks(status))
        .count()
        < 4
        || states(&bench).len() < 6
    {
        bench
            .until("an agent changes", |event| {
                matches!(event.kind, EventKind::Agent(_))
            })
            .await;
    }
    let queued = states(&bench)
        .into_iter()
        .find(|(_, status)| *status == AgentStatus::Queued)
        .expect("a child queues")
        .0;

    bench.send(Command::Cancel {
        agent: queued.clone(),
    });
    bench
        .until("it is cancelled", |event| {
            matches!(&event.kind, EventKind::Agent(node) if node.id == queued && node.status == AgentStatus::Cancelled)
        })
        .await;
    held.open();
    let outcome = bench.turn_over().await;

    assert_eq!(outcome, TurnOutcome::Finished);
    assert_eq!(bench.script.requests_of("part").len(), 5);
    let cancelled: Vec<String> = bench
        .results()
        .into_iter()
        .filter(|result| result.status != CallStatus::Done)
        .map(|result| result.text)
        .collect();
    assert_eq!(cancelled.len(), 1);
    assert!(
        cancelled[0].contains("cancelled by the person"),
        "{cancelled:?}"
    );
}

#[tokio::test]
async fn interrupting_ends_a_child_and_keeps_what_it_had() {
    let mut bench = Bench::start().await;
    let never = Gate::new();
    bench.script.reply_to(
        "main",
        Reply::calls(
            "agent_spawn",
            json!({"prompt": "look", "description": "look", "agent": "scout"}),
        ),
    );
    bench.script.reply_to(
        "scout",
        Reply::new().text("two places so far").gate(&never).stop(),
    );
    bench.script.reply_to("main", Reply::says("As you wish."));
    bench.say("go");
    never.reached().await;

    bench.say_by(Lane::Interrupt, "enough");
    let outcome = bench.turn_over().await;

    assert_eq!(outcome, TurnOutcome::Finished);
    assert_eq!(bench.script.open_streams(), 0);
    assert_eq!(
        states(&bench).into_values().collect::<Vec<_>>(),
        [AgentStatus::Cancelled]
    );
    let results = bench.results();
    assert_eq!(results[0].status, CallStatus::Interrupted);
    assert!(
        results[0].text.contains("two places so far"),
        "{}",
        results[0].text
    );
}

#[tokio::test]
async fn an_output_cannot_be_kept_under_a_name_that_the_parent_lends() {
    let mut bench = Bench::start().await;
    bench.script.reply_to(
        "main",
        Reply::calls(
            "scratchpad_write",
            json!({"name": "notes", "content": "mine"}),
        ),
    );
    bench.script.reply_to(
        "main",
        Reply::calls(
            "agent_spawn",
            json!({"prompt": "look", "description": "look", "agent": "scout", "inherit_scratchpad": ["notes"]}),
        ),
    );
    bench.script.reply_to(
        "scout",
        Reply::calls("checklist_read", json!({"scratchpad": "notes"})),
    );
    bench.script.reply_to("scout", Reply::says("refused"));
    bench.script.reply_to("main", Reply::says("done"));
    bench.say("go");

    bench.turn_over().await;

    let texts = bench.texts();
    assert_eq!(
        texts[1],
        "checklist_read: `scratchpad` cannot be used: \"notes\" is lent by your parent and read-only; write under \
         another name",
        "{texts:?}"
    );
}

#[tokio::test]
async fn words_for_a_child_that_queues_wait_with_it_for_its_place() {
    let mut bench = Bench::start_with(|options| options.bounds.agents_running = 1).await;
    let held = Gate::new();
    bench.script.reply_to("main", spawn_two());
    for kind in ["scout", "tests"] {
        bench
            .script
            .reply_to(kind, Reply::new().gate(&held).text("report").stop());
    }
    bench.script.reply_to("main", Reply::says("Both are back."));
    bench.say("go");
    bench.script.asked(2).await;
    held.reached().await;
    let kind = if bench.script.requests_of("scout").is_empty() {
        "scout"
    } else {
        "tests"
    };
    let is_queued = |id: &AgentId| id.as_str().starts_with(kind);
    while !states(&bench).keys().any(is_queued) {
        bench
            .until("the other child is told", |event| {
                matches!(event.kind, EventKind::Agent(_))
            })
            .await;
    }
    let queued = states(&bench)
        .into_keys()
        .find(is_queued)
        .expect("it is told");
    assert!(bench.script.requests_of(kind).is_empty());

    bench.send(Command::Send {
        agent: queued.clone(),
        text: "be brief".to_owned(),
        lane: Lane::Steer,
    });
    bench
        .until("the words wait", |event| {
            event.agent == queued
                && matches!(&event.kind, EventKind::Queue(queue) if queue.len() == 1)
        })
        .await;
    assert!(bench.script.requests_of(kind).is_empty());
    held.open();
    bench.turn_over().await;

    let requests = bench.script.requests_of(kind);
    assert_eq!(requests.len(), 1);
    let words: Vec<String> = requests[0]
        .messages
        .iter()
        .map(quarterdeck::domain::chat::ChatMessage::text)
        .collect();
    let all = words.join("\n");
    let prompt = all.find("look ").expect("the prompt");
    assert!(all.find("be brief").expect("the words") > prompt, "{all}");
}

/// What a document says of agents of a type.
fn document(name: &str, level: Level, actions: &[(&str, &str, Verdict)]) -> AgentDocument {
    let mut permissions = AgentPermissions {
        of: name.to_owned(),
        answers: true,
        ..AgentPermissions::default()
    };
    for (action, resource, verdict) in actions {
        let patterns = permissions.actions.entry((*action).to_owned()).or_default();
        patterns.insert((*resource).to_owned(), *verdict);
    }
    AgentDocument {
        name: name.to_owned(),
        description: "for tests".to_owned(),
        instructions: "Be brief.".to_owned(),
        level: Some(level),
        network: Some(Network::None),
        permissions: Some(permissions),
        place: "~/agents/x.md:1".to_owned(),
    }
}

fn spawn(kind: &str) -> Reply {
    Reply::calls("agent_spawn", json!({"prompt": "go on", "agent": kind}))
}

fn run(command: &str) -> Reply {
    Reply::calls("shell_execute", json!({"command": command}))
}

/// What each agent may do at the most.
async fn authorities(bench: &mut Bench) -> Vec<(AgentId, Authority)> {
    bench.send(Command::Fetch(Fetch::Rules));
    let event = bench
        .until("the rules", |event| {
            matches!(event.kind, EventKind::Fetched(Fetched::Rules(_)))
        })
        .await;
    match event.kind {
        EventKind::Fetched(Fetched::Rules(rules)) => rules.agents,
        _ => Vec::new(),
    }
}

/// Its own document holds for an agent, those above it do as well, and none gives more than the parent has.
#[tokio::test]
async fn a_type_narrows_its_agents_and_all_below_them() {
    let bash = "shell_execute";
    let mut bench = Bench::start_with(|options| {
        options.permissions.level = Level::Unrestricted;
        options.configured.agents = AgentTypes {
            known: vec![
                document(
                    "printer",
                    Level::Unrestricted,
                    &[
                        (bash, "printf *", Verdict::Allow),
                        (bash, "true", Verdict::Ask),
                    ],
                ),
                document("wide", Level::Unrestricted, &[(bash, "*", Verdict::Allow)]),
                document("reader", Level::Read, &[]),
            ],
            broken: vec![("torn".to_owned(), "torn.md:3: unknown key".to_owned())],
        };
    })
    .await;
    let script = &bench.script;
    script.reply_to("main", spawn("torn"));
    script.reply_to("main", spawn("printer"));
    script.reply_to("printer", run("printf one"));
    script.reply_to("printer", run("touch two"));
    script.reply_to("printer", spawn("wide"));
    script.reply_to("wide", run("touch three"));
    script.reply_to("wide", Reply::says("wide is done"));
    script.reply_to("printer", spawn("reader"));
    script.reply_to("reader", Reply::says("reader is done"));
    script.reply_to("printer", Reply::says("printer is done"));
    script.reply_to("main", Reply::calls("agent_list", json!({})));
    script.reply_to("main", Reply::says("ok"));
    bench.say("go");
    bench.turn_over().await;

    let told: Vec<String> = bench
        .results()
        .into_iter()
        .map(|result| result.text)
        .collect();
    let has = |words: &str| told.iter().any(|text| text.contains(words));
    assert!(has("torn.md:3: unknown key"), "{told:#?}");
    assert!(has("one"), "{told:#?}");
    // Denied by the type itself, and in the agent below it by the type above.
    let denied = "the agent type printer names shell_execute and allows nothing like this";
    let count = told.iter().filter(|text| text.contains(denied)).count();
    assert_eq!(count, 2, "{told:#?}");
    assert!(has("Permission: read"), "{told:#?}");
    assert!(
        has("level read, network none, within printer and reader"),
        "{told:#?}"
    );
    assert!(has("printer: for tests"), "{told:#?}");
    for name in ["two", "three"] {
        assert!(!bench.folder.join(name).exists(), "{name}");
    }
    let asked = bench.script.requests();
    let begun = asked.iter().any(|request| {
        let text = format!("{request:?}");
        text.contains("Be brief.") && text.contains("go on")
    });
    assert!(begun, "the type's words come with the task");

    // A session that is opened again holds them to it, whatever the documents say then.
    let before = authorities(&mut bench).await;
    assert_eq!(before.len(), 4);
    let mut bench = bench
        .restart_with(|options| options.configured.agents = AgentTypes::default())
        .await;
    assert_eq!(authorities(&mut bench).await, before);
}
