//! What the turn machine makes of what hooks say, one story a test.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::*;
use crate::{
    domain::{
        approval::ApprovalDecision,
        hook::{Hook, HookCommand, HookEvent},
        ids::{CallId, RequestId},
        tool::{CallStatus, ToolResult},
    },
    engine::turn::{
        effect::Approval,
        input::{CallVerdict, Input},
    },
    providers::contract::{FinishReason, StreamEvent},
    tools::contract::Concurrency,
};

/// A machine with hooks for these events.
fn machine(events: &[HookEvent]) -> State {
    let hooks: Vec<Hook> = events
        .iter()
        .map(|event| Hook {
            name: "hook".to_owned(),
            event: *event,
            command: HookCommand::Line(String::new()),
            matcher: "*".to_owned(),
            timeout_ms: 1,
            required: false,
            sandbox: true,
        })
        .collect();
    let mut state = State::new("wire", HashSet::new());
    state.watch(&hooks);
    state
}

fn said(id: u64, lane: Lane, text: &str) -> Input {
    Input::Said {
        id: QueuedId(id),
        speaker: Speaker::Person,
        lane,
        text: text.to_owned(),
    }
}

fn heard(telling: Telling) -> Input {
    answered(telling, Heard::default())
}

fn answered(telling: Telling, heard: Heard) -> Input {
    Input::Hooked { telling, heard }
}

fn denied(words: &str) -> Heard {
    Heard {
        denied: Some(Words {
            hook: "gate".to_owned(),
            event: HookEvent::PreToolCall,
            words: words.to_owned(),
        }),
        ..Heard::default()
    }
}

/// What matters of the effects, in short.
fn short(effects: &[Effect]) -> Vec<String> {
    effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Record(record) => match &**record {
                Record::Said { text, .. } => Some(format!("said {text}")),
                Record::ContextNote { text } => Some(format!("note {text}")),
                Record::Result { result } => Some(format!("result {:?}", result.status)),
                _ => None,
            },
            Effect::SendRequest => Some("request".to_owned()),
            Effect::TellHooks { telling, .. } => Some(format!("tell {telling}")),
            Effect::StopHooks => Some("stop hooks".to_owned()),
            Effect::Judge { call, said } => {
                Some(format!("judge {} {:?}", call.arguments, said.approval))
            }
            Effect::Run { call, .. } => Some(format!("run {}", call.arguments)),
            Effect::BeginTurn => Some("begin".to_owned()),
            Effect::EndTurn(outcome) => Some(format!("end {outcome:?}")),
            Effect::CountChecklist { .. } => Some("count".to_owned()),
            _ => None,
        })
        .collect()
}

fn reply(state: &mut State, text: &str) -> Vec<String> {
    state.handle(Input::Streamed(StreamEvent::Text(text.to_owned())));
    state.handle(Input::Streamed(StreamEvent::Finished(FinishReason::Stop)));
    short(&state.handle(Input::StreamEnded))
}

/// A machine whose model has called a tool, and what it does first.
fn calling(events: &[HookEvent]) -> (State, Vec<String>) {
    let mut state = machine(events);
    state.handle(said(1, Lane::Steer, "go"));
    state.handle(Input::Streamed(StreamEvent::CallStarted {
        slot: 0,
        id: "c".to_owned(),
        name: "file_read".to_owned(),
    }));
    state.handle(Input::Streamed(StreamEvent::CallArguments {
        slot: 0,
        fragment: "{\"path\":\"a\"}".to_owned(),
    }));
    state.handle(Input::Streamed(StreamEvent::Finished(
        FinishReason::ToolCalls,
    )));
    let effects = state.handle(Input::StreamEnded);
    (state, short(&effects))
}

fn judged(verdict: CallVerdict) -> Input {
    Input::Judged {
        call: CallId::new("c"),
        verdict,
    }
}

fn run(arguments: Value) -> Input {
    judged(CallVerdict::run(arguments, Concurrency::Parallel))
}

fn ran() -> Input {
    Input::Ran {
        result: ToolResult::plain(CallId::new("c"), CallStatus::Done, "output"),
        fatal: None,
    }
}

#[test]
fn words_wait_for_the_hooks_and_are_said_behind_their_context() {
    let mut state = machine(&[HookEvent::PreGeneration]);
    let context = Heard {
        context: vec![Words {
            hook: "weather".to_owned(),
            event: HookEvent::PreGeneration,
            words: "rain".to_owned(),
        }],
        ..Heard::default()
    };

    let begun = short(&state.handle(said(1, Lane::Steer, "hello")));
    let sent = short(&state.handle(answered(1, context)));

    assert_eq!(begun, ["begin", "tell 1"]);
    assert_eq!(
        sent,
        [
            "note [context added by the hook weather]\nrain",
            "said hello",
            "request"
        ]
    );
}

#[test]
fn denied_words_end_the_turn_unsaid_and_what_came_meanwhile_is_not_lost() {
    let mut state = machine(&[HookEvent::PreGeneration]);
    state.handle(said(1, Lane::Steer, "secret"));
    state.handle(said(2, Lane::Queue, "harmless"));

    let ended = short(&state.handle(answered(1, denied("no"))));

    assert_eq!(
        ended,
        ["end Stopped { reason: \"the hook gate kept the message from the model: no\" }"]
    );
    assert_eq!(state.queued().len(), 1);
    assert!(state.is_idle());
}

