//! Whatever happens in whatever order: one end for each turn, one result for each call, nothing unjudged runs.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::{Strategy, prop_oneof, proptest};
use serde_json::json;

use super::*;
use crate::{
    domain::{
        approval::ApprovalDecision,
        hook::{Hook, HookCommand, HookEvent},
        ids::RequestId,
        record::ReplyEnd,
        tool::{CallStatus, ToolResult},
        usage::Usage,
    },
    engine::turn::{
        input::CallVerdict,
        moments::occasion::{Heard, Words},
        room::machine::RoomEffect,
    },
    providers::{
        contract::{FinishReason, StreamEvent},
        error::{Fault, ProviderError},
    },
    tools::contract::Concurrency,
};

fn hook(event: HookEvent) -> Hook {
    Hook {
        name: "hook".to_owned(),
        event,
        command: HookCommand::Line(String::new()),
        matcher: "*".to_owned(),
        timeout_ms: 1,
        required: false,
        sandbox: true,
    }
}

/// What the world does next; what does not fit is given to the machine all the same.
#[derive(Clone, Debug)]
enum Act {
    Say(Lane),
    Cancel,
    Accept,
    Text,
    StartCall(usize),
    Finish(FinishReason),
    EndStream,
    FailStream(bool),
    Elapse,
    Judge(usize, u8),
    Decide(usize, u8),
    Run(usize, bool),
    Count(usize),
    RulesChange,
    TakeBack,
    StoreFails,
    Hear(u8, bool),
    /// Fails since the window is full.
    Overflow,
    AskRoom,
    WantRoom,
    FailCheckpoint,
    Checkpoint(bool),
    Summarize(bool),
}

fn about_room() -> impl Strategy<Value = Act> {
    prop_oneof![
        proptest::strategy::Just(Act::Overflow),
        proptest::strategy::Just(Act::AskRoom),
        proptest::strategy::Just(Act::WantRoom),
        proptest::strategy::Just(Act::FailCheckpoint),
        proptest::bool::ANY.prop_map(Act::Checkpoint),
        proptest::bool::ANY.prop_map(Act::Summarize),
    ]
}

fn act() -> impl Strategy<Value = Act> {
    let others = prop_oneof![
        prop_oneof![
            proptest::strategy::Just(Act::Say(Lane::Steer)),
            proptest::strategy::Just(Act::Say(Lane::Queue)),
            proptest::strategy::Just(Act::Say(Lane::Interrupt)),
        ],
        proptest::strategy::Just(Act::Cancel),
        proptest::strategy::Just(Act::Accept),
        proptest::strategy::Just(Act::Text),
        (0_usize..3).prop_map(Act::StartCall),
        prop_oneof![
            proptest::strategy::Just(Act::Finish(FinishReason::Stop)),
            proptest::strategy::Just(Act::Finish(FinishReason::ToolCalls)),
            proptest::strategy::Just(Act::Finish(FinishReason::OutputLimit)),
            proptest::strategy::Just(Act::Finish(FinishReason::Refused)),
        ],
        proptest::strategy::Just(Act::EndStream),
        proptest::bool::ANY.prop_map(Act::FailStream),
        proptest::strategy::Just(Act::Elapse),
        (0_usize..4, 0_u8..4).prop_map(|(call, verdict)| Act::Judge(call, verdict)),
        (0_usize..4, 0_u8..5).prop_map(|(call, answer)| Act::Decide(call, answer)),
        (0_usize..4, proptest::bool::ANY).prop_map(|(call, fatal)| Act::Run(call, fatal)),
        (0_usize..3).prop_map(Act::Count),
        proptest::strategy::Just(Act::RulesChange),
        proptest::strategy::Just(Act::TakeBack),
        proptest::strategy::Just(Act::StoreFails),
        (0_u8..4, proptest::bool::ANY).prop_map(|(answer, late)| Act::Hear(answer, late)),
    ];
    prop_oneof![5 => others, 1 => about_room()]
}

/// What an onlooker knows.
#[derive(Default)]
struct Onlooker {
    in_turn: bool,
    requested: bool,
    /// Calls without result, by whether they run.
    open: BTreeMap<CallId, bool>,
    judged: BTreeSet<CallId>,
    said: u64,
    /// The last number that hooks were told.
    told: u64,
    /// Whether a summary is being written.
    summarizing: bool,
}

