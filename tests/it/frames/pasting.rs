//! Two megabytes pasted on one line, wherever text can be put.

use proptest::prelude::*;
use quarterdeck::{
    domain::question::QuestionForm,
    engine::event::EventKind,
    ui::{Message, widgets::field::MOST},
};

use super::approvals::{ask, go};
use crate::support::{golden::Stage, sample};

const MEGABYTES: usize = 2 << 20;

/// A session in which these keys were pressed.
fn pressed(keys: &str) -> Stage {
    let mut stage = sample::session(120, 40);
    stage.press(keys);
    stage
}

fn slash(command: &str, keys: &str) -> Stage {
    let mut stage = pressed("alt+2");
    stage.type_text(command);
    stage.press("enter");
    stage.press(keys);
    stage
}

fn another_endpoint() -> Stage {
    let mut stage = pressed("alt+p");
    stage.type_text("another");
    stage.press("enter");
    stage
}

fn form() -> Stage {
    let mut stage = sample::session(120, 40);
    let mut form: QuestionForm = sample::form(1);
    form.questions = vec![form.questions.remove(2)];
    stage.event("main", EventKind::QuestionAsked(Box::new(form)));
    stage.paint();
    stage.advance(600);
    stage
}

fn approval(keys: &str) -> Stage {
    let mut stage = sample::session(120, 40);
    let mut request = sample::approval(1);
    request.offers.patterns = vec!["cargo test *".to_owned()];
    ask(&mut stage, request);
    go(&mut stage);
    stage.press(keys);
    stage
}

/// Every field of one line.
fn fields() -> Vec<(&'static str, Stage)> {
    vec![
        ("palette", pressed("ctrl+p")),
        ("title", pressed("alt+t")),
        ("endpoint", another_endpoint()),
        ("help search", pressed("f1 /")),
        ("search", pressed("alt+1 /")),
        ("history", pressed("alt+2 ctrl+r")),
        ("item", pressed("alt+4 a")),
        ("reason", pressed("alt+4 d")),
        ("note", pressed("alt+5 a")),
        ("rename", pressed("alt+5 r")),
        ("rule of one's own", slash("/rules", "a down")),
        ("rule", approval("p")),
    ]
}

/// Every text of several lines.
fn texts() -> Vec<(&'static str, Stage)> {
    vec![
        ("message", pressed("alt+2")),
        ("answer", form()),
        ("words", approval("w")),
        ("call", approval("e")),
    ]
}

#[test]
fn a_field_takes_what_has_a_place_and_says_what_was_left_out() {
    for (name, mut stage) in fields() {
        stage.send(Message::Paste("x".repeat(MEGABYTES)));
        let grid = stage.grid();
        // What a field began with takes a little of its place.
        assert!(grid.contains("left out 2,095,1"), "{name}: {grid}");

        stage.send(Message::Paste("y".repeat(MEGABYTES)));
        stage.type_text("zz");
        assert!(
            stage.grid().contains("left out 2,097,152"),
            "{name}: {}",
            stage.grid()
        );
        stage.press("home end left backspace z esc");
        stage.grid();
    }
}

#[test]
fn a_text_takes_it_whole_as_a_chip() {
    for (name, mut stage) in texts() {
        stage.send(Message::Paste("x".repeat(MEGABYTES)));
        stage.advance(600);
        stage.type_text("behind");

        let grid = stage.grid();
        assert!(grid.contains("[paste 1: 2.1 MB]behind"), "{name}: {grid}");
        assert!(!grid.contains("left out"), "{name}: {grid}");
    }
}

#[test]
fn what_was_left_out_is_said_at_every_size() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 12)] {
        let mut stage = sample::session(columns, rows);
        stage.press("ctrl+p");
        stage.send(Message::Paste("x".repeat(MEGABYTES)));
        stage.check(&format!("pasted_too_much_{columns}x{rows}"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn no_paste_is_lost_without_a_word(text in "[a-z 各\r\n\t]{0,40}", times in 1_usize..120) {
        let text = text.repeat(times);
        let mut stage = pressed("alt+t ctrl+u");
        stage.send(Message::Paste(text.clone()));
        let characters = text.replace("\r\n", " ").chars().count();
        prop_assert_eq!(stage.grid().contains("left out"), characters > MOST);

        let mut stage = pressed("alt+2");
        stage.send(Message::Paste(text.clone()));
        let lines = text.replace("\r\n", "\n").replace('\r', "\n");
        prop_assert_eq!(stage.model.composer.editor.text(), lines);
    }
}
