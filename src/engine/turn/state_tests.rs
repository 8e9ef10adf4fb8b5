//! Every decision of the turn machine, one story a test.

use serde_json::json;

use super::*;
use crate::{
    domain::{
        approval::ApprovalDecision,
        ids::RequestId,
        tool::{CallStatus, ToolResult},
        usage::Usage,
    },
    engine::{
        event::CallState,
        turn::{
            effect::Approval, input::CallVerdict, moments::occasion::Occasion,
            room::machine::RoomEffect,
        },
    },
    providers::{
        contract::{FinishReason, StreamEvent},
        error::{Fault, ProviderError},
    },
    tools::contract::Concurrency,
};

fn machine() -> State {
    State::new("wire", HashSet::new())
}

fn said(id: u64, lane: Lane, text: &str) -> Input {
    Input::Said {
        id: QueuedId(id),
        speaker: Speaker::Person,
        lane,
        text: text.to_owned(),
    }
}

fn text(text: &str) -> Input {
    Input::Streamed(StreamEvent::Text(text.to_owned()))
}

fn finish(reason: FinishReason) -> Input {
    Input::Streamed(StreamEvent::Finished(reason))
}

/// A machine in the middle of a reply.
fn replying() -> State {
    let mut state = machine();
    state.handle(said(1, Lane::Steer, "go"));
    state.handle(Input::Accepted);
    state
}

/// A machine whose model has called these tools.
fn calling(ids: &[&str]) -> (State, Vec<Effect>) {
    let mut state = replying();
    for (slot, id) in ids.iter().enumerate() {
        state.handle(Input::Streamed(StreamEvent::CallStarted {
            slot,
            id: (*id).to_owned(),
            name: "file_read".to_owned(),
        }));
        state.handle(Input::Streamed(StreamEvent::CallArguments {
            slot,
            fragment: "{\"path\":\"a\"}".to_owned(),
        }));
    }
    state.handle(finish(FinishReason::ToolCalls));
    let effects = state.handle(Input::StreamEnded);
    (state, effects)
}

fn judged(call: &str, verdict: CallVerdict) -> Input {
    Input::Judged {
        call: CallId::new(call),
        verdict,
    }
}

fn run() -> CallVerdict {
    CallVerdict::run(json!({"path": "a"}), Concurrency::Parallel)
}

fn ask(call: &str, hash: &str) -> CallVerdict {
    CallVerdict::ask(7, &CallId::new(call), hash)
}

fn ran(call: &str, text: &str) -> Input {
    Input::Ran {
        result: ToolResult::plain(CallId::new(call), CallStatus::Done, text),
        fatal: None,
    }
}

/// What hooks are told of, in a word.
fn heading(occasion: &Occasion) -> String {
    match occasion {
        Occasion::BeforeCall(call) => format!("before {}", call.id),
        Occasion::AfterCall(call, _) => format!("after {}", call.id),
        Occasion::BeforeGeneration(words) => format!("words {}", words.join("+")),
        Occasion::TurnEnd(outcome) => format!("end {outcome:?}"),
    }
}