impl Onlooker {
    fn watch(&mut self, effects: &[Effect]) {
        for effect in effects {
            match effect {
                Effect::BeginTurn => {
                    assert!(!self.in_turn, "a turn begins inside a turn");
                    self.in_turn = true;
                }
                Effect::EndTurn(_) => {
                    assert!(self.in_turn, "a turn ends that has not begun");
                    assert!(
                        self.open.is_empty(),
                        "a turn ends with calls open: {:?}",
                        self.open
                    );
                    self.in_turn = false;
                    self.requested = false;
                }
                Effect::Room(RoomEffect::Summarize(_)) => {
                    assert!(!self.summarizing, "two summaries at once");
                    assert!(self.open.is_empty(), "a summary with calls open");
                    self.summarizing = true;
                }
                Effect::Room(RoomEffect::Install(_) | RoomEffect::Stop) => {
                    assert!(self.summarizing, "a summary that nobody wrote");
                    self.summarizing = false;
                }
                Effect::SendRequest => {
                    assert!(!self.summarizing, "a request while a summary is written");
                    assert!(self.in_turn, "a request outside a turn");
                    assert!(self.open.is_empty(), "a request with calls open");
                    self.requested = true;
                }
                Effect::Run { call, .. } => {
                    assert!(self.judged.contains(&call.id), "an unjudged call runs");
                    assert_eq!(self.open.insert(call.id.clone(), true), Some(false));
                }
                Effect::Record(record) => self.recorded(record),
                Effect::TellHooks { telling, .. } => {
                    assert_eq!(*telling, self.told + 1, "a number is given twice");
                    self.told = *telling;
                }
                _ => {}
            }
        }
    }

    fn recorded(&mut self, record: &Record) {
        match record {
            Record::Reply { message, end, .. } => {
                let calls: Vec<CallId> = message.calls().map(|call| call.id.clone()).collect();
                assert_eq!(calls.is_empty(), *end != ReplyEnd::ToolCalls);
                self.requested = false;
                self.open
                    .extend(calls.into_iter().map(|call| (call, false)));
            }
            Record::Result { result } => {
                assert!(self.open.remove(&result.call).is_some(), "a second result");
            }
            _ => {}
        }
    }

    fn call(&self, index: usize) -> CallId {
        let known: Vec<&CallId> = self.open.keys().collect();
        known
            .get(index % known.len().max(1))
            .map_or_else(|| CallId::new("nobody"), |id| (*id).clone())
    }

    fn input(&mut self, act: &Act) -> Input {
        match act {
            Act::Say(lane) => {
                self.said += 1;
                Input::Said {
                    id: QueuedId(self.said),
                    speaker: Speaker::Person,
                    lane: *lane,
                    text: "words".to_owned(),
                }
            }
            Act::Cancel => Input::Cancelled,
            Act::Accept => Input::Accepted,
            Act::Text => Input::Streamed(StreamEvent::Text("text".to_owned())),
            Act::StartCall(slot) => Input::Streamed(StreamEvent::CallStarted {
                slot: *slot,
                id: "id".to_owned(),
                name: "file_read".to_owned(),
            }),
            Act::Finish(reason) => Input::Streamed(StreamEvent::Finished(*reason)),
            Act::EndStream => Input::StreamEnded,
            Act::FailStream(retryable) => Input::StreamFailed(ProviderError::new(
                if *retryable {
                    Fault::Unreachable
                } else {
                    Fault::Rejected
                },
                "fault",
            )),
            Act::Elapse => Input::WaitElapsed,
            Act::Judge(index, verdict) => self.judge(*index, *verdict),
            Act::Decide(index, answer) => Input::Decided {
                call: self.call(*index),
                request: RequestId(1),
                decision: match answer {
                    0 => ApprovalDecision::Once,
                    1 => ApprovalDecision::Session,
                    2 => ApprovalDecision::Edited {
                        arguments: json!({}),
                    },
                    3 => ApprovalDecision::Reject { words: None },
                    _ => ApprovalDecision::Never,
                },
            },
            Act::Run(index, fatal) => self.ran(*index, *fatal),
            Act::Count(open) => Input::ChecklistOpen(*open),
            Act::RulesChange => Input::RulesChanged,
            Act::TakeBack => Input::TakenBack(QueuedId(self.said)),
            Act::StoreFails => Input::StoreFailed("full".to_owned()),
            Act::Hear(answer, late) => self.hear(*answer, *late),
            Act::Overflow => Input::StreamFailed(ProviderError::new(Fault::WindowFull, "full")),
            Act::AskRoom => Input::RoomAsked(String::new()),
            Act::WantRoom => Input::RoomWanted(String::new()),
            Act::FailCheckpoint => Input::CheckpointFailed,
            Act::Checkpoint(_) => Input::Weighed,
            Act::Summarize(is_good) => {
                let summary = if *is_good { Ok("so far") } else { Err("no") };
                let summary = summary.map(str::to_owned).map_err(str::to_owned);
                Input::Summarized {
                    number: 1,
                    summary,
                    usage: Usage::default(),
                }
            }
        }
    }

