//! A whole output in the viewer: while its call runs, at another width, and one that is gone.

use crossterm::event::{KeyModifiers, MouseEvent, MouseEventKind};
use quarterdeck::{
    domain::{
        chat::ContentBlock,
        display::Display,
        ids::{AgentId, CallId},
        record::{Record, ReplyEnd},
        tool::ToolCall,
    },
    engine::event::{CallState, Delta, EventKind, Fetched},
    ui::{
        Message,
        overlays::viewer::{self, Source},
    },
};
use serde_json::json;

use crate::support::{
    golden::Stage,
    sample,
    talk::{Talk, result},
};

fn opened(stage: &mut Stage, source: Source) {
    let _ = viewer::open(&mut stage.model, "output", source);
}

fn running() -> Talk {
    let mut talk = Talk::new(100, 24);
    let call = CallId::new("c1");
    talk.reply(
        vec![ContentBlock::ToolCall(ToolCall {
            id: call.clone(),
            name: "shell_execute".to_owned(),
            arguments: json!({"command": "make"}),
            malformed: None,
        })],
        ReplyEnd::ToolCalls,
    );
    talk.record(Record::CallStarted { call: call.clone() });
    let state = CallState::Running;
    talk.stage.event("main", EventKind::Call { call, state });
    talk
}

fn output(talk: &mut Talk, text: &str) {
    talk.delta(Delta::Output {
        call: CallId::new("c1"),
        text: text.to_owned(),
    });
}

#[test]
fn the_output_of_a_running_call_is_followed_to_its_end() {
    let mut talk = running();
    let lines = |range: std::ops::Range<usize>| -> String {
        range.map(|number| format!("step {number}\n")).collect()
    };
    output(&mut talk, &lines(0..12_000));
    talk.stage.press("alt+1 k enter");
    assert!(talk.stage.grid().contains("12000 lines · follows"));

    output(&mut talk, &lines(12_000..12_010));

    let grid = talk.stage.grid();
    assert!(
        grid.contains("step 12009") && grid.contains("12010 lines · follows"),
        "{grid}"
    );

    // Left, it stays where it was read, though what comes pushes the first lines out.
    talk.stage.press("pageup");
    let read = |talk: &Talk| {
        let grid = talk.stage.grid();
        grid.lines()
            .nth(3)
            .map(|row| row.trim_matches(['│', ' ']).to_owned())
    };
    let before = read(&talk);
    output(&mut talk, &lines(12_010..14_000));
    assert_eq!(read(&talk), before);
    assert!(
        talk.stage.grid().contains("of 14000"),
        "{}",
        talk.stage.grid()
    );

    let whole = lines(0..14_000);
    let display = Display::text(whole.clone());
    talk.record(Record::Result {
        result: result("c1", "done", &whole, display),
    });
    assert_eq!(read(&talk), before);
    talk.stage.press("f");
    assert!(talk.stage.grid().contains("step 13999"));
}

#[test]
fn a_narrower_screen_cuts_no_line_whatever_came_last() {
    let mut stage = sample::session(120, 24);
    let text = format!("{}END\n{}", "word ".repeat(20), "more\n".repeat(50));
    opened(&mut stage, Source::Text(text.into()));

    stage.send(Message::Resize(60, 24));

    assert!(stage.grid().contains("END"), "{}", stage.grid());
    let wheel = MouseEvent {
        kind: MouseEventKind::ScrollDown,
        column: 10,
        row: 10,
        modifiers: KeyModifiers::NONE,
    };
    stage.send(Message::Mouse(wheel));
    assert!(stage.grid().contains("line 3 of 51"), "{}", stage.grid());
}

#[test]
fn an_entry_that_is_gone_fails_no_other_viewer() {
    let mut stage = sample::session(100, 24);
    let main = AgentId::main();
    opened(
        &mut stage,
        Source::Scratchpad(main.clone(), "notes".to_owned()),
    );
    let gone = |name: &str| {
        EventKind::Fetched(Fetched::Scratchpad {
            agent: AgentId::main(),
            name: name.to_owned(),
            entry: None,
        })
    };

    stage.event("main", gone("other"));
    assert!(!stage.grid().contains("the entry is gone"));

    stage.event("main", gone("notes"));
    assert!(stage.grid().contains("the entry is gone"));
}