/// The effects in short, without those that only tell.
fn short(effects: &[Effect]) -> Vec<String> {
    effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Record(record) => Some(match &**record {
                Record::Said { text, speaker, .. } => match speaker {
                    Speaker::Program => "nudge".to_owned(),
                    _ => format!("said {text}"),
                },
                Record::ContextNote { text } => {
                    format!("note {}", text.chars().take(24).collect::<String>())
                }
                Record::Reply { end, message, .. } => format!("reply {end:?} {:?}", message.text()),
                Record::Result { result } => {
                    format!("result {} {:?} {}", result.call, result.status, result.text)
                }
                Record::StageDirection { text, .. } => format!("stage {text}"),
                Record::CallStarted { call } => format!("started {call}"),
                Record::ApprovalDecided { .. } => "decided".to_owned(),
                other => format!("{other:?}"),
            }),
            Effect::SendRequest => Some("request".to_owned()),
            Effect::DropRequest => Some("drop".to_owned()),
            Effect::Wait { tries, .. } => Some(format!("wait after {tries}")),
            Effect::Judge { call, said } => Some(format!("judge {} {:?}", call.id, said.approval)),
            Effect::Ask(request) => Some(format!("ask {}", request.call)),
            Effect::Withdraw(call) => Some(format!("withdraw {call}")),
            Effect::Run { call, .. } => Some(format!("run {}", call.id)),
            Effect::StopCalls => Some("stop calls".to_owned()),
            Effect::CountChecklist { .. } => Some("count".to_owned()),
            Effect::Weigh => Some("weigh".to_owned()),
            Effect::Room(effect) => Some(match effect {
                RoomEffect::Want(focus) => format!("want room {focus}"),
                RoomEffect::Summarize(focus) => format!("summarize {focus}").trim_end().to_owned(),
                RoomEffect::Stop => "stop the summary".to_owned(),
                RoomEffect::Install(summary) => format!("install {summary:?}"),
            }),
            Effect::BeginTurn => Some("begin".to_owned()),
            Effect::EndTurn(outcome) => Some(format!("end {outcome:?}")),
            Effect::TellHooks { telling, occasion } => {
                Some(format!("tell {telling} {}", heading(occasion)))
            }
            Effect::StopHooks => Some("stop hooks".to_owned()),
            Effect::Delta(_) | Effect::Call { .. } | Effect::Queue(_) | Effect::Status { .. } => {
                None
            }
        })
        .collect()
}

#[test]
fn words_start_a_turn_and_are_stored_before_they_are_sent() {
    let mut state = machine();

    let effects = state.handle(said(1, Lane::Steer, "hello"));

    assert_eq!(short(&effects), ["begin", "said hello", "request"]);
}

#[test]
fn a_plain_reply_ends_the_turn_once_nothing_is_open() {
    let mut state = replying();
    state.handle(text("Hi."));
    state.handle(finish(FinishReason::Stop));

    let ended = state.handle(Input::StreamEnded);
    let counted = state.handle(Input::ChecklistOpen(0));

    assert_eq!(short(&ended), ["reply Complete \"Hi.\"", "count"]);
    assert_eq!(short(&counted), ["end Finished"]);
    assert!(state.is_idle());
}

#[test]
fn an_open_checklist_item_is_nudged_three_times_and_then_given_up() {
    let mut state = replying();
    let mut last = Vec::new();
    for _ in 0..4 {
        state.handle(text("Done."));
        state.handle(finish(FinishReason::Stop));
        state.handle(Input::StreamEnded);
        last = state.handle(Input::ChecklistOpen(1));
    }

    assert_eq!(
        short(&last),
        ["end Stopped { reason: \"the turn ended with 1 checklist item open after 3 nudges\" }"]
    );
}

#[test]
fn all_calls_are_judged_before_any_runs() {
    let (mut state, effects) = calling(&["a", "b"]);
    assert_eq!(
        short(&effects),
        ["reply ToolCalls \"\"", "judge a None", "judge b None"]
    );

    let first = state.handle(judged("a", run()));
    let second = state.handle(judged("b", run()));

    assert_eq!(short(&first), Vec::<String>::new());
    assert_eq!(short(&second), ["started a", "run a", "started b", "run b"]);
}

#[test]
fn the_next_request_waits_for_every_result() {
    let (mut state, _) = calling(&["a", "b"]);
    state.handle(judged("a", run()));
    state.handle(judged("b", run()));

    let first = state.handle(ran("b", "B"));
    let second = state.handle(ran("a", "A"));

    assert_eq!(short(&first), ["result b Done B"]);
    assert_eq!(short(&second), ["result a Done A", "request"]);
}

#[test]
fn an_approved_call_is_judged_again_with_the_hash_that_was_shown() {
    let (mut state, _) = calling(&["a"]);

    let asked = state.handle(judged("a", ask("a", "h1")));
    let decided = state.handle(Input::Decided {
        call: CallId::new("a"),
        request: RequestId(7),
        decision: ApprovalDecision::Once,
    });
    let changed = state.handle(judged("a", ask("a", "h2")));

    assert_eq!(short(&asked), ["ask a"]);
    assert_eq!(short(&decided), ["decided", "judge a Hash(\"h1\")"]);
    assert_eq!(short(&changed), ["ask a"]);
}

