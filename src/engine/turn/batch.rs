//! The tool calls of one reply, from judgement to result. Pure.
//!
//! All calls are judged before any runs; each ends with exactly one result, whatever happens.

use serde_json::Value;

use super::{
    effect::{Approval, Effect},
    guards::loops::{Loops, Seen},
    input::CallVerdict,
    schedule::{self, Slot, Stage},
};
use crate::{
    domain::{
        agent::AgentStatus,
        approval::{ApprovalDecision, ApprovalRequest},
        ids::{CallId, RequestId},
        record::Record,
        tool::{CallStatus, ToolCall, ToolResult},
    },
    engine::{event::CallState, toolset},
    tools::contract::Concurrency,
};

/// The calls of one reply.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    entries: Vec<Entry>,
    stopped: bool,
}

#[derive(Clone, Debug, PartialEq)]
struct Entry {
    call: ToolCall,
    progress: Progress,
    judged_before: bool,
    edited: Option<Value>,
}

#[derive(Clone, Debug, PartialEq)]
enum Progress {
    Judging,
    Asking(Box<ApprovalRequest>),
    Ready {
        arguments: Value,
        concurrency: Concurrency,
    },
    Running {
        concurrency: Concurrency,
    },
    Ended,
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
    /// Starts with judging every call.
    pub fn start(calls: Vec<ToolCall>) -> (Self, Vec<Effect>) {
        let mut effects = Vec::new();
        let entries = calls
            .into_iter()
            .map(|call| {
                effects.push(Effect::Call {
                    call: call.id.clone(),
                    state: CallState::Judging,
                });
                effects.push(Effect::Judge {
                    call: call.clone(),
                    approval: Approval::None,
                });
                Entry {
                    call,
                    progress: Progress::Judging,
                    judged_before: false,
                    edited: None,
                }
            })
            .collect();
        (
            Self {
                entries,
                stopped: false,
            },
            effects,
        )
    }

    /// Whether every call has its result.
    pub fn is_over(&self) -> bool {
        self.entries
            .iter()
            .all(|entry| entry.progress == Progress::Ended)
    }

    /// A call was judged.
    pub fn judged(&mut self, id: &CallId, verdict: CallVerdict) -> Vec<Effect> {
        let mut effects = Vec::new();
        let stopped = self.stopped;
        let Some(entry) = self.entry(id) else {
            return effects;
        };
        if entry.progress != Progress::Judging || stopped {
            return effects;
        }
        entry.judged_before = true;
        match verdict {
            CallVerdict::Run {
                arguments,
                concurrency,
            } => {
                entry.progress = Progress::Ready {
                    arguments,
                    concurrency,
                };
                effects.push(Effect::Call {
                    call: id.clone(),
                    state: CallState::Waiting,
                });
            }
            CallVerdict::Ask(request) => {
                entry.progress = Progress::Asking(request.clone());
                effects.push(Effect::Call {
                    call: id.clone(),
                    state: CallState::Asking,
                });
                effects.push(Effect::Ask(request));
            }
            CallVerdict::Refuse(text) => {
                effects.push(entry.end(CallStatus::Refused, text));
            }
            CallVerdict::Fail(text) => {
                effects.push(entry.end(CallStatus::Failed, text));
            }
        }
        effects.extend(self.start_ready());
        effects
    }

    /// The person answered. An answer to a request that was withdrawn meanwhile decides nothing about the one that
    /// took its place.
    pub fn decided(
        &mut self,
        id: &CallId,
        answered: RequestId,
        decision: ApprovalDecision,
    ) -> Vec<Effect> {
        let Some(entry) = self.entry(id) else {
            return Vec::new();
        };
        let Progress::Asking(request) = &entry.progress else {
            return Vec::new();
        };
        if request.id != answered {
            return Vec::new();
        }
        let hash = request.hash.clone();
        let mut effects = vec![Effect::Record(Box::new(Record::ApprovalDecided {
            request: request.id,
            decision: decision.clone(),
        }))];
        match decision {
            ApprovalDecision::Once | ApprovalDecision::Session => {
                effects.extend(entry.judge_again(Approval::Hash(hash)));
            }
            ApprovalDecision::Edited { arguments } => {
                entry.edited = Some(arguments);
                effects.extend(entry.judge_again(Approval::Edited));
            }
            ApprovalDecision::Reject { words } => {
                let text = rejection(&entry.call.name, words.as_deref());
                effects.push(entry.end(CallStatus::Refused, text));
            }
            ApprovalDecision::Never => {
                let text = format!(
                    "[{} rejected by the person, for the rest of this session: do not try it again]",
                    entry.call.name
                );
                effects.push(entry.end(CallStatus::Refused, text));
            }
            ApprovalDecision::Withdrawn => {
                effects.push(entry.end(CallStatus::Interrupted, NOT_RUN.to_owned()));
            }
        }
        effects.extend(self.start_ready());
        effects
    }

