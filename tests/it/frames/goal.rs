//! The goal: one line above the composer, and the whole of it in the viewer.

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use quarterdeck::{
    domain::{
        goal::{Goal, GoalStatus},
        record::{Lane, Record, Speaker},
    },
    engine::{
        command::{Command, GoalCommand},
        event::EventKind,
    },
    ui::Message,
};

use crate::support::{golden::Stage, sample};

fn with_goal(columns: u16, rows: u16, status: GoalStatus, reason: &str) -> Stage {
    let mut stage = sample::session(columns, rows);
    let goal = Goal {
        status,
        reason: reason.to_owned(),
        ..Goal::new("make every test of the retry loop green\nand \u{1b}[31msay why they were red")
            .unwrap()
    };
    let speaker = Speaker::Program;
    let record = Record::GoalChanged {
        goal: goal.clone(),
        speaker,
    };
    stage.event("main", sample::stored(90, 1, record));
    stage.event("main", EventKind::Goal(Box::new(goal)));
    stage
}

#[test]
fn the_line_stands_above_the_composer() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 12)] {
        let stage = with_goal(columns, rows, GoalStatus::Active, "");
        stage.check(&format!("goal_{columns}x{rows}"));
    }
    let reason = "3 reminders in a row led to no tool call";
    with_goal(80, 24, GoalStatus::Paused, reason).check("goal_paused");
    with_goal(80, 24, GoalStatus::Completed, "").check("goal_completed");
}

#[test]
fn a_key_and_a_click_open_the_whole_goal() {
    let mut stage = with_goal(80, 24, GoalStatus::Paused, "the turn was stopped");
    stage.press("alt+shift+g");
    stage.check("goal_whole");
    stage.press("esc");
    let row = stage
        .grid()
        .lines()
        .position(|line| line.contains("◌ make every test"))
        .unwrap();
    stage.send(Message::Mouse(MouseEvent {
        kind: MouseEventKind::Down(MouseButton::Left),
        column: 10,
        row: u16::try_from(row).unwrap(),
        modifiers: KeyModifiers::NONE,
    }));
    assert!(
        stage
            .grid()
            .contains("The goal is paused: the turn was stopped")
    );
}

#[test]
fn the_command_sets_it_and_changes_how_it_stands() {
    let check = |line: &str, expected: Option<GoalCommand>| {
        let mut stage = sample::opened(120, 40);
        stage.type_text(line);
        stage.press("enter");
        let commands = stage.take_commands();
        let expected: Vec<Command> = expected.map(Command::Goal).into_iter().collect();
        assert_eq!(commands, expected, "{line}");
        if expected.is_empty() {
            assert!(stage.grid().contains("No goal is set"), "{line}");
            assert!(stage.grid().contains("/goal OBJECTIVE"), "{line}");
        }
    };
    check("/goal ", None);
    check("/goal status ", None);
    check("/goal pause", Some(GoalCommand::Pause));
    check("/goal resume", Some(GoalCommand::Resume));
    check("/goal cancel", Some(GoalCommand::Cancel));
    check(
        "/goal pause the music",
        Some(GoalCommand::Set("pause the music".to_owned())),
    );
}

#[test]
fn a_goal_that_is_over_goes_with_the_next_words() {
    let mut stage = with_goal(80, 24, GoalStatus::Completed, "");
    let said = |speaker| Record::Said {
        speaker,
        lane: Lane::Steer,
        text: "thanks".to_owned(),
    };

    stage.event("main", sample::stored(91, 1, said(Speaker::Program)));
    assert!(stage.grid().contains("· completed"));
    stage.event("main", sample::stored(92, 1, said(Speaker::Person)));
    assert!(!stage.grid().contains("· completed"));
}