#[test]
fn an_answer_to_an_earlier_request_allows_nothing() {
    let (mut state, _) = calling(&["a"]);
    state.handle(judged("a", ask("a", "h2")));

    let effects = state.handle(Input::Decided {
        call: CallId::new("a"),
        request: RequestId(6),
        decision: ApprovalDecision::Once,
    });

    assert_eq!(short(&effects), Vec::<String>::new());
}

#[test]
fn a_rejection_tells_the_model_the_words_of_the_person() {
    let (mut state, _) = calling(&["a"]);
    state.handle(judged("a", ask("a", "h")));

    let effects = state.handle(Input::Decided {
        call: CallId::new("a"),
        request: RequestId(7),
        decision: ApprovalDecision::Reject {
            words: Some("use the other file".to_owned()),
        },
    });

    assert_eq!(
        short(&effects),
        [
            "decided",
            "result a Refused [file_read rejected by the person: use the other file]",
            "request"
        ]
    );
}

#[test]
fn an_edited_call_runs_edited_and_the_model_is_told() {
    let (mut state, _) = calling(&["a"]);
    state.handle(judged("a", ask("a", "h")));

    let decided = state.handle(Input::Decided {
        call: CallId::new("a"),
        request: RequestId(7),
        decision: ApprovalDecision::Edited {
            arguments: json!({"path": "b"}),
        },
    });
    state.handle(judged("a", run()));
    let ended = state.handle(ran("a", "text"));

    let edited = decided.iter().find_map(|effect| match effect {
        Effect::Judge { call, said } => Some((call.arguments.clone(), said.approval.clone())),
        _ => None,
    });
    assert_eq!(edited, Some((json!({"path": "b"}), Approval::Edited)));
    assert!(
        short(&ended)[0].contains("the person changed the arguments"),
        "{ended:?}"
    );
}

#[test]
fn one_call_runs_while_another_waits_for_the_person() {
    let (mut state, _) = calling(&["a", "b"]);
    state.handle(judged("a", ask("a", "h")));

    let effects = state.handle(judged("b", run()));

    assert_eq!(short(&effects), ["started b", "run b"]);
}

#[test]
fn a_refused_or_failed_call_never_runs() {
    let (mut state, _) = calling(&["a", "b"]);
    state.handle(judged("a", CallVerdict::Refuse("no".to_owned())));

    let effects = state.handle(judged("b", CallVerdict::Fail("unknown tool".to_owned())));

    assert_eq!(short(&effects), ["result b Failed unknown tool", "request"]);
}

#[test]
fn cancelling_ends_waiting_calls_at_once_and_running_ones_when_they_report() {
    let (mut state, _) = calling(&["a", "b"]);
    state.handle(judged("a", ask("a", "h")));
    state.handle(judged("b", run()));

    let cancelled = state.handle(Input::Cancelled);
    let reported = state.handle(ran("b", "partial"));

    assert_eq!(
        short(&cancelled),
        [
            "decided",
            "withdraw a",
            "result a Interrupted [not run: the turn was stopped before]",
            "stop calls"
        ]
    );
    assert_eq!(short(&reported), ["result b Done partial", "end Cancelled"]);
}

#[test]
fn cancelling_a_reply_keeps_what_came() {
    let mut state = replying();
    state.handle(text("Half a sen"));

    let effects = state.handle(Input::Cancelled);

    assert_eq!(
        short(&effects),
        ["drop", "reply Interrupted \"Half a sen\"", "end Cancelled"]
    );
}

#[test]
fn steering_is_read_at_the_next_step_and_queueing_after_the_turn() {
    let (mut state, _) = calling(&["a"]);
    state.handle(judged("a", run()));
    state.handle(said(2, Lane::Queue, "later"));
    state.handle(said(3, Lane::Steer, "also"));

    let step = state.handle(ran("a", "A"));
    state.handle(text("Ok."));
    state.handle(finish(FinishReason::Stop));
    state.handle(Input::StreamEnded);
    let ended = state.handle(Input::ChecklistOpen(0));

    assert_eq!(short(&step), ["result a Done A", "said also", "request"]);
    assert_eq!(
        short(&ended),
        ["end Finished", "begin", "said later", "request"]
    );
}

