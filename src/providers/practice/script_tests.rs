//! The script driven through its stories by a small world that answers calls.

use proptest::prelude::{any, proptest};
use serde_json::{Value, json};

use super::PUT_OFF;
use crate::domain::{
    chat::{ChatMessage, ContentBlock, Role},
    checklist::ItemStatus,
    ids::CallId,
    tool::{CallStatus, ToolCall, ToolResult},
};
use world::World;

#[path = "script_world.rs"]
mod world;

const FOLDER: &[&str] = &["src/main.rs", "README.md", "docs/readme.txt", "Cargo.toml"];

#[test]
fn the_tour_touches_every_pane_and_ends_with_nothing_open() {
    let mut world = World::new(FOLDER);

    let said = world.turn("start the tour");

    assert_eq!(
        world.story(),
        [
            "checklist_add",
            "file_find",
            "file_read",
            "file_search",
            "ask_user",
            "scratchpad_write",
            "agent_spawn",
            "agent_spawn",
            "shell_execute",
            "file_write",
            "file_edit",
            "agent_list",
            "context_check",
        ]
    );
    assert_eq!(world.statuses(), [ItemStatus::Completed; 7]);
    assert!(said[0].contains("*script*, not a language model"));
    assert!(said[0].contains("```rust") && said[0].contains("|---|---|"));
    let last = said.last().unwrap();
    assert!(last.contains("was done by a script"), "{last}");
    assert!(
        last.contains("**Agents**")
            && last.contains("**Context**")
            && !last.contains("**Checklist**")
    );
}

#[test]
fn one_item_is_at_work_at_any_time() {
    let mut world = World::new(FOLDER);
    world.says("tour");

    while world.step().1 {
        let open = world.statuses();
        let working = open
            .iter()
            .filter(|status| **status == ItemStatus::InProgress)
            .count();
        let pending = open
            .iter()
            .filter(|status| **status == ItemStatus::Pending)
            .count();
        assert!(working == 1 || (working, pending) == (0, 0), "{open:?}");
    }
}

#[test]
fn it_reads_the_read_me_and_sends_two_different_agents_in_one_step() {
    let mut world = World::new(FOLDER);

    world.turn("tour");

    let argument = |tool: &str, name: &str| -> Vec<Value> {
        let calls = world.calls.iter().filter(|(called, _)| called == tool);
        calls
            .map(|(_, arguments)| arguments[name].clone())
            .collect()
    };
    assert_eq!(argument("file_read", "path"), [json!("README.md")]);
    assert_eq!(
        argument("agent_spawn", "agent"),
        [json!("scout"), json!("reader")]
    );
    assert_eq!(
        argument("agent_spawn", "inherit_scratchpad"),
        [Value::Null, json!(["tour_notes"])]
    );
    assert!(
        argument("file_write", "content")[0]
            .as_str()
            .unwrap()
            .starts_with("# Hello, Ada\n")
    );
    assert_eq!(
        argument("file_write", "path"),
        argument("file_edit", "path")
    );
    let with_spawns = world.messages.iter().map(|message| {
        let calls = message.calls();
        calls.filter(|call| call.name == "agent_spawn").count()
    });
    assert_eq!(with_spawns.max(), Some(2));
}

#[test]
fn a_rejected_command_is_commented_on_with_the_persons_words_and_canceled() {
    let words = "[shell_execute rejected by the person: not on this machine]";
    let mut world = World::new(FOLDER).with_rule(move |tool, _, _| {
        (tool == "shell_execute").then(|| (CallStatus::Refused, words.to_owned()))
    });

    let said = world.turn("tour");

    assert!(said.iter().any(|text| text.contains("not on this machine")));
    assert_eq!(
        world
            .calls
            .iter()
            .filter(|(tool, _)| tool == "shell_execute")
            .count(),
        1
    );
    assert_eq!(world.statuses()[4], ItemStatus::Canceled);
    assert_eq!(world.statuses()[5], ItemStatus::Completed);
}

