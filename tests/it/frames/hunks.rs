//! Some of several changes of a file, chosen in the approval box.

use quarterdeck::domain::{
    approval::{ApprovalDecision, ApprovalRequest},
    display::{Display, FileDiff},
};
use serde_json::json;

use super::approvals::{ask, go};
use crate::support::{sample, talk::Talk};

fn edits() -> ApprovalRequest {
    ApprovalRequest {
        subject: "src/fetch.rs".to_owned(),
        tool: "file_edit".to_owned(),
        arguments: json!({"path": "src/fetch.rs", "edits": [
            {"old": "one\n", "new": "first\n"},
            {"old": "two\n", "new": "second\n"},
            {"old": "three\n", "new": "third\n"},
        ]}),
        preview: Some(Display::Diff(FileDiff {
            path: "src/fetch.rs".to_owned(),
            old: "one\ntwo\nthree\n".to_owned(),
            new: "first\nsecond\nthird\n".to_owned(),
            first_line: 7,
            created: false,
        })),
        previewed: vec!["edits".to_owned()],
        editable: Some("new_string".to_owned()),
        ..sample::approval(1)
    }
}

fn chosen(columns: u16, rows: u16) -> Talk {
    let mut talk = Talk::new(columns, rows);
    ask(&mut talk.stage, edits());
    go(&mut talk.stage);
    talk.stage.press("h down space");
    talk
}

#[test]
fn the_parts_of_a_change_are_taken_and_left_in_the_box() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 12)] {
        let talk = chosen(columns, rows);

        talk.stage.check(&format!("hunks_{columns}x{rows}"));
    }
}

#[test]
fn what_is_left_of_the_change_is_shown_before_it_can_be_allowed() {
    let mut talk = chosen(120, 40);
    let stage = &mut talk.stage;
    stage.take_effects();

    stage.press("enter");
    stage.press("a");
    assert_eq!(stage.take_decisions(), [], "it was not seen yet");
    stage.paint();
    stage.advance(1_100);
    let grid = stage.grid();
    assert!(grid.contains("+ first"), "{grid}");
    assert!(!grid.contains("second"), "{grid}");
    assert!(grid.contains("+ third"), "{grid}");
    stage.press("a");

    let arguments = json!({"path": "src/fetch.rs", "edits": [
        {"old": "one\n", "new": "first\n"},
        {"old": "three\n", "new": "third\n"},
    ]});
    assert_eq!(
        stage.take_decisions(),
        [ApprovalDecision::Edited { arguments }]
    );
}

#[test]
fn nothing_taken_is_refused_with_words_and_going_back_changes_nothing() {
    let mut talk = chosen(120, 40);
    let stage = &mut talk.stage;
    stage.press("up space down down space enter");
    let grid = stage.grid();
    assert!(grid.contains("nothing of the change is taken"), "{grid}");

    stage.press("esc");
    stage.paint();
    stage.advance(1_100);
    stage.press("a");

    assert_eq!(stage.take_decisions(), [ApprovalDecision::Once]);
}