#[test]
fn a_steered_message_keeps_a_finished_turn_going() {
    let mut state = replying();
    state.handle(text("Done."));
    state.handle(said(2, Lane::Steer, "one more"));
    state.handle(finish(FinishReason::Stop));

    let effects = state.handle(Input::StreamEnded);

    assert_eq!(
        short(&effects),
        ["reply Complete \"Done.\"", "said one more", "request"]
    );
}

#[test]
fn interrupting_cuts_the_reply_and_goes_on_with_the_words() {
    let mut state = replying();
    state.handle(text("I will now"));

    let effects = state.handle(said(2, Lane::Interrupt, "stop, do X"));

    assert_eq!(
        short(&effects),
        [
            "drop",
            "reply Interrupted \"I will now\"",
            "said stop, do X",
            "request"
        ]
    );
}

#[test]
fn a_message_taken_back_is_never_read() {
    let mut state = replying();
    state.handle(said(2, Lane::Queue, "later"));
    state.handle(Input::TakenBack(QueuedId(2)));
    state.handle(finish(FinishReason::Stop));
    state.handle(Input::StreamEnded);

    assert_eq!(
        short(&state.handle(Input::ChecklistOpen(0))),
        ["end Finished"]
    );
}

#[test]
fn messages_that_wait_when_a_turn_is_cancelled_go_with_the_next_words() {
    let mut state = replying();
    state.handle(said(2, Lane::Queue, "waited"));
    let cancelled = state.handle(Input::Cancelled);

    let effects = state.handle(said(3, Lane::Steer, "now"));

    assert_eq!(short(&cancelled), ["drop", "end Cancelled"]);
    assert_eq!(
        short(&effects),
        ["begin", "said waited", "said now", "request"]
    );
}

#[test]
fn a_fault_before_anything_was_shown_is_tried_six_times() {
    let mut state = replying();
    let busy = || {
        Input::StreamFailed(ProviderError::new(
            Fault::Overloaded { retry_after: None },
            "busy",
        ))
    };

    for tries in 1..6 {
        assert_eq!(
            short(&state.handle(busy())),
            [format!("wait after {tries}")]
        );
        assert_eq!(short(&state.handle(Input::WaitElapsed)), ["request"]);
    }

    assert_eq!(
        short(&state.handle(busy())),
        ["end Failed { reason: \"busy\" }"]
    );
}

#[test]
fn a_fault_after_text_was_shown_is_never_tried_again() {
    let mut state = replying();
    state.handle(text("Par"));

    let effects = state.handle(Input::StreamFailed(ProviderError::new(
        Fault::InStream,
        "the provider says: busy",
    )));

    assert_eq!(
        short(&effects),
        [
            "reply Failed { reason: \"the provider says: busy\" } \"Par\"",
            "end Failed { reason: \"the provider says: busy\" }"
        ]
    );
}

#[test]
fn a_full_window_fails_the_turn_at_once_and_says_what_to_do() {
    let mut state = replying();

    let effects = state.handle(Input::StreamFailed(ProviderError::new(
        Fault::WindowFull,
        "it does not fit",
    )));

    assert_eq!(
        short(&effects),
        [
            "end Failed { reason: \"it does not fit; make room with /compact, or use a model with a larger window\" }"
        ]
    );
}

#[test]
fn a_reply_without_end_marker_is_cut_off_and_its_calls_never_run() {
    let mut state = replying();
    state.handle(text("Reading."));
    state.handle(Input::Streamed(StreamEvent::CallStarted {
        slot: 0,
        id: "a".to_owned(),
        name: "file_read".to_owned(),
    }));

    let effects = state.handle(Input::StreamEnded);

    assert_eq!(
        short(&effects),
        [
            "reply CutOff \"Reading.\"",
            "end Failed { reason: \"the connection ended before the reply did\" }"
        ]
    );
}

#[test]
fn a_connection_that_breaks_after_the_end_marker_carried_nothing() {
    let mut state = replying();
    state.handle(text("Done."));
    state.handle(finish(FinishReason::Stop));

    let effects = state.handle(Input::StreamFailed(ProviderError::new(
        Fault::CutOff,
        "reset",
    )));

    assert_eq!(short(&effects), ["reply Complete \"Done.\"", "count"]);
}