#[test]
fn a_rejected_file_is_never_edited() {
    let mut world = World::new(FOLDER).with_rule(|tool, _, _| {
        (tool == "file_write").then(|| (CallStatus::Refused, "[no]".to_owned()))
    });

    world.turn("tour");

    assert!(!world.story().contains(&"file_edit"));
    assert_eq!(
        world
            .story()
            .iter()
            .filter(|tool| **tool == "file_write")
            .count(),
        1
    );
}

#[test]
fn a_file_that_was_there_unread_is_read_and_proposed_again() {
    let mut world = World::new(FOLDER).with_rule(|tool, _, earlier| {
        (tool == "file_write" && earlier == 0)
            .then(|| (CallStatus::Failed, "the file was never read".to_owned()))
    });

    let said = world.turn("tour");

    let story = world.story().join(" ");
    assert!(
        story.contains("file_write file_read file_write file_edit"),
        "{story}"
    );
    assert!(
        said.iter()
            .any(|text| text.contains("the file was never read"))
    );
    assert_eq!(world.statuses(), [ItemStatus::Completed; 7]);
}

#[test]
fn the_short_tour_runs_no_command_and_writes_no_file() {
    let mut world = World::new(FOLDER);
    world.answers =
        "The user answered:\n- How far shall the tour go? → Only what changes nothing\n- What name shall I put into the file? → (left open)"
            .to_owned();

    world.turn("tour");

    for tool in ["shell_execute", "file_write", "file_edit"] {
        assert!(!world.story().contains(&tool), "{tool}");
    }
    assert_eq!(
        world.checklist.items[4].reason.as_deref(),
        Some("you chose the tour that changes nothing")
    );
    assert_eq!(world.statuses()[6], ItemStatus::Completed);
}

#[test]
fn a_declined_form_leads_on_with_defaults() {
    let mut world = World::new(FOLDER).with_rule(|tool, _, _| {
        (tool == "ask_user").then(|| (CallStatus::Failed, "[declined]".to_owned()))
    });

    world.turn("tour");

    let write = world
        .calls
        .iter()
        .find(|(tool, _)| tool == "file_write")
        .unwrap();
    assert!(
        write.1["content"]
            .as_str()
            .unwrap()
            .starts_with("# Hello, captain\n")
    );
    assert_eq!(world.statuses()[1], ItemStatus::Canceled);
}

#[test]
fn an_empty_folder_is_told_and_the_tour_goes_on() {
    let mut world = World::new(&[]);

    let said = world.turn("tour");

    assert!(!world.story().contains(&"file_read"));
    assert!(said.iter().any(|text| text.contains("no page to read")));
    assert_eq!(world.statuses(), [ItemStatus::Completed; 7]);
}

#[test]
fn a_tour_that_was_left_is_put_off_and_can_be_taken_up_again() {
    let mut world = World::new(FOLDER);
    world.says("tour");
    for _ in 0..3 {
        world.step();
    }

    let said = world.turn("why is the sky blue?");

    assert!(said[0].contains("I am a script"));
    assert!(world.statuses().iter().all(|status| !status.is_open()));
    assert_eq!(world.checklist.items[6].reason.as_deref(), Some(PUT_OFF));
    let before = world.calls.len();
    world.turn("continue");
    assert!(world.calls.len() > before);
    assert_eq!(world.statuses(), [ItemStatus::Completed; 7]);
    assert_eq!(
        world
            .story()
            .iter()
            .filter(|tool| **tool == "ask_user")
            .count(),
        1
    );
}

