//! What the program itself says in the conversation.

use quarterdeck::{
    domain::{
        chat::ContentBlock,
        checklist::Checklist,
        display::Display,
        ids::CallId,
        record::{Record, ReplyEnd, Speaker, TurnOutcome, TurnRecap},
        tool::{CallStatus, ToolCall, ToolResult},
    },
    engine::event::Opened,
};
use serde_json::json;

use crate::support::{
    sample,
    talk::{Talk, content, result},
};

/// Once a turn, and in the same places however the past arrives.
#[test]
fn a_script_says_so_once_a_turn() {
    let mut talk = Talk::new(80, 60);
    let mut settings = sample::settings();
    settings.model.is_script = true;
    let opening = Opened {
        settings: settings.clone(),
        ..sample::opening()
    };
    talk.record(Record::SettingsChanged { settings });
    for _ in 0..2 {
        talk.turn();
        talk.said("go");
        for words in ["First words.", "Second words.", "Third words."] {
            talk.words(words);
        }
        talk.end(TurnOutcome::Finished, TurnRecap::default());
    }

    let rows = talk.rows();
    let labels: Vec<usize> = rows
        .iter()
        .enumerate()
        .filter(|(_, row)| *row == "  script · no language model answers")
        .map(|(place, _)| place)
        .collect();

    assert_eq!(labels.len(), 2, "{rows:#?}");
    for place in labels {
        assert_eq!(rows[place + 1].trim(), "First words.");
    }
    for page in 1..=talk.records.len() {
        let resumed = talk.resumed_as(page, opening.clone());
        assert_eq!(content(&resumed), rows, "in pages of {page}");
    }
}

/// A call that took less than a millisecond has its time as well; one that never started has none.
#[test]
fn every_call_that_ran_has_its_time() {
    let mut talk = Talk::new(80, 24);
    let quick = ToolResult {
        elapsed_ms: 0,
        ..result(
            "c0",
            "1 item",
            "x",
            Display::Text {
                text: "x".to_owned(),
            },
        )
    };
    talk.called("checklist_edit", json!({"id": 1}), quick);
    let refused = ToolResult::plain(CallId::new("c1"), CallStatus::Refused, "no");
    talk.reply(
        vec![ContentBlock::ToolCall(ToolCall {
            id: CallId::new("c1"),
            name: "checklist_edit".to_owned(),
            arguments: json!({"id": 2}),
            malformed: None,
        })],
        ReplyEnd::ToolCalls,
    );
    talk.record(Record::Result { result: refused });

    let timed: Vec<bool> = talk
        .rows()
        .iter()
        .filter(|row| row.contains("checklist_edit"))
        .map(|row| row.ends_with("0.00s"))
        .collect();

    assert_eq!(timed, [true, false], "{:#?}", talk.rows());
}

#[test]
fn what_the_person_changed_in_the_checklist_is_said() {
    let mut talk = Talk::new(80, 24);
    for change in ["added: cover it with tests", ""] {
        talk.record(Record::ChecklistChanged {
            checklist: Checklist::default(),
            speaker: Speaker::Person,
            change: change.to_owned(),
        });
    }

    let rows = talk.rows().join("\n");

    assert!(
        rows.contains("· checklist: you added: cover it with tests"),
        "{rows}"
    );
    assert!(rows.contains("· you changed the checklist"), "{rows}");
}
