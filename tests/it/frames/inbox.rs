//! Several requests at once: the list of them, marks, and requests that are alike.

use quarterdeck::{
    domain::{
        approval::{ApprovalDecision, ApprovalRequest},
        ids::{AgentId, CallId, RequestId},
    },
    engine::{command::Command, event::EventKind},
    ui::Effect,
};
use serde_json::json;

use crate::support::{golden::Stage, sample, talk::Talk};

fn command(id: u64, agent: &str, command: &str) -> ApprovalRequest {
    ApprovalRequest {
        agent: AgentId::new(agent),
        lineage: vec!["main".to_owned(), agent.to_owned()],
        call: CallId::new(format!("a{id}")),
        subject: command.to_owned(),
        arguments: json!({"command": command, "timeout_ms": 120_000}),
        hash: format!("hash of {command}"),
        ..sample::approval(id)
    }
}

fn ask(stage: &mut Stage, request: ApprovalRequest) {
    let agent = request.agent.clone();
    stage.event(agent.as_str(), EventKind::ApprovalAsked(Box::new(request)));
}

/// Four commands, two of them the same, and a form.
fn full(columns: u16, rows: u16) -> Stage {
    let mut talk = Talk::new(columns, rows);
    talk.said("set it up");
    let stage = &mut talk.stage;
    ask(stage, command(1, "main", "make deps"));
    ask(stage, command(2, "scout_1", "git fetch origin"));
    ask(stage, command(3, "scout_2", "git fetch origin"));
    ask(stage, command(4, "main", "make install"));
    stage.event("main", EventKind::QuestionAsked(Box::new(sample::form(5))));
    stage.take_effects();
    talk.stage
}

/// Lets what is shown be seen for long enough.
fn see(stage: &mut Stage) {
    stage.paint();
    stage.advance(1_100);
    stage.paint();
}

fn decided(stage: &mut Stage) -> Vec<(u64, ApprovalDecision)> {
    let effects = stage.take_effects();
    let decided = effects.into_iter().filter_map(|effect| match effect {
        Effect::Send(Command::Decide {
            request, decision, ..
        }) => Some((request.0, decision)),
        _ => None,
    });
    decided.collect()
}

#[test]
fn the_list_shows_all_that_waits_and_the_box_of_what_is_selected() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 12)] {
        let mut stage = full(columns, rows);
        stage.press("alt+a");
        see(&mut stage);
        stage.press("down");
        see(&mut stage);

        stage.check(&format!("inbox_{columns}x{rows}"));
    }
}

#[test]
fn requests_that_are_alike_are_one_row_and_get_one_answer() {
    let mut stage = full(120, 40);
    stage.press("alt+a");
    see(&mut stage);
    stage.press("down");
    stage.press("a");
    assert_eq!(decided(&mut stage), [], "its box was not seen yet");
    see(&mut stage);

    stage.press("a");

    assert_eq!(
        decided(&mut stage),
        [(2, ApprovalDecision::Once), (3, ApprovalDecision::Once)]
    );
    stage.press("a");
    assert_eq!(decided(&mut stage), [], "a key answers one row");
}

#[test]
fn all_that_is_marked_gets_the_next_answer() {
    let mut stage = full(120, 40);
    stage.press("alt+a");
    see(&mut stage);
    stage.press("space");
    see(&mut stage);
    stage.press("end up");
    see(&mut stage);
    stage.press("space");
    see(&mut stage);
    stage.press("home");
    see(&mut stage);
    stage.press("A");
    stage.paint();
    stage.check("inbox_marked");
    assert_eq!(decided(&mut stage), []);
    stage.press("r");
    assert_eq!(decided(&mut stage), [], "it came too fast");
    see(&mut stage);

    stage.press("r");

    let no = || ApprovalDecision::Reject { words: None };
    assert_eq!(decided(&mut stage), [(1, no()), (4, no())]);
    let left = stage.model.requests.open().map(|waiting| waiting.id.0);
    assert_eq!(left.collect::<Vec<_>>(), [2, 3, 5]);
}

#[test]
fn a_request_that_asks_anew_is_not_marked_any_more() {
    let mut stage = full(120, 40);
    stage.press("alt+a");
    see(&mut stage);
    stage.press("space");
    assert_eq!(stage.model.requests.marked.len(), 1);

    ask(&mut stage, command(1, "main", "make something else"));

    assert_eq!(stage.model.requests.marked.len(), 0);
}

#[test]
fn enter_goes_to_the_box_and_back_leads_where_the_person_was() {
    let mut stage = full(120, 40);
    stage.press("alt+3 alt+a");
    see(&mut stage);
    stage.press("esc");
    let focus = stage.model.screen.focus;
    assert!(focus.is_right(), "{focus:?}");
    assert!(stage.model.overlay.is_none());

    stage.press("alt+a down enter");

    assert!(stage.model.overlay.is_none());
    assert_eq!(stage.model.requests.focused, Some(RequestId(2)));
    assert_eq!(stage.model.conversation.shown, AgentId::new("scout_1"));
}

#[test]
fn the_list_goes_when_nothing_waits_any_more() {
    let mut stage = full(120, 40);
    stage.press("alt+a");

    for id in 1..=5 {
        stage.event("main", EventKind::RequestClosed(RequestId(id)));
    }

    assert!(stage.model.overlay.is_none());
}

#[test]
fn words_for_a_rejection_are_written_in_the_box() {
    let mut stage = full(120, 40);
    stage.press("alt+a");
    see(&mut stage);

    stage.press("w");

    assert!(stage.model.overlay.is_none());
    let grid = stage.grid();
    assert!(grid.contains("reject because:"), "{grid}");
}

/// Ten keys a second, five approvals in between: every key is in the draft, and nothing was answered.
#[test]
fn approvals_that_come_while_somebody_types_answer_nothing_and_take_no_key() {
    let words = "a session never edits words: what a man sends when asked, a s n r e d x p w A ";
    for start in 0..12 {
        let mut talk = Talk::new(120, 40);
        talk.said("set it up");
        let stage = &mut talk.stage;
        let mut typed = String::new();
        for (index, character) in words.chars().enumerate() {
            if index >= start && (index - start) % 9 == 0 && (index - start) / 9 < 5 {
                let id = ((index - start) / 9) as u64 + 1;
                ask(stage, command(id, "main", "make deps"));
            }
            stage.paint();
            stage.advance(50);
            stage.paint();
            stage.type_text(&character.to_string());
            typed.push(character);
            stage.advance(50);
        }

        assert_eq!(stage.model.composer.editor.text(), typed, "from {start}");
        assert_eq!(decided(stage), [], "from {start}");
        assert_eq!(stage.model.requests.open().count(), 5);
    }
}
