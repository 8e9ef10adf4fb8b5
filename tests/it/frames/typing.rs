//! Typing into a call that has a terminal: what says that one can, what is seen meanwhile, and where keys go.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use quarterdeck::{
    domain::{
        agent::{AgentNode, AgentStatus},
        approval::{ApprovalRequest, Circumstances},
        chat::ContentBlock,
        display::Display,
        ids::{AgentId, CallId, TurnId},
        record::{Record, ReplyEnd},
        terminal::{TerminalInput, TerminalSize, Typed},
    },
    engine::{
        command::Command,
        event::{CallState, Delta, EventKind},
    },
    ui::{Message, focus::Pane, keymap::Scope},
};
use serde_json::json;

use crate::support::{
    golden::Stage,
    sample,
    talk::{Talk, result},
};

const CALL: &str = "t1";

/// The main agent runs a call that has a terminal.
fn attended(columns: u16, rows: u16) -> Talk {
    let mut talk = Talk::new(columns, rows);
    talk.said("install it");
    talk.stage.event(
        "main",
        EventKind::Turn {
            turn: TurnId(1),
            running: true,
        },
    );
    let status = AgentStatus::Running {
        tool: "shell_execute".to_owned(),
    };
    let node = sample::main_agent(status);
    talk.stage.event("main", EventKind::Agent(Box::new(node)));
    let arguments = json!({"command": "sudo apt install jq", "interactive": true});
    let call = sample::call(CALL, "shell_execute", arguments);
    talk.reply(vec![ContentBlock::ToolCall(call)], ReplyEnd::ToolCalls);
    for state in [CallState::Running, CallState::Attended] {
        state_of(&mut talk.stage, "main", state);
    }
    prints(&mut talk.stage, "[sudo] password for ada: ");
    talk
}

fn state_of(stage: &mut Stage, agent: &str, state: CallState) {
    let call = CallId::new(CALL);
    stage.event(agent, EventKind::Call { call, state });
}

fn prints(stage: &mut Stage, text: &str) {
    let delta = Delta::Output {
        call: CallId::new(CALL),
        text: text.to_owned(),
    };
    stage.event("main", EventKind::Delta(delta));
}

fn ends(talk: &mut Talk) {
    let display = Display::Terminal {
        command: "sudo apt install jq".to_owned(),
        output: "[sudo] password for ada: \njq is installed.\n".to_owned(),
        exit: Some(0),
        omitted_lines: 0,
    };
    let result = result(CALL, "ok", "jq is installed.", display);
    talk.record(Record::Result { result });
}

/// What was typed, key by key.
fn typed(stage: &mut Stage) -> Vec<Typed> {
    let commands = stage.take_commands().into_iter();
    commands
        .filter_map(|command| match command {
            Command::Terminal {
                input: TerminalInput::Typed(typed),
                ..
            } => Some(typed),
            _ => None,
        })
        .collect()
}

fn bytes(stage: &mut Stage) -> String {
    let typed = typed(stage);
    let bytes: Vec<u8> = typed.iter().flat_map(Typed::bytes).copied().collect();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn a_program_that_waits_says_so_and_with_which_key() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 12)] {
        let stage = attended(columns, rows).stage;
        stage.check(&format!("typing_waits_{columns}x{rows}"));
    }
}

#[test]
fn what_is_typed_into_is_seen_to_its_end_with_the_cursor_behind_it() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 12)] {
        let mut stage = attended(columns, rows).stage;
        let lines: String = (1..=50).map(|line| format!("\rline {line}\n")).collect();
        prints(
            &mut stage,
            &format!("{lines}Do you want to continue? [Y/n] "),
        );

        stage.press("alt+shift+i");

        stage.check(&format!("typing_{columns}x{rows}"));
        let (buffer, cursor) = stage.draw();
        let cursor = cursor.expect("a cursor");
        assert_eq!(
            buffer[(cursor.x - 2, cursor.y)].symbol(),
            "]",
            "{}",
            stage.grid()
        );
    }
}

