//! The tool calls of one reply, from judgement to result. Pure.
//!
//! All calls are judged before any runs; each ends with exactly one result, whatever happens.

use serde_json::Value;

use super::{
    effect::{Approval, Effect},
    entry::{Entry, Hooked, Progress, rejection},
    guards::loops::{self, Loops, Seen},
    input::CallVerdict,
    moments::{occasion::Watch, steps::hooked_status},
    schedule::{self, Slot},
};
use crate::{
    domain::{
        agent::AgentStatus,
        approval::ApprovalDecision,
        ids::{CallId, RequestId},
        record::Record,
        tool::{CallStatus, ToolCall, ToolResult},
    },
    engine::{event::CallState, toolset},
};

/// The calls of one reply.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    pub(super) entries: Vec<Entry>,
    pub(super) stopped: bool,
    /// Which moments have hooks.
    pub(super) watch: Watch,
}

/// What the loop detector wants after a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum After {
    /// Nothing.
    GoOn,
    /// End the turn: the same call again and again.
    Endless(String),
}

impl Batch {
    /// Starts with judging every call, and with the hooks where there are some.
    pub fn start(calls: Vec<ToolCall>, mut watch: Watch) -> (Self, Vec<Effect>) {
        let mut entries: Vec<Entry> = calls.into_iter().map(Entry::new).collect();
        let begin = |entry: &mut Entry| entry.begin(&mut watch);
        let effects = entries.iter_mut().flat_map(begin).collect();
        let batch = Self {
            entries,
            stopped: false,
            watch,
        };
        (batch, effects)
    }

    /// Whether every call has its result.
    pub fn is_over(&self) -> bool {
        self.entries
            .iter()
            .all(|entry| entry.progress == Progress::Ended)
    }

    /// A call was judged.
    pub fn judged(
        &mut self,
        id: &CallId,
        verdict: CallVerdict,
        loops: &mut Loops,
    ) -> (Vec<Effect>, After) {
        let stopped = self.stopped;
        let Some(entry) = self.entry(id) else {
            return (Vec::new(), After::GoOn);
        };
        if entry.progress != Progress::Judging || stopped {
            return (Vec::new(), After::GoOn);
        }
        if entry.outdated {
            return (entry.judge().into(), After::GoOn);
        }
        entry.judged_before = true;
        let mut after = After::GoOn;
        let mut effects = Vec::new();
        let mut end = |entry: &mut Entry, status, text| {
            let mut result = ToolResult::plain(id.clone(), status, text);
            after = note(&entry.call, &mut result, loops);
            entry.end(result)
        };
        match verdict {
            CallVerdict::Run {
                cleared,
                concurrency,
            } => {
                entry.progress = Progress::Ready {
                    cleared,
                    concurrency,
                };
                effects.push(Effect::Call {
                    call: id.clone(),
                    state: CallState::Waiting,
                });
            }
            CallVerdict::Ask(request) => {
                // Whatever was allowed before was something else.
                entry.allowed = Approval::None;
                entry.progress = Progress::Asking(request);
                entry.asked = false;
            }
            CallVerdict::Refuse(text) => effects.push(end(entry, CallStatus::Refused, text)),
            CallVerdict::Fail(text) => effects.push(end(entry, CallStatus::Failed, text)),
        }
        effects.extend(self.ask_in_order());
        if after == After::GoOn {
            effects.extend(self.start_ready());
        }
        (effects, after)
    }