    /// Rules or grants changed: what waits for the person is judged again.
    pub fn rules_changed(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        for entry in &mut self.entries {
            if matches!(entry.progress, Progress::Asking(_)) {
                effects.push(Effect::Withdraw(entry.call.id.clone()));
                effects.extend(entry.judge_again(Approval::None));
            }
        }
        effects
    }

    /// A call has ended by itself.
    pub fn ran(&mut self, mut result: ToolResult, loops: &mut Loops) -> (Vec<Effect>, After) {
        let id = result.call.clone();
        let mut after = After::GoOn;
        let Some(entry) = self.entry(&id) else {
            return (Vec::new(), after);
        };
        if entry.progress == Progress::Ended {
            return (Vec::new(), after);
        }
        match loops.note(&entry.call, &result) {
            Seen::Fresh => {}
            Seen::Repeated(times) => result.text.push_str(&format!(
                "\n[loop: this is the same call with the same result {times} times in a row; try something else]"
            )),
            Seen::Endless => {
                after = After::Endless(format!(
                    "{} was called with the same arguments and result {} times in a row",
                    entry.call.name,
                    super::guards::loops::STOPPED_AFTER
                ));
            }
        }
        if let Some(arguments) = &entry.edited {
            result.text = format!(
                "[the person changed the arguments before allowing the call; it ran with {arguments}]\n{}",
                result.text
            );
        }
        entry.progress = Progress::Ended;
        let mut effects = vec![Effect::Record(Box::new(Record::Result { result }))];
        if !self.stopped {
            effects.extend(self.start_ready());
        }
        (effects, after)
    }

    /// Stops everything: what has not begun ends now, what runs is told to stop and still reports.
    pub fn stop(&mut self) -> Vec<Effect> {
        self.stopped = true;
        let mut effects = Vec::new();
        let mut runs = false;
        for entry in &mut self.entries {
            match entry.progress {
                Progress::Asking(_) => {
                    effects.push(Effect::Withdraw(entry.call.id.clone()));
                    effects.push(entry.end(CallStatus::Interrupted, NOT_RUN.to_owned()));
                }
                Progress::Judging | Progress::Ready { .. } => {
                    effects.push(entry.end(CallStatus::Interrupted, NOT_RUN.to_owned()));
                }
                Progress::Running { .. } => runs = true,
                Progress::Ended => {}
            }
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
            (None, None) => (AgentStatus::Thinking, None),
        };
        Effect::Status {
            status,
            activity: entry.map_or_else(String::new, |entry| toolset::subject(&entry.call)),
        }
    }

    fn entry(&mut self, id: &CallId) -> Option<&mut Entry> {
        self.entries.iter_mut().find(|entry| entry.call.id == *id)
    }

    fn start_ready(&mut self) -> Vec<Effect> {
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
                arguments,
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
                call: entry.call.clone(),
                arguments,
            });
        }
        effects
    }
}

const NOT_RUN: &str = "[not run: the turn was stopped before]";

fn rejection(tool: &str, words: Option<&str>) -> String {
    match words.map(str::trim).filter(|words| !words.is_empty()) {
        Some(words) => format!("[{tool} rejected by the person: {words}]"),
        None => format!("[{tool} rejected by the person]"),
    }
}

impl Entry {
    fn end(&mut self, status: CallStatus, text: String) -> Effect {
        self.progress = Progress::Ended;
        self.judged_before = true;
        Effect::Record(Box::new(Record::Result {
            result: ToolResult::plain(self.call.id.clone(), status, text),
        }))
    }

    fn judge_again(&mut self, approval: Approval) -> Vec<Effect> {
        self.progress = Progress::Judging;
        let mut call = self.call.clone();
        if let Some(arguments) = &self.edited {
            call.arguments = arguments.clone();
        }
        vec![
            Effect::Call {
                call: call.id.clone(),
                state: CallState::Judging,
            },
            Effect::Judge { call, approval },
        ]
    }

    fn slot(&self) -> Slot<'_> {
        let (stage, concurrency) = match &self.progress {
            Progress::Judging | Progress::Asking(_) => (Stage::Held, None),
            Progress::Ready { concurrency, .. } => (Stage::Ready, Some(concurrency)),
            Progress::Running { concurrency } => (Stage::Running, Some(concurrency)),
            Progress::Ended => (Stage::Ended, None),
        };
        Slot { stage, concurrency }
    }
}
