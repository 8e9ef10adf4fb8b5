use std::collections::HashSet;

use super::*;
use crate::{
    domain::{
        ids::QueuedId,
        record::{Lane, Record, Speaker, TurnOutcome},
        usage::Usage,
    },
    engine::turn::input::Input,
};

fn said(id: u64) -> Input {
    Input::Said {
        id: QueuedId(id),
        speaker: Speaker::Person,
        lane: Lane::Steer,
        text: "go".to_owned(),
    }
}

fn full() -> Input {
    Input::StreamFailed(ProviderError::new(Fault::WindowFull, "it does not fit"))
}

fn summary() -> Input {
    Input::Summarized {
        number: 1,
        summary: Ok("so far".to_owned()),
        usage: Usage::default(),
    }
}

fn idle() -> State {
    let mut state = State::new("wire", HashSet::new());
    state.let_room_be_made(true);
    state
}

fn replying() -> State {
    let mut state = idle();
    state.handle(said(1));
    state
}

/// The effects in a word each, without those that only tell.
fn check(effects: &[Effect], expected: &[&str]) {
    let word = |effect: &Effect| match effect {
        Effect::Room(RoomEffect::Want(focus)) => Some(format!("want {focus}")),
        Effect::Room(RoomEffect::Summarize(focus)) => Some(format!("summarize {focus}")),
        Effect::Room(RoomEffect::Stop) => Some("stop".to_owned()),
        Effect::Room(RoomEffect::Install(summary)) => Some(format!("install {summary:?}")),
        Effect::SendRequest => Some("request".to_owned()),
        Effect::BeginTurn => Some("begin".to_owned()),
        Effect::EndTurn(outcome) => Some(format!("end {outcome:?}")),
        Effect::Record(record) => match &**record {
            Record::StageDirection { text, .. } => Some(format!("stage {text}")),
            _ => None,
        },
        _ => None,
    };
    let words: Vec<String> = effects.iter().filter_map(word).collect();
    assert_eq!(words, expected);
}

#[test]
fn a_full_window_is_made_room_in_once_before_the_turn_fails() {
    let mut state = replying();

    check(
        &state.handle(full()),
        &["stage it does not fit: room is being made", "summarize "],
    );
    check(
        &state.handle(summary()),
        &["install Ok(\"so far\")", "request"],
    );
    let effects = state.handle(full());

    assert!(matches!(
        effects.last(),
        Some(Effect::EndTurn(TurnOutcome::Failed { reason })) if reason.starts_with("it does not fit; ")
    ));
}

#[test]
fn nothing_is_made_where_the_person_does_not_want_it() {
    let mut state = replying();
    state.let_room_be_made(false);

    let effects = state.handle(full());

    assert!(matches!(
        effects.last(),
        Some(Effect::EndTurn(TurnOutcome::Failed { .. }))
    ));
}

#[test]
fn the_person_gets_room_at_once_when_the_agent_rests_and_else_before_its_next_request() {
    let mut resting = idle();
    let mut working = replying();

    check(
        &resting.handle(Input::RoomAsked("paths".to_owned())),
        &["summarize paths"],
    );
    check(&resting.handle(said(1)), &[]);
    check(
        &resting.handle(summary()),
        &["install Ok(\"so far\")", "begin", "request"],
    );
    check(
        &working.handle(Input::RoomAsked("paths".to_owned())),
        &["want paths"],
    );
}

#[test]
fn what_is_being_written_can_be_stopped() {
    let mut resting = idle();
    resting.handle(Input::RoomAsked(String::new()));
    let mut working = replying();
    working.handle(full());

    check(&resting.handle(Input::Cancelled), &["stop"]);
    check(
        &working.handle(Input::Cancelled),
        &["stop", "end Cancelled"],
    );
    assert!(resting.is_idle() && working.is_idle());
    check(&resting.handle(summary()), &[]);
}

#[test]
fn room_that_is_being_made_is_not_made_once_more_for_impatience() {
    let again = || Input::RoomAsked("again".to_owned());
    let mut resting = idle();
    resting.handle(Input::RoomAsked(String::new()));
    let mut working = replying();
    working.set_checkpoint(true);

    check(
        &resting.handle(again()),
        &["stage room is being made already"],
    );
    check(
        &working.handle(again()),
        &["stage room is being made already"],
    );
}
