//! The panes of the right column: agents, checklist, scratchpad, context gauge.

use quarterdeck::{
    domain::{
        agent::{AgentNode, AgentStatus},
        checklist::{Checklist, ItemChange, ItemStatus},
        ids::AgentId,
        scratchpad::{ScratchpadInfo, ScratchpadOrigin},
        usage::Usage,
        window::{ContextGauge, WindowItem, WindowPart, WindowShares},
    },
    engine::{
        command::{Command, Fetch, PersonChecklistEdit},
        event::{EventKind, Fetched},
    },
    ui::{Effect, focus::Pane, panes::conversation, view::layout},
};
use ratatui::layout::Rect;

use crate::support::{
    golden::{NOW_MS, Stage},
    sample,
};

fn many_agents(stage: &mut Stage) {
    let states = [
        AgentStatus::Thinking,
        AgentStatus::Queued,
        AgentStatus::Waiting,
        AgentStatus::Retrying,
        AgentStatus::Done,
        AgentStatus::Failed {
            reason: "the provider refused the key\u{1b}[31m".to_owned(),
        },
        AgentStatus::Cancelled,
        AgentStatus::Interrupted,
    ];
    for (index, status) in states.into_iter().enumerate() {
        let id = format!("worker_{index:08x}");
        let parent = if index % 3 == 2 {
            AgentId::new(format!("worker_{:08x}", index - 1))
        } else {
            AgentId::main()
        };
        let node = AgentNode {
            id: AgentId::new(&id),
            parent: Some(parent),
            description: "reads the manual".to_owned(),
            ended_ms: status.is_final().then_some(NOW_MS - 60_000),
            status,
            activity: String::new(),
            started_ms: NOW_MS - 3_780_000,
            usage: Usage {
                input: 1_250_000,
                cached: 0,
                output: 9_000,
                cost: Some(0.0042),
            },
            calls: 1,
        };
        stage.event(&id, EventKind::Agent(Box::new(node)));
    }
    stage.event(
        "worker_00000003",
        EventKind::Retrying {
            attempt: 2,
            of: 5,
            in_ms: 2_500,
            reason: "503".to_owned(),
        },
    );
}

fn long_checklist(stage: &mut Stage) {
    let mut checklist = Checklist::default();
    for number in 0..20 {
        let status = if number < 7 {
            ItemStatus::Completed
        } else {
            ItemStatus::Pending
        };
        let text =
            format!("step {number}: carry the 荷物 from one place to the other and count it");
        checklist.add(&text, status);
    }
    stage.event(
        "main",
        EventKind::Checklist {
            checklist,
            nudges: 2,
        },
    );
}

fn many_notes(stage: &mut Stage) {
    let notes = (0..12u64).map(|number| ScratchpadInfo {
        name: format!("note_{number}_with_a_name_that_is_longer_than_its_column"),
        agent: AgentId::new(if number % 2 == 0 {
            "main"
        } else {
            sample::SCOUT
        }),
        bytes: 10u64.pow(u32::try_from(number).unwrap() / 2),
        updated_ms: NOW_MS - 1_000 * 7i64.pow(u32::try_from(number).unwrap() / 2),
        origin: [
            ScratchpadOrigin::Agent,
            ScratchpadOrigin::Person,
            ScratchpadOrigin::Inherited,
        ][number as usize % 3]
            .clone(),
    });
    stage.event("main", EventKind::Scratchpad(notes.collect()));
}

fn gauge(used: u64, window: Option<u64>, reported: bool) -> EventKind {
    EventKind::Context(ContextGauge {
        used,
        window,
        ceiling_percent: 85,
        reported,
        shares: WindowShares {
            system: 6_000,
            tools: 9_000,
            conversation: 1_234,
            outputs: used / 2,
        },
    })
}

/// Everything right of the conversation.
fn right_column(stage: &Stage) -> Rect {
    let layout = layout(&stage.model);
    let first = layout.of(Pane::Agents).unwrap().outer;
    let last = layout.of(Pane::Context).unwrap().outer;
    first.union(last)
}

#[test]
fn an_empty_session_says_what_is_not_there() {
    let stage = sample::opened(120, 40);
    stage.check_area("sidebar_empty", right_column(&stage));
}

#[test]
fn a_session_at_work() {
    let stage = sample::session(120, 40);
    stage.check_area("sidebar_typical", right_column(&stage));
}

#[test]
fn more_than_fits_scrolls_and_keeps_the_selection_in_view() {
    let mut stage = sample::session(120, 40);
    many_agents(&mut stage);
    long_checklist(&mut stage);
    many_notes(&mut stage);
    stage.event("main", gauge(190_000, Some(200_000), true));
    stage.press("alt+4 down down down down down down down down down");

    stage.check_area("sidebar_overflowing", right_column(&stage));
}

