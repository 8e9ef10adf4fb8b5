//! Ctrl+C: one rung per press, and only the second of two quick ones on an idle empty screen leaves.

use quarterdeck::{domain::ids::AgentId, engine::command::Command};

use crate::support::sample;

#[test]
fn a_draft_is_cleared_before_anything_is_stopped() {
    let mut stage = sample::session(100, 30);
    stage.take_effects();
    stage.type_text("half a thought");

    stage.press("ctrl+c");
    assert_eq!(stage.take_commands(), []);
    assert!(!stage.grid().contains("half a thought"));
    stage.press("ctrl+c");

    let agent = AgentId::main();
    assert_eq!(stage.take_commands(), [Command::Cancel { agent }]);
}

#[test]
fn only_two_presses_within_a_second_leave() {
    let mut stage = sample::opened(100, 30);
    stage.take_effects();

    stage.press("ctrl+c");
    stage.advance(3_000);
    stage.press("ctrl+c");
    assert_eq!(stage.take_commands(), [], "three seconds apart");
    assert!(stage.grid().contains("Ctrl+C again leaves"));
    stage.advance(500);
    stage.press("ctrl+c");

    assert_eq!(stage.take_commands(), [Command::Shutdown]);
}

#[test]
fn an_overlay_is_closed_and_nothing_else_happens() {
    let mut stage = sample::session(100, 30);
    stage.take_effects();

    stage.press("f1 ctrl+c");

    assert_eq!(stage.take_commands(), []);
    assert!(stage.model.overlay.is_none());
}
