//! Whatever comes in whatever order at whatever size: `update` and `view` never panic, and a frame never reaches
//! beyond the screen.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use proptest::prelude::*;
use quarterdeck::{
    domain::agent::AgentStatus,
    engine::event::{Delta, EventKind},
    ui::{
        Message,
        overlays::{
            Overlay, ask, choices, endpoint,
            viewer::{self, Source},
        },
    },
};

use crate::support::{golden::Stage, sample};

#[derive(Clone, Debug)]
enum Step {
    Key(KeyEvent),
    Paste(String),
    Mouse(MouseEvent),
    Resize(u16, u16),
    Wait(u64),
    Text(String),
    Approval(u64),
    Form(u64),
    Rest,
}

fn key() -> impl Strategy<Value = KeyEvent> {
    let code = prop_oneof![
        4 => "[a-zA-Z0-9/?@!{}\\[\\] 各é]".prop_map(|text| {
            KeyCode::Char(text.chars().next().unwrap_or(' '))
        }),
        1 => (1_u8..=12).prop_map(KeyCode::F),
        3 => proptest::sample::select(vec![
            KeyCode::Enter,
            KeyCode::Esc,
            KeyCode::Tab,
            KeyCode::BackTab,
            KeyCode::Up,
            KeyCode::Down,
            KeyCode::Left,
            KeyCode::Right,
            KeyCode::Home,
            KeyCode::End,
            KeyCode::PageUp,
            KeyCode::PageDown,
            KeyCode::Backspace,
            KeyCode::Delete,
        ]),
    ];
    let modifiers = proptest::sample::select(vec![
        KeyModifiers::NONE,
        KeyModifiers::NONE,
        KeyModifiers::CONTROL,
        KeyModifiers::ALT,
        KeyModifiers::SHIFT,
    ]);
    (code, modifiers).prop_map(|(code, modifiers)| KeyEvent::new(code, modifiers))
}

fn mouse() -> impl Strategy<Value = MouseEvent> {
    let kind = proptest::sample::select(vec![
        MouseEventKind::Down(MouseButton::Left),
        MouseEventKind::Up(MouseButton::Left),
        MouseEventKind::Drag(MouseButton::Left),
        MouseEventKind::ScrollUp,
        MouseEventKind::ScrollDown,
    ]);
    (kind, 0_u16..210, 0_u16..70).prop_map(|(kind, column, row)| MouseEvent {
        kind,
        column,
        row,
        modifiers: KeyModifiers::NONE,
    })
}

fn step() -> impl Strategy<Value = Step> {
    let size = prop_oneof![
        Just((0, 0)),
        Just((1, 1)),
        Just((2, 1)),
        Just((1, 50)),
        Just((500, 2)),
        Just((20, 5)),
        (0_u16..200, 0_u16..60),
    ];
    prop_oneof![
        12 => key().prop_map(Step::Key),
        1 => "(?s).{0,40}".prop_map(Step::Paste),
        3 => mouse().prop_map(Step::Mouse),
        3 => size.prop_map(|(columns, rows)| Step::Resize(columns, rows)),
        1 => (0_u64..3_000).prop_map(Step::Wait),
        1 => "(?s).{0,60}".prop_map(Step::Text),
        1 => (1_u64..4).prop_map(Step::Approval),
        1 => (5_u64..8).prop_map(Step::Form),
        1 => Just(Step::Rest),
    ]
}

fn take(stage: &mut Stage, step: Step) {
    match step {
        Step::Key(key) => stage.send(Message::key(key)),
        Step::Paste(text) => stage.send(Message::Paste(text)),
        Step::Mouse(mouse) => stage.send(Message::Mouse(mouse)),
        Step::Resize(columns, rows) => stage.send(Message::Resize(columns, rows)),
        Step::Wait(milliseconds) => stage.advance(milliseconds),
        Step::Text(text) => stage.event("main", EventKind::Delta(Delta::Text(text))),
        Step::Approval(id) => {
            let request = sample::approval(id);
            stage.event(sample::TESTS, EventKind::ApprovalAsked(Box::new(request)));
        }
        Step::Form(id) => {
            let form = sample::form(id);
            stage.event("main", EventKind::QuestionAsked(Box::new(form)));
        }
        Step::Rest => {
            let node = sample::main_agent(AgentStatus::Idle);
            stage.event("main", EventKind::Agent(Box::new(node)));
        }
    }
    stage.take_effects();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn nothing_that_comes_breaks_the_screen(steps in proptest::collection::vec(step(), 1..60)) {
        let mut stage = sample::session(100, 30);
        for step in steps {
            take(&mut stage, step);
            let (buffer, cursor) = stage.draw();
            stage.send(Message::Painted(stage.model.clock));
            if let Some(position) = cursor {
                prop_assert!(buffer.area.contains(position));
            }
        }
    }
}

type Opens = fn(&mut Stage);

/// Every kind of overlay, by its name.
fn overlays() -> Vec<(&'static str, Opens)> {
    fn open(stage: &mut Stage, overlay: Overlay) {
        stage.model.overlay.open(overlay);
    }
    vec![
        ("palette", |stage| stage.press("ctrl+p")),
        ("help", |stage| stage.press("f1")),
        ("sessions", |stage| stage.press("f7")),
        ("title", |stage| stage.press("alt+t")),
        ("quit", |stage| stage.press("ctrl+q")),
        ("choice", |stage| stage.press("alt+p")),
        ("jobs", |stage| stage.press("alt+u")),
        ("trust", |stage| {
            open(stage, Overlay::Ask(ask::State::new(ask::Subject::Trust)));
        }),
        ("start", |stage| {
            let state = choices::start(&stage.model);
            open(stage, Overlay::Start(state));
        }),
        ("endpoint", |stage| {
            open(stage, Overlay::Endpoint(endpoint::State::default()));
        }),
        ("viewer", |stage| {
            let text = "各 long line of an output \t".repeat(40);
            let _ = viewer::open(&mut stage.model, "output", Source::Text(text.into()));
            stage.press("/");
        }),
    ]
}

#[test]
fn every_overlay_stands_every_tiny_size_while_a_reply_streams() {
    let through = |size: (u16, u16), open: Option<Opens>| {
        let mut stage = sample::session(100, 30);
        if let Some(open) = open {
            open(&mut stage);
            assert!(stage.model.overlay.is_some());
        }
        stage.send(Message::Resize(size.0, size.1));
        sample::stream(&mut stage, "各 streaming ⚠\u{fe0f} words ");
        let _ = stage.draw();
        stage.send(Message::Resize(100, 30));
        stage.model.overlay.clear();
        stage.grid()
    };
    for size in [(0, 0), (1, 1), (2, 1), (1, 50), (500, 2), (20, 5), (21, 6)] {
        let expected = through(size, None);
        for (name, open) in overlays() {
            assert_eq!(through(size, Some(open)), expected, "{name} at {size:?}");
        }
    }
}