#[test]
fn every_key_goes_to_the_program_but_the_one_that_leaves() {
    let mut stage = attended(80, 24).stage;
    assert_eq!(bytes(&mut stage), "");

    stage.press("alt+shift+i");
    stage.press("y enter ctrl+c ctrl+p f1 alt+a tab up q");
    stage.send(Message::Paste("one\r\ntwo\u{1b}[31m\n".to_owned()));
    assert_eq!(
        bytes(&mut stage),
        "y\r\u{3}\u{10}\u{1b}OP\u{1b}a\t\u{1b}[Aqone\rtwo[31m\r"
    );
    stage.press("esc");
    stage.press("x");

    assert_eq!(bytes(&mut stage), "");
    assert_eq!(stage.model.screen.focus, Pane::Composer);
    assert!(stage.grid().contains("takes input"));
}

/// More keys at once than commands can wait are one, and each is counted.
#[test]
fn a_burst_of_keys_is_typed_at_once() {
    let mut stage = attended(80, 24).stage;
    stage.press("alt+shift+i");
    stage.take_commands();
    let key = |code| KeyEvent::new(code, KeyModifiers::NONE);
    let burst = (0..1_000)
        .map(|_| key(KeyCode::Char('x')))
        .chain([key(KeyCode::Up)]);

    stage.send(Message::Keys(burst.collect()));

    let all = typed(&mut stage);
    assert_eq!(all.len(), 1);
    assert_eq!(all[0].characters(), 1_001);
    assert_eq!(all[0].bytes().len(), 1_003);
}

#[test]
fn a_program_that_went_out_of_sight_is_not_typed_into() {
    let mut stage = attended(80, 24).stage;
    stage.event(
        "scout",
        EventKind::Agent(Box::new(AgentNode {
            id: AgentId::new("scout"),
            parent: Some(AgentId::main()),
            ..sample::main_agent(AgentStatus::Thinking)
        })),
    );
    stage.press("alt+shift+i");
    let scout = AgentId::new("scout");
    let _ = quarterdeck::ui::panes::conversation::show(&mut stage.model, scout);
    stage.take_commands();

    stage.press("x");

    assert_eq!(bytes(&mut stage), "");
}

/// Keys that were meant for a program which has just ended are not taken for anything else.
#[test]
fn what_is_typed_at_the_end_of_a_program_goes_nowhere() {
    let mut talk = attended(80, 24);
    talk.stage.press("alt+shift+i");
    ends(&mut talk);
    talk.stage.take_commands();

    talk.stage.type_text("yes");
    talk.stage.press("enter");
    talk.stage.check("typing_ended_80x24");
    assert_eq!(talk.stage.take_commands(), []);
    talk.stage.advance(1_000);

    assert_eq!(talk.stage.model.screen.focus, Pane::Composer);
    talk.stage.type_text("and");
    assert!(talk.stage.grid().contains("│ and"), "{}", talk.stage.grid());
    talk.stage.press("alt+shift+i");
    assert!(talk.stage.grid().contains("no program takes what you type"));
}