#[test]
fn a_call_cut_by_the_output_limit_is_told_and_never_run() {
    let mut state = replying();
    state.handle(Input::Streamed(StreamEvent::CallStarted {
        slot: 0,
        id: "a".to_owned(),
        name: "file_write".to_owned(),
    }));
    state.handle(Input::Streamed(StreamEvent::CallArguments {
        slot: 0,
        fragment: "{\"path\":\"r.md\",\"content\":\"one\\ntw".to_owned(),
    }));
    state.handle(finish(FinishReason::OutputLimit));

    let effects = state.handle(Input::StreamEnded);

    assert_eq!(
        short(&effects),
        [
            "reply OutputLimit \"\"",
            "stage the reply was cut by the output limit inside a call (file_write); nothing was run",
            "note [your reply was cut by t",
            "request"
        ]
    );
}

#[test]
fn ids_that_are_missing_or_used_twice_are_replaced() {
    let (_, effects) = calling(&["x", "x", ""]);

    let ids: Vec<String> = effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Judge { call, .. } => Some(call.id.to_string()),
            _ => None,
        })
        .collect();
    assert_eq!(ids.len(), 3);
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), 3, "{ids:?}");
    assert_eq!(ids[0], "x");
}

#[test]
fn the_same_call_with_the_same_result_ends_the_turn_at_the_sixth() {
    let mut state = replying();
    let mut told = Vec::new();
    for number in 0..6 {
        state.handle(Input::Streamed(StreamEvent::CallStarted {
            slot: 0,
            id: format!("c{number}"),
            name: "file_read".to_owned(),
        }));
        state.handle(finish(FinishReason::ToolCalls));
        state.handle(Input::StreamEnded);
        let id = format!("c{number}");
        state.handle(judged(&id, run()));
        told.push(short(&state.handle(ran(&id, "same"))));
    }

    assert_eq!(told[1], ["result c1 Done same", "request"]);
    let note =
        "[loop: this is the same call with the same result 3 times in a row; try something else]";
    assert_eq!(
        told[2],
        [format!("result c2 Done same\n{note}"), "request".to_owned()]
    );
    assert_eq!(
        told[5].last().map(String::as_str),
        Some(
            "end Stopped { reason: \"file_read was called with the same arguments and result 6 times in a row; ask in other words, or mend what it reported\" }"
        )
    );
}

#[test]
fn a_broken_store_ends_the_turn_and_sends_nothing() {
    let mut state = machine();
    state.handle(said(1, Lane::Steer, "go"));

    let effects = state.handle(Input::StoreFailed("disk full".to_owned()));

    assert_eq!(
        short(&effects),
        ["drop", "end Failed { reason: \"disk full\" }"]
    );
}

#[test]
fn usage_of_the_step_stands_on_its_reply() {
    let mut state = replying();
    let usage = Usage {
        input: 9,
        cached: 0,
        output: 2,
        cost: None,
    };
    state.handle(text("Hi."));
    state.handle(finish(FinishReason::Stop));
    state.handle(Input::Streamed(StreamEvent::Usage(usage)));

    let effects = state.handle(Input::StreamEnded);

    let recorded = effects.iter().find_map(|effect| match effect {
        Effect::Record(record) => match &**record {
            Record::Reply { usage, .. } => Some(*usage),
            _ => None,
        },
        _ => None,
    });
    assert_eq!(recorded, Some(usage));
}

#[test]
fn a_running_call_is_told_to_the_front_end_in_every_state() {
    let (mut state, judging) = calling(&["a"]);
    let running = state.handle(judged("a", run()));

    let states = |effects: &[Effect]| -> Vec<CallState> {
        effects
            .iter()
            .filter_map(|effect| match effect {
                Effect::Call { state, .. } => Some(*state),
                _ => None,
            })
            .collect()
    };
    assert_eq!(states(&judging), [CallState::Judging]);
    assert_eq!(states(&running), [CallState::Waiting, CallState::Running]);
}