    fn judge(&mut self, index: usize, verdict: u8) -> Input {
        let call = self.call(index);
        let verdict = match verdict {
            0 => {
                self.judged.insert(call.clone());
                CallVerdict::run(json!({}), Concurrency::Parallel)
            }
            1 => CallVerdict::ask(1, &call, "hash"),
            2 => CallVerdict::Refuse("no".to_owned()),
            _ => CallVerdict::Fail("cannot".to_owned()),
        };
        Input::Judged { call, verdict }
    }

    fn hear(&self, answer: u8, late: bool) -> Input {
        let words = Words {
            hook: "hook".to_owned(),
            event: HookEvent::PreToolCall,
            words: String::new(),
        };
        let mut heard = Heard::default();
        match answer {
            0 => {}
            1 => heard.denied = Some(words),
            2 => heard.input = Some((json!({"path": "b"}), "hook".to_owned())),
            _ => heard.output = Some(words),
        }
        Input::Hooked {
            telling: self.told.saturating_sub(late.into()),
            heard,
        }
    }

    /// Only calls that run can report.
    fn ran(&self, index: usize, fatal: bool) -> Input {
        let running: Vec<&CallId> = self
            .open
            .iter()
            .filter(|(_, runs)| **runs)
            .map(|(id, _)| id)
            .collect();
        let call = running
            .get(index % running.len().max(1))
            .map_or_else(|| CallId::new("nobody"), |id| (*id).clone());
        Input::Ran {
            result: ToolResult::plain(call, CallStatus::Done, "output"),
            fatal: fatal.then(|| "broken".to_owned()),
        }
    }
}

proptest! {
    #[test]
    fn turns_and_calls_are_always_paired(
        acts in proptest::collection::vec(act(), 1..120),
        hooks in proptest::sample::subsequence(HookEvent::ALL.to_vec(), 0..=6),
    ) {
        let mut state = State::new("wire", HashSet::new());
        state.watch(&hooks.into_iter().map(|(_, event)| hook(event)).collect::<Vec<_>>());
        state.let_room_be_made(true);
        let mut onlooker = Onlooker::default();

        for act in &acts {
            if let Act::Checkpoint(is_checkpoint) = act {
                state.set_checkpoint(*is_checkpoint);
            }
            let input = onlooker.input(act);
            let effects = state.handle(input);
            onlooker.watch(&effects);
            assert_eq!(state.is_idle(), !onlooker.in_turn && !onlooker.summarizing);
        }

        // However it stands, cancelling and letting the running calls report ends it.
        onlooker.watch(&state.handle(Input::Cancelled));
        while let Some(call) = onlooker.open.keys().next().cloned() {
            let result = ToolResult::plain(call, CallStatus::Interrupted, "stopped");
            let effects = state.handle(Input::Ran { result, fatal: None });
            assert!(!effects.is_empty(), "a running call's report is lost");
            onlooker.watch(&effects);
        }
        assert!(state.is_idle() && !onlooker.in_turn && !onlooker.summarizing);
    }
}
