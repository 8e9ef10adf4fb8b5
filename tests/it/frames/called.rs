//! Commands that are called by name: whatever the palette offers works where it is offered.

use quarterdeck::{
    domain::{
        permission::{Grant, Rule, Scope, Verdict},
        question::QuestionForm,
    },
    engine::event::{EventKind, Fetched, Rules},
    ui::{Message, overlays::choices, panes::offered::offered},
};

use ratatui::buffer::Buffer;

use super::approvals::{ask, go};
use crate::support::{golden::Stage, sample};

/// A session in which these keys were pressed.
fn pressed(keys: &str) -> Stage {
    let mut stage = sample::session(80, 24);
    stage.press(keys);
    stage
}

fn approval(requests: u64, keys: &str) -> Stage {
    let mut stage = sample::session(80, 24);
    for id in 1..=requests {
        ask(&mut stage, sample::approval(id));
    }
    go(&mut stage);
    stage.press(keys);
    stage
}

fn form() -> Stage {
    let mut stage = sample::session(80, 24);
    let form: QuestionForm = sample::form(1);
    stage.event("main", EventKind::QuestionAsked(Box::new(form)));
    stage.paint();
    stage.advance(600);
    stage
}

fn draft() -> Stage {
    let mut stage = pressed("alt+2");
    stage.type_text("words ");
    stage.send(Message::Paste("line\n".repeat(20)));
    stage
}

fn rules() -> Stage {
    let mut stage = pressed("f4");
    let rule = Rule {
        action: "shell_execute".to_owned(),
        resource: "cargo *".to_owned(),
        verdict: Verdict::Allow,
    };
    let grant = Grant {
        rule,
        scope: Scope::Session,
        expires_ms: None,
        kind: false,
    };
    let rules = Rules {
        grants: vec![grant],
        ..Rules::default()
    };
    stage.event("main", EventKind::Fetched(Fetched::Rules(Box::new(rules))));
    stage
}

/// A name, and what is on the screen then.
type Context = (&'static str, fn() -> Stage);

const CONTEXTS: &[Context] = &[
    ("nothing said", || sample::opened(120, 40)),
    ("small", || sample::session(40, 12)),
    ("wide", || sample::session(120, 40)),
    ("message", || pressed("alt+2")),
    ("draft", draft),
    ("earlier messages", || pressed("alt+2 ctrl+r")),
    ("conversation", || pressed("alt+1")),
    ("entry", || pressed("alt+1 up up up")),
    ("first entry", || pressed("alt+1 up g")),
    ("search", || pressed("alt+1 / r e t r y")),
    ("found", || pressed("alt+1 / r e t r y enter")),
    ("zoomed", || pressed("alt+1 alt+z")),
    ("hidden", || pressed("alt+5 alt+-")),
    ("agents", || pressed("alt+3")),
    ("another agent", || pressed("alt+3 down")),
    ("shown agent", || pressed("alt+3 down enter")),
    ("checklist", || pressed("alt+4")),
    ("item", || pressed("alt+4 down")),
    ("new item", || pressed("alt+4 a")),
    ("scratchpad", || pressed("alt+5")),
    ("context", || pressed("alt+6")),
    ("approval", || approval(1, "")),
    ("approvals", || approval(2, "")),
    ("words", || approval(1, "w")),
    ("inbox", || approval(2, "alt+a")),
    ("form", form),
    ("manual", || pressed("f1")),
    ("viewer", || pressed("alt+j")),
    ("rules", rules),
    ("jobs", || pressed("alt+g")),
    ("level", || pressed("f5")),
    ("title", || pressed("alt+t")),
];

/// Calls the command in this row of the palette.
fn called(mut stage: Stage, row: usize) -> Stage {
    stage.press("ctrl+p");
    for _ in 0..row {
        stage.press("down");
    }
    stage.take_effects();
    stage.press("enter");
    stage
}

/// The context once its notices are gone.
fn quiet(build: fn() -> Stage) -> Stage {
    let mut stage = build();
    stage.advance(9_000);
    stage
}

fn says_nothing_to_do(stage: &Stage) -> bool {
    let mut notices = stage.model.notices.list.iter();
    notices.any(|(notice, _)| notice.text.contains("nothing to do"))
}

#[test]
fn every_command_that_is_offered_does_something_there() {
    let mut idle = Vec::new();
    for (name, build) in CONTEXTS {
        let stage = quiet(*build);
        let before: Buffer = stage.buffer();
        let actions = offered(&stage.model);
        assert!(actions.len() > 20, "{name}: {actions:?}");
        for (row, action) in actions.iter().enumerate() {
            let mut stage = called(quiet(*build), row);
            let is_idle = stage.take_effects().is_empty() && stage.buffer() == before;
            if is_idle || says_nothing_to_do(&stage) {
                idle.push(format!("{name}: {action:?}"));
            }
        }
    }
    assert_eq!(idle, Vec::<String>::new());
}

#[test]
fn every_command_that_is_offered_shows_its_keys() {
    for (name, build) in CONTEXTS {
        for row in choices::palette(&build().model).rows() {
            assert!(!row.note.is_empty(), "{name}: {}", row.label);
        }
    }
}

#[test]
fn what_the_keys_of_a_list_do_can_be_called_there() {
    for (keys, labels) in [
        ("alt+3 down", &["open", "copy", "steer", "cancel agent"][..]),
        (
            "alt+4",
            &["open", "copy", "toggle", "add", "give up", "move down"],
        ),
        (
            "alt+5",
            &["open", "copy", "edit", "rename", "delete", "add"],
        ),
        ("alt+6", &["open", "back"]),
        (
            "alt+1 up up",
            &["open", "search", "copy", "copy markdown", "fold all"],
        ),
    ] {
        let stage = pressed(keys);
        let palette = choices::palette(&stage.model);
        let offered = palette.labels();
        for label in labels {
            assert!(offered.contains(label), "{keys}: {label}: {offered:?}");
        }
    }
}

#[test]
fn no_answer_is_given_from_the_palette() {
    for build in [|| approval(2, ""), form] {
        let stage = build();
        let labels = choices::palette(&stage.model);
        let labels = labels.labels();
        for answer in [
            "allow once",
            "allow session",
            "reject",
            "never",
            "answer marked",
            "decline",
        ] {
            assert!(!labels.contains(&answer), "{answer}");
        }
    }
}

#[test]
fn a_command_that_finds_nothing_to_do_any_more_says_so() {
    let mut stage = pressed("alt+4 down");
    stage.press("ctrl+p");
    stage.type_text("move up");
    let empty = EventKind::Checklist {
        checklist: quarterdeck::domain::checklist::Checklist::default(),
        nudges: 0,
    };
    stage.event("main", empty);
    stage.press("enter");

    assert!(
        stage
            .grid()
            .contains("move up: there is nothing to do here"),
        "{}",
        stage.grid()
    );
}
