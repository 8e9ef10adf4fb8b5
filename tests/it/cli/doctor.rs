//! What this machine gives.

use serde_json::{Value, json};

use super::program::Program;
use crate::support::cage::backends;

#[test]
fn the_sandbox_and_what_it_holds_are_told_on_one_screen() {
    let program = Program::new();

    let text = program.run(&["doctor"]);
    let listed = program.run(&["doctor", "--format", "json"]);

    let listed: Value = serde_json::from_str(&listed.out).unwrap();
    assert_eq!(text.code, Some(0));
    assert!(text.out.lines().count() <= 24, "{}", text.out);
    let backend = listed["sandbox"]["backend"].as_str().unwrap();
    assert!(text.out.contains(backend), "{}", text.out);
    assert_eq!(listed["sandbox"]["enforced"]["writes"], json!(true));
    // The program runs in a folder below `/tmp`, which the strongest sandbox covers.
    assert_eq!(Some(backend), backends().first().map(|best| best.name()));
}

#[test]
fn a_backend_that_is_not_here_is_told_with_what_follows() {
    let program = Program::configured("sandbox.backend = \"none\"\n");

    let text = program.run(&["doctor"]);

    assert_eq!(text.code, Some(0));
    assert!(
        text.out
            .contains("none, as sandbox.backend says: every command needs level unrestricted"),
        "{}",
        text.out
    );
}

/// Each backend that works here works as well for a program that was started in a folder below `/tmp`.
#[test]
fn every_backend_holds_wherever_the_program_was_started() {
    for backend in backends() {
        let name = backend.name();
        let program = Program::configured(&format!("sandbox.backend = \"{name}\"\n"));

        let text = program.run(&["doctor"]);

        assert_eq!(text.code, Some(0), "{name}: {}", text.out);
        assert!(text.out.contains(&format!("{name} (each")), "{}", text.out);
    }
}