#[test]
fn a_program_of_a_sub_agent_is_gone_to_and_left_again() {
    let mut talk = attended(120, 40);
    ends(&mut talk);
    let mut stage = talk.stage;
    let child = AgentNode {
        id: AgentId::new("scout"),
        parent: Some(AgentId::main()),
        ..sample::main_agent(AgentStatus::Running {
            tool: "shell_execute".to_owned(),
        })
    };
    stage.event("scout", EventKind::Agent(Box::new(child)));
    let asked = ApprovalRequest {
        agent: AgentId::new("scout"),
        call: CallId::new(CALL),
        ..sample::approval(7)
    };
    let id = asked.id;
    stage.event("scout", EventKind::ApprovalAsked(Box::new(asked)));
    stage.event("scout", EventKind::RequestClosed(id));
    state_of(&mut stage, "scout", CallState::Running);
    state_of(&mut stage, "scout", CallState::Attended);
    stage.check("typing_sub_agent_waits");
    stage.take_commands();

    stage.press("alt+shift+i y");

    assert_eq!(stage.model.conversation.shown, AgentId::new("scout"));
    let agents: Vec<String> = stage
        .take_commands()
        .into_iter()
        .filter_map(|command| match command {
            Command::Terminal { agent, .. } => Some(agent.to_string()),
            _ => None,
        })
        .collect();
    assert!(
        !agents.is_empty() && agents.iter().all(|agent| agent == "scout"),
        "{agents:?}"
    );
    stage.press("alt+shift+i");
    assert!(stage.model.conversation.shown.is_main());
}

#[test]
fn a_program_hears_how_much_of_it_is_seen_once_for_each_size() {
    let mut stage = attended(120, 40).stage;
    let sizes = |stage: &mut Stage| -> Vec<TerminalSize> {
        let commands = stage.take_commands().into_iter();
        commands
            .filter_map(|command| match command {
                Command::Terminal {
                    input: TerminalInput::Size(size),
                    ..
                } => Some(size),
                _ => None,
            })
            .collect()
    };
    let told = sizes(&mut stage);
    assert_eq!(told.len(), 1, "{told:?}");

    prints(&mut stage, "more");
    assert_eq!(sizes(&mut stage), []);
    stage.send(Message::Resize(80, 24));
    stage.send(Message::Resize(120, 40));

    let again = sizes(&mut stage);
    assert_eq!(again.len(), 2, "{again:?}");
    assert_eq!(again[1], told[0]);
}

#[test]
fn a_box_says_that_the_command_has_a_terminal_and_never_takes_the_keyboard_from_one() {
    let mut stage = attended(120, 40).stage;
    stage.press("alt+shift+i");
    let asked = sample::approval(3);
    let circumstances = asked.circumstances.clone().map(|how| Circumstances {
        is_attended: true,
        ..how
    });
    let asked = ApprovalRequest {
        circumstances,
        agent: AgentId::main(),
        call: CallId::new("t2"),
        ..asked
    };
    stage.event("main", EventKind::ApprovalAsked(Box::new(asked)));
    stage.paint();
    stage.advance(5_000);
    stage.paint();

    stage.press("a");

    assert_eq!(bytes(&mut stage), "a");
    assert_eq!(quarterdeck::ui::focus::scope(&stage.model), Scope::Terminal);
    assert!(stage.take_decisions().is_empty());
    stage.press("esc alt+a");
    stage.check("typing_asked_120x40");
}

/// What is typed before its program is there waits for it: a password must not end in the message.
#[test]
fn a_command_line_of_the_persons_is_typed_into_from_the_first_key_on() {
    let mut stage = sample::opened(80, 24);
    stage.type_text("/type sudo true");
    stage.press("enter");
    assert_eq!(
        stage.take_commands(),
        [Command::RunShell {
            command: "sudo true".to_owned(),
            shared: true,
            attended: true,
        }]
    );
    stage.type_text("ses");
    let call = CallId::new("person_1");
    stage.event(
        "main",
        EventKind::PersonRuns {
            call: call.clone(),
            command: "sudo true".to_owned(),
            shared: true,
        },
    );
    stage.type_text("ame");
    assert_eq!(bytes(&mut stage), "");

    let state = CallState::Attended;
    stage.event("main", EventKind::Call { call, state });
    stage.press("enter");

    assert_eq!(bytes(&mut stage), "sesame\r");
    assert!(!stage.grid().contains("sesame"), "{}", stage.grid());
    assert!(stage.grid().contains("you type"), "{}", stage.grid());
    stage.press("esc");
    assert_eq!(stage.model.screen.focus, Pane::Composer);
}