#[test]
fn every_state_of_an_agent_has_its_sign() {
    let mut stage = sample::session(80, 24);
    many_agents(&mut stage);
    stage.press("alt+3 down down down");

    stage.check_pane("agents_every_state", Pane::Agents);
}

#[test]
fn the_window_of_an_unknown_model_is_said_to_be_unknown() {
    let mut stage = sample::session(120, 40);
    stage.event("main", gauge(12_400, None, false));
    stage.event("main", EventKind::Usage(Usage::default()));
    stage.press("alt+6");

    stage.check_area("gauge_unknown", right_column(&stage));
}

#[test]
fn narrow_screens_show_one_pane() {
    for (keys, name, pane) in [
        ("alt+3", "agents_narrow", Pane::Agents),
        ("alt+4", "checklist_narrow", Pane::Checklist),
        ("alt+5", "scratchpad_narrow", Pane::Scratchpad),
        ("alt+6", "gauge_narrow", Pane::Context),
    ] {
        let mut stage = sample::session(60, 20);
        stage.press(keys);
        stage.check_pane(name, pane);
    }
}

#[test]
fn a_reason_is_asked_for_inside_the_pane() {
    let mut stage = sample::session(120, 40);
    stage.press("alt+4 down down d");
    stage.type_text("until the build of 各自 is green");

    stage.check_area("checklist_reason", right_column(&stage));
}

#[test]
fn deleting_a_note_asks_once_more() {
    let mut stage = sample::session(120, 40);
    stage.press("alt+5 down d");

    stage.check_area("scratchpad_delete", right_column(&stage));
}

#[test]
fn words_for_an_item_go_to_the_agent_for_whose_item_they_were_begun() {
    let mut stage = sample::session(120, 40);
    let list = |text: &str| {
        let mut checklist = Checklist::default();
        checklist.add(text, ItemStatus::Pending);
        EventKind::Checklist {
            checklist,
            nudges: 0,
        }
    };
    stage.event("main", list("mine"));
    stage.event(sample::TESTS, list("of the other"));
    stage.press("alt+4 enter");
    stage.type_text(" changed");

    let other = AgentId::new(sample::TESTS);
    let _ = conversation::show(&mut stage.model, other);
    stage.take_effects();
    stage.press("enter");

    let sent: Vec<Effect> = stage.take_effects();
    let edit = PersonChecklistEdit::Change {
        id: 1,
        change: ItemChange {
            text: Some("mine changed".to_owned()),
            ..ItemChange::default()
        },
    };
    let agent = AgentId::main();
    assert_eq!(sent, [Effect::Send(Command::EditChecklist { agent, edit })]);
}

#[test]
fn the_gauge_of_a_small_screen_uses_the_rows_below_it() {
    let mut stage = sample::session(40, 12);
    stage.press("alt+6");

    stage.check_pane("gauge_small", Pane::Context);
}

#[test]
fn enter_on_the_gauge_shows_what_stands_in_the_window() {
    let mut stage = sample::session(100, 30);
    stage.press("alt+6");
    stage.take_effects();
    stage.press("enter");
    let asked = stage.take_effects();
    assert!(
        asked.contains(&Effect::Send(Command::Fetch(
            Fetch::Window(AgentId::main())
        ))),
        "{asked:?}"
    );
    let item = |part, name: &str, tokens| WindowItem {
        sequence: None,
        is_dropped: false,
        is_pinned: false,
        part,
        name: name.to_owned(),
        tokens,
    };

    stage.event(
        "main",
        EventKind::Fetched(Fetched::Window(vec![
            item(WindowPart::Output, "shell_execute cargo test -q", 12_400),
            item(WindowPart::System, "prompt", 2_100),
            item(WindowPart::Tool, "file_edit", 640),
            item(WindowPart::Said, "Make it \u{202e}retry.", 12),
        ])),
    );

    stage.check("window_breakdown");
}

#[test]
fn tokens_that_no_server_told_are_not_said_to_be_none() {
    let mut stage = sample::opened(120, 40);
    let node = AgentNode {
        id: AgentId::main(),
        parent: None,
        description: String::new(),
        ended_ms: None,
        status: AgentStatus::Thinking,
        activity: String::new(),
        started_ms: NOW_MS - 1_000,
        usage: Usage::default(),
        calls: 1,
    };
    stage.event("main", EventKind::Agent(Box::new(node)));

    let grid = stage.grid();

    assert!(grid.contains("1 call"), "{grid}");
    assert!(!grid.contains(" 0 tok"), "{grid}");
}