#[test]
fn items_of_the_person_are_put_off_with_a_reason() {
    let mut world = World::new(FOLDER);
    world
        .checklist
        .add("rewrite everything", ItemStatus::Pending);
    world.messages.push(ChatMessage {
        role: Role::Assistant,
        blocks: vec![ContentBlock::ToolCall(ToolCall {
            id: CallId::new("c"),
            name: "checklist_read".to_owned(),
            arguments: json!({}),
            malformed: None,
        })],
        provider: None,
    });
    world.messages.push(ChatMessage {
        role: Role::User,
        blocks: vec![ContentBlock::ToolResult(ToolResult::plain(
            CallId::new("c"),
            CallStatus::Done,
            "Remaining (1):\n1. [pending] rewrite everything",
        ))],
        provider: None,
    });

    world.turn("hello");

    assert_eq!(world.statuses(), [ItemStatus::Deferred]);
}

#[test]
fn short_requests_use_the_tool_that_they_name() {
    let table = [
        ("read README.md", vec!["file_read"]),
        ("search for TODO", vec!["file_search"]),
        ("find *.rs", vec!["file_find"]),
        ("run ls", vec!["shell_execute"]),
        ("edit a.md: one => two", vec!["file_read", "file_edit"]),
        ("write a.md: one", vec!["file_write"]),
        ("note buy milk", vec!["scratchpad_write"]),
        ("ask me", vec!["ask_user"]),
        ("agents", vec!["agent_spawn", "agent_spawn"]),
        ("context", vec!["context_check"]),
        ("help", vec![]),
        ("hello", vec![]),
        ("please refactor the parser", vec![]),
        ("continue", vec![]),
    ];

    for (words, expected) in table {
        let mut world = World::new(FOLDER);
        let said = world.turn(words);
        assert_eq!(world.story(), expected, "{words}");
        let last = said.last().unwrap().to_lowercase();
        assert!(
            words == "continue" || last.contains("script"),
            "{words}: {last}"
        );
    }
}

#[test]
fn the_same_request_twice_is_done_twice() {
    let mut world = World::new(FOLDER);

    world.turn("read README.md");
    world.turn("read README.md");

    assert_eq!(world.story(), ["file_read", "file_read"]);
}

#[test]
fn the_sub_agents_look_and_report() {
    let mut scout = World::new(FOLDER);
    let mut reader = World::new(FOLDER);

    let counted = scout.turn(super::scout::SCOUT);
    let read = reader.turn(&super::scout::reader_prompt(Some("README.md"), true));

    assert_eq!(scout.story(), ["file_find", "file_search"]);
    assert!(
        counted
            .last()
            .unwrap()
            .starts_with("**Report of the scout** (a script)")
    );
    assert!(counted.last().unwrap().contains("| .rs | 1 |"));
    assert_eq!(reader.story(), ["scratchpad_read", "file_read"]);
    assert!(read.last().unwrap().contains("# The page"));
}

#[test]
fn without_any_tool_the_tour_still_ends_in_words() {
    let mut world = World::new(FOLDER);
    world.tools.clear();

    let said = world.turn("tour");

    assert_eq!(said.len(), 1);
    assert!(said[0].contains("I am a script, and no tool is on offer"));
}

proptest! {
    #[test]
    fn whatever_tools_answer_every_story_ends(seed in any::<u64>(), offered in any::<u16>(), story in 0..4_usize) {
        let words = ["tour", "edit a.md: one => two", "agents", "run ls"][story];
        let mut world = World::new(FOLDER).with_rule(move |tool, _, earlier| {
            let roll = seed.rotate_left((tool.len() * 7 + earlier * 13) as u32) % 5;
            let status = [CallStatus::Failed, CallStatus::Refused, CallStatus::Interrupted].get(roll as usize)?;
            (!tool.starts_with("checklist")).then(|| (*status, format!("[{tool}: no]\n```\n| x")))
        });
        let mut place = 0;
        world.tools.retain(|_| {
            place += 1;
            offered & (1 << place) != 0
        });
        if !world.tools.contains(&"checklist_edit") {
            world.tools.retain(|tool| *tool != "checklist_add");
        }

        world.turn(words);
    }
}