    /// The person answered. An answer to a request that was withdrawn meanwhile decides nothing about the one that
    /// took its place.
    pub fn decided(
        &mut self,
        id: &CallId,
        answered: RequestId,
        decision: ApprovalDecision,
        loops: &mut Loops,
    ) -> (Vec<Effect>, After) {
        let mut watch = self.watch;
        let Some(entry) = self.entry(id) else {
            return (Vec::new(), After::GoOn);
        };
        let Progress::Asking(request) = &entry.progress else {
            return (Vec::new(), After::GoOn);
        };
        if request.id != answered {
            return (Vec::new(), After::GoOn);
        }
        let hash = request.hash.clone();
        let makes_rule = matches!(
            decision,
            ApprovalDecision::Session | ApprovalDecision::Rule { .. } | ApprovalDecision::Never
        );
        let mut effects = vec![Effect::Record(Box::new(Record::ApprovalDecided {
            request: request.id,
            decision: decision.clone(),
        }))];
        let mut after = After::GoOn;
        match decision {
            ApprovalDecision::Once | ApprovalDecision::Session | ApprovalDecision::Rule { .. } => {
                entry.allowed = Approval::Hash(hash);
                effects.extend(entry.judge());
            }
            ApprovalDecision::Edited { arguments } => {
                entry.edited = Some(arguments);
                entry.allowed = Approval::Edited;
                entry.hooked = Hooked::default();
                effects.extend(entry.begin(&mut watch));
            }
            ApprovalDecision::Reject { .. } | ApprovalDecision::Never => {
                let text = rejection(&entry.call.name, &decision);
                let mut result = ToolResult::plain(id.clone(), CallStatus::Refused, text);
                after = note(&entry.call, &mut result, loops);
                effects.push(entry.end(result));
            }
            ApprovalDecision::Withdrawn => effects.push(entry.end_not_run()),
        }
        self.watch = watch;
        if makes_rule {
            // Nothing starts by a verdict from before the new rule.
            effects.extend(self.rules_changed());
        }
        if after == After::GoOn {
            effects.extend(self.start_ready());
        }
        (effects, after)
    }

    /// Rules or grants changed: what has not begun is judged again. What the person allowed stays allowed unless a
    /// rule now denies it.
    pub fn rules_changed(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        for entry in &mut self.entries {
            match &entry.progress {
                Progress::Judging => entry.outdated = true,
                Progress::Ready { .. } => effects.extend(entry.judge()),
                Progress::Asking(_) => {
                    effects.extend(entry.withdraw());
                    effects.extend(entry.judge());
                }
                Progress::Telling(_)
                | Progress::Running { .. }
                | Progress::Reviewed { .. }
                | Progress::Ended => {}
            }
        }
        effects
    }

    /// A call has ended by itself.
    pub fn ran(&mut self, mut result: ToolResult, loops: &mut Loops) -> (Vec<Effect>, After) {
        let (id, stopped) = (result.call.clone(), self.stopped);
        let mut watch = self.watch;
        let Some(entry) = self.entry(&id) else {
            return (Vec::new(), After::GoOn);
        };
        if matches!(entry.progress, Progress::Reviewed { .. } | Progress::Ended) {
            return (Vec::new(), After::GoOn);
        }
        let after = note(&entry.call, &mut result, loops);
        let mut effects = vec![if stopped || after != After::GoOn {
            entry.end_told(result)
        } else {
            entry.review(result, &mut watch)
        }];
        self.watch = watch;
        if after == After::GoOn {
            effects.extend(self.start_ready());
        }
        (effects, after)
    }

    /// Stops everything: what has not begun ends now, what runs is told to stop and still reports.
    pub fn stop(&mut self) -> Vec<Effect> {
        self.stopped = true;
        let mut effects = Vec::new();
        let (mut runs, mut hooks) = (false, false);
        for entry in &mut self.entries {
            match &entry.progress {
                Progress::Asking(_) => {
                    effects.extend(entry.withdraw());
                    effects.push(entry.end_not_run());
                }
                Progress::Judging | Progress::Ready { .. } => {
                    effects.push(entry.end_not_run());
                }
                Progress::Telling(_) => {
                    hooks = true;
                    effects.push(entry.end_not_run());
                }
                Progress::Running { .. } => runs = true,
                Progress::Reviewed { result, .. } => {
                    hooks = true;
                    let result = result.clone();
                    effects.push(entry.end_told(result));
                }
                Progress::Ended => {}
            }
        }
        if hooks {
            effects.insert(0, Effect::StopHooks);
        }
        if runs {
            effects.push(Effect::StopCalls);
        }
        effects
    }

