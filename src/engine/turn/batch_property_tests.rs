//! Calls of every kind, verdicts, answers and ends in any order, and a stop at any time: what may run beside what, and
//! that no call is lost.

use std::collections::{BTreeMap, BTreeSet};

use proptest::{
    prelude::{Just, Strategy, prop_assert_eq, prop_oneof, proptest},
    sample::Index,
};
use serde_json::json;

use super::*;
use crate::{
    domain::{
        chat::{ChatMessage, ContentBlock, Role},
        record::ReplyEnd,
        usage::Usage,
    },
    engine::window::conversation::Conversation,
    tools::contract::Concurrency,
};

/// What becomes of a call when it is judged.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fate {
    Runs,
    IsAllowed,
    IsRejected,
    IsRefused,
    Fails,
}

fn fate() -> impl Strategy<Value = Fate> {
    prop_oneof![
        4 => Just(Fate::Runs),
        2 => Just(Fate::IsAllowed),
        1 => Just(Fate::IsRejected),
        1 => Just(Fate::IsRefused),
        1 => Just(Fate::Fails),
    ]
}

fn concurrency() -> impl Strategy<Value = Concurrency> {
    prop_oneof![
        3 => Just(Concurrency::Parallel),
        2 => Just(Concurrency::Keyed("a".to_owned())),
        2 => Just(Concurrency::Keyed("b".to_owned())),
        2 => Just(Concurrency::Exclusive),
    ]
}

/// What the program around a batch is busy with.
struct World {
    batch: Batch,
    loops: Loops,
    plan: Vec<(Concurrency, Fate)>,
    judging: BTreeSet<usize>,
    asking: BTreeMap<usize, RequestId>,
    running: BTreeSet<usize>,
    judged: BTreeSet<usize>,
    allowed: BTreeSet<usize>,
    begun: Vec<usize>,
    is_told_to_stop: bool,
    ended: BTreeMap<usize, ToolResult>,
    /// Results in the order in which they came.
    conversation: Conversation,
}

fn id(index: usize) -> CallId {
    CallId::new(format!("c{index}"))
}

impl World {
    fn new(plan: Vec<(Concurrency, Fate)>) -> Self {
        let calls: Vec<ToolCall> = (0..plan.len())
            .map(|index| ToolCall {
                id: id(index),
                name: "file_write".to_owned(),
                arguments: json!({ "path": index }),
                malformed: None,
            })
            .collect();
        let mut conversation = Conversation::default();
        let blocks = calls.iter().cloned().map(ContentBlock::ToolCall);
        let message = ChatMessage {
            role: Role::Assistant,
            blocks: blocks.collect(),
            provider: None,
        };
        let reply = Record::Reply {
            message,
            end: ReplyEnd::ToolCalls,
            usage: Usage::default(),
        };
        conversation.apply(None, &reply);
        let (batch, effects) = Batch::start(calls, Watch::default());
        let mut world = Self {
            batch,
            loops: Loops::default(),
            plan,
            judging: BTreeSet::new(),
            asking: BTreeMap::new(),
            running: BTreeSet::new(),
            judged: BTreeSet::new(),
            allowed: BTreeSet::new(),
            begun: Vec::new(),
            is_told_to_stop: false,
            ended: BTreeMap::new(),
            conversation,
        };
        world.perform(effects);
        world
    }

    fn index(call: &CallId) -> usize {
        call.as_str()[1..].parse().expect("a number")
    }

    fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Judge { call, .. } => {
                    assert!(self.judging.insert(Self::index(&call.id)), "judged twice");
                }
                Effect::Ask(request) => {
                    self.asking.insert(Self::index(&request.call), request.id);
                }
                Effect::Withdraw(call) => {
                    self.asking.remove(&Self::index(&call));
                }
                Effect::Run { call, .. } => self.begin(Self::index(&call.id)),
                Effect::StopCalls => self.is_told_to_stop = true,
                Effect::Record(record) => {
                    self.conversation.apply(None, &record);
                    if let Record::Result { result } = *record {
                        let index = Self::index(&result.call);
                        assert!(!self.running.contains(&index), "{index} still runs");
                        let earlier = self.ended.insert(index, result);
                        assert_eq!(earlier, None, "a second result of {index}");
                    }
                }
                _ => {}
            }
        }
    }

    /// A call begins: everything that must not be beside it is not.
    fn begin(&mut self, index: usize) {
        assert_eq!(
            self.judged.len(),
            self.plan.len(),
            "{index} runs before all calls are judged"
        );
        let of = |other: usize| &self.plan[other].0;
        for other in &self.running {
            let apart = match (of(index), of(*other)) {
                (Concurrency::Exclusive, _) | (_, Concurrency::Exclusive) => true,
                (Concurrency::Keyed(one), Concurrency::Keyed(other)) => one == other,
                _ => false,
            };
            assert!(!apart, "{index} runs beside {other}: {:?}", self.plan);
        }
        for other in (0..index).filter(|other| !self.ended.contains_key(other)) {
            let in_order = match (of(index), of(other)) {
                (Concurrency::Exclusive, _) => true,
                // One that is not allowed yet has no place in the order.
                (_, Concurrency::Exclusive) => self.allowed.contains(&other),
                (Concurrency::Keyed(one), Concurrency::Keyed(other)) => one == other,
                _ => false,
            };
            assert!(!in_order, "{index} runs before {other}: {:?}", self.plan);
        }
        assert!(self.running.insert(index), "{index} runs twice");
        self.begun.push(index);
    }

    /// The next thing happens; `false` when nothing can.
    fn step(&mut self, pick: &Index) -> bool {
        let judging = self.judging.iter().map(|index| (0, *index));
        let asking = self.asking.keys().map(|index| (1, *index));
        let running = self.running.iter().map(|index| (2, *index));
        let open: Vec<(u8, usize)> = judging.chain(asking).chain(running).collect();
        if open.is_empty() {
            return false;
        }
        match open[pick.index(open.len())] {
            (0, index) => self.judge(index),
            (1, index) => self.answer(index),
            (_, index) => self.end(index, CallStatus::Done),
        }
        true
    }

    fn judge(&mut self, index: usize) {
        let is_first = self.judged.insert(index);
        self.judging.remove(&index);
        let (concurrency, fate) = self.plan[index].clone();
        let verdict = match fate {
            Fate::IsAllowed | Fate::IsRejected if is_first => {
                CallVerdict::ask(index as u64, &id(index), "shown")
            }
            Fate::Runs | Fate::IsAllowed | Fate::IsRejected => {
                self.allowed.insert(index);
                CallVerdict::run(json!({}), concurrency)
            }
            Fate::IsRefused => CallVerdict::Refuse("no".to_owned()),
            Fate::Fails => CallVerdict::Fail("cannot".to_owned()),
        };
        let (effects, _) = self.batch.judged(&id(index), verdict, &mut self.loops);
        self.perform(effects);
    }

    fn answer(&mut self, index: usize) {
        let request = self.asking.remove(&index).expect("a request");
        let decision = match self.plan[index].1 {
            Fate::IsRejected => ApprovalDecision::Reject { words: None },
            _ => ApprovalDecision::Once,
        };
        let (effects, _) = self
            .batch
            .decided(&id(index), request, decision, &mut self.loops);
        self.perform(effects);
    }

    fn end(&mut self, index: usize, status: CallStatus) {
        self.running.remove(&index);
        let result = ToolResult::plain(id(index), status, index.to_string());
        let (effects, _) = self.batch.ran(result, &mut self.loops);
        self.perform(effects);
    }

    fn stop(&mut self) {
        let effects = self.batch.stop();
        self.perform(effects);
        assert_eq!(self.is_told_to_stop, !self.running.is_empty());
        // What is on its way comes all the same.
        for index in std::mem::take(&mut self.judging) {
            self.judge(index);
        }
        while let Some(index) = self.running.first().copied() {
            self.end(index, CallStatus::Interrupted);
        }
    }

    /// The calls whose results stand in the next request, in its order.
    fn told(&self) -> Vec<String> {
        let request = self.conversation.request();
        let blocks = request.iter().flat_map(|message| &message.blocks);
        let results = blocks.filter_map(|block| match block {
            ContentBlock::ToolResult(result) => Some(result.call.as_str().to_owned()),
            _ => None,
        });
        results.collect()
    }
}

proptest! {
    #[test]
    fn calls_run_in_the_order_that_their_kind_asks_for_and_none_is_lost(
        plan in proptest::collection::vec((concurrency(), fate()), 1..9),
        picks in proptest::collection::vec(proptest::prelude::any::<Index>(), 64),
        stop_after in proptest::option::weighted(0.4, 0_usize..24),
    ) {
        let count = plan.len();
        let mut world = World::new(plan);
        for (at, pick) in picks.iter().enumerate() {
            if stop_after == Some(at) {
                world.stop();
                break;
            }
            if !world.step(pick) {
                break;
            }
        }

        assert!(world.batch.is_over(), "calls are left over: {:?}", world.batch);
        prop_assert_eq!(world.ended.len(), count);
        if stop_after.is_none() {
            let due: BTreeSet<usize> = (0..count)
                .filter(|index| matches!(world.plan[*index].1, Fate::Runs | Fate::IsAllowed))
                .collect();
            prop_assert_eq!(world.begun.iter().copied().collect::<BTreeSet<_>>(), due);
        }
        for index in &world.begun {
            prop_assert_eq!(&world.ended[index].text, &index.to_string());
        }
        let in_order: Vec<String> = (0..count).map(|index| format!("c{index}")).collect();
        prop_assert_eq!(world.told(), in_order);
    }
}