#[test]
fn words_taken_back_while_hooks_hear_them_are_not_said() {
    let mut state = machine(&[HookEvent::PreGeneration]);
    state.handle(said(1, Lane::Steer, "hello"));
    state.handle(Input::TakenBack(QueuedId(1)));

    assert_eq!(short(&state.handle(heard(1))), ["end Cancelled"]);
}

#[test]
fn a_late_answer_from_a_cancelled_turn_decides_nothing_about_the_next() {
    let mut state = machine(&[HookEvent::PreGeneration]);
    state.handle(said(1, Lane::Steer, "one"));
    let cancelled = short(&state.handle(Input::Cancelled));
    state.handle(said(2, Lane::Steer, "two"));

    let late = short(&state.handle(answered(1, denied("late"))));
    let right = short(&state.handle(heard(2)));

    assert_eq!(cancelled, ["stop hooks", "end Cancelled"]);
    assert_eq!(late, Vec::<String>::new());
    assert_eq!(right, ["said one", "said two", "request"]);
}

#[test]
fn a_call_is_judged_with_what_the_hooks_made_of_it_and_its_approval_is_for_that() {
    let (mut state, told) = calling(&[HookEvent::PreToolCall]);
    let changed = Heard {
        input: Some((json!({"path": "b"}), "turn".to_owned())),
        ..Heard::default()
    };

    let judge = short(&state.handle(answered(1, changed)));
    state.handle(judged(CallVerdict::ask(7, &CallId::new("c"), "shown")));
    let again = short(&state.handle(Input::Decided {
        call: CallId::new("c"),
        request: RequestId(7),
        decision: ApprovalDecision::Once,
    }));
    let run = short(&state.handle(run(json!({"path": "b"}))));

    assert_eq!(told, ["tell 1"]);
    assert_eq!(judge, ["judge {\"path\":\"b\"} None"]);
    assert_eq!(again, ["judge {\"path\":\"b\"} Hash(\"shown\")"]);
    assert_eq!(run, ["run {\"path\":\"b\"}"]);
}

#[test]
fn what_the_person_wrote_is_told_to_hooks_and_a_change_of_it_voids_their_word() {
    let (mut state, _) = calling(&[HookEvent::PreToolCall]);
    state.handle(heard(1));
    state.handle(judged(CallVerdict::ask(7, &CallId::new("c"), "shown")));

    let told = short(&state.handle(Input::Decided {
        call: CallId::new("c"),
        request: RequestId(7),
        decision: ApprovalDecision::Edited {
            arguments: json!({"path": "mine"}),
        },
    }));
    let mut unchanged = state.clone();
    let kept = short(&unchanged.handle(heard(2)));
    let changed = Heard {
        input: Some((json!({"path": "theirs"}), "turn".to_owned())),
        ..Heard::default()
    };
    let void = short(&state.handle(answered(2, changed)));

    assert_eq!(told, ["tell 2"]);
    assert_eq!(
        kept,
        [format!(
            "judge {{\"path\":\"mine\"}} {:?}",
            Approval::Edited
        )]
    );
    assert_eq!(void, ["judge {\"path\":\"theirs\"} None"]);
}

#[test]
fn nothing_runs_before_every_call_was_heard_of_and_a_result_waits_for_its_hooks() {
    let (mut state, _) = calling(&[HookEvent::PreToolCall, HookEvent::PostToolCall]);

    let early = short(&state.handle(run(json!({"path": "a"}))));
    state.handle(heard(1));
    let started = short(&state.handle(run(json!({"path": "a"}))));
    let told = short(&state.handle(ran()));
    let over = short(&state.handle(heard(2)));

    assert_eq!(early, Vec::<String>::new());
    assert_eq!(started, ["run {\"path\":\"a\"}"]);
    assert_eq!(told, ["tell 2"]);
    assert_eq!(over, ["result Done", "request"]);
}

#[test]
fn cancelling_ends_a_call_at_any_moment_with_the_result_that_it_has() {
    let (mut before, _) = calling(&[HookEvent::PreToolCall]);
    let (mut after, _) = calling(&[HookEvent::PostToolCall]);
    after.handle(run(json!({"path": "a"})));
    after.handle(ran());

    let unheard = short(&before.handle(Input::Cancelled));
    let unreviewed = short(&after.handle(Input::Cancelled));

    assert_eq!(
        unheard,
        ["stop hooks", "result Interrupted", "end Cancelled"]
    );
    assert_eq!(unreviewed, ["stop hooks", "result Done", "end Cancelled"]);
    assert_eq!(short(&before.handle(heard(1))), Vec::<String>::new());
}

#[test]
fn a_turn_that_ended_well_waits_for_hooks_and_of_any_other_they_are_told_afterwards() {
    let mut state = machine(&[HookEvent::TurnEnd]);
    state.handle(said(1, Lane::Steer, "go"));
    reply(&mut state, "Done.");

    let told = short(&state.handle(Input::ChecklistOpen(0)));
    let longer = short(&state.handle(answered(1, denied("tests"))));
    let cancelled = short(&state.handle(Input::Cancelled));

    assert_eq!(told, ["tell 1"]);
    assert_eq!(
        longer,
        [
            "said [the hook gate does not let the turn end: tests]",
            "request"
        ]
    );
    assert_eq!(cancelled, ["end Cancelled", "tell 2"]);
    assert!(state.is_idle());
}