    /// What the agent is doing now, for the tree.
    pub fn status(&self) -> Effect {
        let asking = self
            .entries
            .iter()
            .find(|entry| matches!(entry.progress, Progress::Asking(_)));
        let running = self
            .entries
            .iter()
            .find(|entry| matches!(entry.progress, Progress::Running { .. }));
        let (status, entry) = match (asking, running) {
            (Some(entry), _) => (AgentStatus::Asking, Some(entry)),
            (None, Some(entry)) => (
                AgentStatus::Running {
                    tool: entry.call.name.clone(),
                },
                Some(entry),
            ),
            (None, None) if self.is_told() => return hooked_status(),
            (None, None) => (AgentStatus::Thinking, None),
        };
        Effect::Status {
            status,
            activity: entry.map_or_else(String::new, |entry| toolset::subject(&entry.call)),
        }
    }

    pub(super) fn entry(&mut self, id: &CallId) -> Option<&mut Entry> {
        self.entries.iter_mut().find(|entry| entry.call.id == *id)
    }

    /// Verdicts come as they like; the person is asked about the calls in the order in which the model made them.
    pub(super) fn ask_in_order(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        for entry in &mut self.entries {
            match &entry.progress {
                Progress::Telling(_) | Progress::Judging => break,
                Progress::Asking(request) if !entry.asked => {
                    entry.asked = true;
                    effects.push(Effect::Call {
                        call: entry.call.id.clone(),
                        state: CallState::Asking,
                    });
                    effects.push(Effect::Ask(request.clone()));
                }
                _ => {}
            }
        }
        effects
    }

    pub(super) fn start_ready(&mut self) -> Vec<Effect> {
        if self.stopped || self.entries.iter().any(|entry| !entry.judged_before) {
            return Vec::new();
        }
        let slots: Vec<Slot<'_>> = self.entries.iter().map(Entry::slot).collect();
        let mut effects = Vec::new();
        for index in schedule::startable(&slots) {
            let Some(entry) = self.entries.get_mut(index) else {
                continue;
            };
            let Progress::Ready {
                cleared,
                concurrency,
            } = entry.progress.clone()
            else {
                continue;
            };
            entry.progress = Progress::Running { concurrency };
            effects.push(Effect::Record(Box::new(Record::CallStarted {
                call: entry.call.id.clone(),
            })));
            effects.push(Effect::Call {
                call: entry.call.id.clone(),
                state: CallState::Running,
            });
            effects.push(Effect::Run {
                call: entry.current(),
                cleared,
            });
        }
        effects
    }
}

/// Has the loop detector look at a result; the model is told what it has seen.
pub(super) fn note(call: &ToolCall, result: &mut ToolResult, loops: &mut Loops) -> After {
    match loops.note(call, result) {
        Seen::Fresh => {}
        Seen::Repeated(times) => result.text.push_str(&format!(
            "\n[loop: this is the same call with the same result {times} times in a row; try something else]"
        )),
        Seen::Endless => {
            return After::Endless(format!(
                "{} was called with the same arguments and result {} times in a row; ask in other words, or mend \
                 what it reported",
                call.name,
                loops::STOPPED_AFTER
            ));
        }
    }
    After::GoOn
}

/// What the person took out of lists, in words; empty when lists are as they were asked.
pub(super) fn left_out(asked: &Value, ran: &Value) -> String {
    let mut words = String::new();
    for (name, asked) in asked.as_object().into_iter().flatten() {
        let (Some(asked), Some(ran)) = (asked.as_array(), ran.get(name).and_then(Value::as_array))
        else {
            continue;
        };
        if ran.len() < asked.len() && ran.iter().all(|item| asked.contains(item)) {
            let out = asked.iter().filter(|item| !ran.contains(item));
            let out = Value::from(out.cloned().collect::<Vec<Value>>());
            let count = asked.len() - ran.len();
            words.push_str(&format!("; {count} of {name} left out: {out}"));
        }
    }
    words
}

#[cfg(test)]
#[path = "batch_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "batch_property_tests.rs"]
mod property_tests;
