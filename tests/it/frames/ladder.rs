//! Ctrl+C: one rung per press, and only the second of two quick ones on an idle empty screen leaves.

use quarterdeck::{domain::ids::AgentId, engine::command::Command, ui::Effect};

use crate::support::{golden::Stage, sample};

fn sent(stage: &mut Stage) -> Vec<Command> {
    stage
        .take_effects()
        .into_iter()
        .filter_map(|effect| match effect {
            Effect::Send(Command::SaveDraft { .. }) => None,
            Effect::Send(command) => Some(command),
            _ => None,
        })
        .collect()
}

#[test]
fn a_draft_is_cleared_before_anything_is_stopped() {
    let mut stage = sample::session(100, 30);
    stage.take_effects();
    stage.type_text("half a thought");

    stage.press("ctrl+c");
    assert_eq!(sent(&mut stage), []);
    assert!(!stage.grid().contains("half a thought"));
    stage.press("ctrl+c");

    let agent = AgentId::main();
    assert_eq!(sent(&mut stage), [Command::Cancel { agent }]);
}

#[test]
fn only_two_presses_within_a_second_leave() {
    let mut stage = sample::opened(100, 30);
    stage.take_effects();

    stage.press("ctrl+c");
    stage.advance(3_000);
    stage.press("ctrl+c");
    assert_eq!(sent(&mut stage), [], "three seconds apart");
    assert!(stage.grid().contains("Ctrl+C again leaves"));
    stage.advance(500);
    stage.press("ctrl+c");

    assert_eq!(sent(&mut stage), [Command::Shutdown]);
}

#[test]
fn an_overlay_is_closed_and_nothing_else_happens() {
    let mut stage = sample::session(100, 30);
    stage.take_effects();

    stage.press("f1 ctrl+c");

    assert_eq!(sent(&mut stage), []);
    assert!(stage.model.overlay.is_none());
}
