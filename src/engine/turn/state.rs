//! The turn machine: every decision about a turn, and no deed.
//!
//! One machine per agent. Whatever happens arrives as an [`Input`]; what should be done leaves as [`Effect`]s, in
//! order. Exactly one `EndTurn` follows each `BeginTurn`, and every tool call gets exactly one result.

use std::collections::{HashSet, VecDeque};

use super::{
    batch::{After, Batch},
    effect::Effect,
    guards::{loops::Loops, nudge::Nudges},
    input::Input,
    moments::{
        occasion::{Telling, Watch},
        steps::Step,
    },
    reply::Reply,
    room::machine::Room,
};
use crate::{
    domain::{
        agent::AgentStatus,
        hook::Hook,
        ids::{CallId, QueuedId},
        notice::Severity,
        record::{Lane, Record, ReplyEnd, Speaker, TurnOutcome},
    },
    engine::event::Queued,
};

/// The machine.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    pub(super) phase: Phase,
    pub(super) waiting: VecDeque<Waiting>,
    pub(super) notes: Vec<String>,
    pub(super) nudges: Nudges,
    pub(super) loops: Loops,
    pub(super) cut_in_a_row: u32,
    pub(super) backend: String,
    pub(super) known_calls: HashSet<CallId>,
    /// Whether no turn may begin before the parent's words have come.
    pub(super) is_held: bool,
    /// Which moments have hooks.
    pub(super) watch: Watch,
    /// How often hooks let this turn go on.
    pub(super) longer: u32,
    /// What is known of the room in the window.
    pub(super) room: Room,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Phase {
    Idle,
    /// A request is out.
    Replying {
        attempt: u32,
        reply: Reply,
    },
    /// Waits before the next attempt.
    Waiting {
        attempt: u32,
    },
    /// Calls of a reply are judged, asked, run.
    Calling {
        batch: Batch,
        then: Then,
    },
    /// The driver counts the open checklist items.
    Counting,
    /// Hooks hear of new words.
    Prompting {
        telling: Telling,
        taken: Vec<QueuedId>,
        step: Step,
    },
    /// The model writes a summary.
    Summarizing {
        /// Whether no turn runs.
        rests: bool,
    },
    /// Hooks hear that the turn would end.
    Closing {
        telling: Telling,
    },
}

/// What follows when all calls have their results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Then {
    NextStep,
    End(TurnOutcome),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Waiting {
    pub(super) queued: Queued,
    pub(super) speaker: Speaker,
}

impl State {
    /// An idle machine. `backend` names the wire for provider-private fields; `known_calls` are the ids in use.
    pub fn new(backend: impl Into<String>, known_calls: HashSet<CallId>) -> Self {
        Self {
            phase: Phase::Idle,
            waiting: VecDeque::new(),
            notes: Vec::new(),
            nudges: Nudges::default(),
            loops: Loops::default(),
            cut_in_a_row: 0,
            backend: backend.into(),
            known_calls,
            is_held: false,
            watch: Watch::default(),
            longer: 0,
            room: Room::default(),
        }
    }

    /// The same machine for an agent that has no place among the running ones yet: its parent's words begin the first
    /// turn, and what the person says before waits for them.
    #[must_use]
    pub fn held(self, is_held: bool) -> Self {
        Self { is_held, ..self }
    }

    /// These hooks are there from now on.
    pub fn watch(&mut self, hooks: &[Hook]) {
        self.watch.renew(hooks);
    }

    /// Whether no turn runs.
    pub fn is_idle(&self) -> bool {
        self.phase == Phase::Idle
    }

    /// Another wire is used from the next request on.
    pub fn set_backend(&mut self, backend: impl Into<String>) {
        self.backend = backend.into();
    }

    /// The reply as far as it has come, when one is coming.
    pub fn partial(&self) -> Option<&Reply> {
        match &self.phase {
            Phase::Replying { reply, .. } if !reply.is_empty() => Some(reply),
            _ => None,
        }
    }

    /// Takes what happened and says what is to be done.
    pub fn handle(&mut self, input: Input) -> Vec<Effect> {
        match input {
            Input::Said {
                id,
                speaker,
                lane,
                text,
            } => self.said(Queued { id, lane, text }, speaker),
            Input::TakenBack(id) => self.taken_back(id),
            Input::Noted(note) => {
                self.notes.push(note);
                Vec::new()
            }
            Input::Happened(record) => vec![Effect::Record(record)],
            Input::Weighed => vec![Effect::Weigh],
            Input::RoomAsked(focus) => self.room_asked(focus),
            Input::RoomWanted(focus) => self.room_wanted(focus),
            Input::CheckpointFailed => self.room_wanted(String::new()),
            Input::Summarized { summary, .. } => self.summarized(summary),
            // The driver has done it.
            Input::WindowEdited(_) => Vec::new(),
            Input::Cancelled => self.cancelled(TurnOutcome::Cancelled),
            Input::Left(outcome) => self.cancelled(outcome),
            Input::Accepted => self.accepted(),
            Input::Streamed(event) => self.streamed(event),
            Input::StreamEnded => self.stream_ended(),
            Input::StreamFailed(error) => self.stream_failed(&error),
            Input::WaitElapsed => self.wait_elapsed(),
            Input::ChecklistOpen(open) => self.checklist_open(open),
            Input::StoreFailed(reason) => self.store_failed(reason),
            Input::Judged { call, verdict } => {
                self.in_batch(|batch, loops| batch.judged(&call, verdict, loops))
            }
            Input::Decided {
                call,
                request,
                decision,
            } => self.in_batch(|batch, loops| batch.decided(&call, request, decision, loops)),
            Input::Hooked { telling, heard } => self.hooked(telling, heard),
            Input::RulesChanged => self.in_batch(|batch, _| (batch.rules_changed(), After::GoOn)),
            Input::Ran { result, fatal } => {
                let mut effects = self.in_batch(|batch, loops| batch.ran(result, loops));
                if let Some(reason) = fatal {
                    effects.extend(self.stop(TurnOutcome::Failed { reason }));
                }
                effects
            }
        }
    }

    fn said(&mut self, queued: Queued, speaker: Speaker) -> Vec<Effect> {
        let lane = queued.lane;
        if self.is_held && matches!(speaker, Speaker::Parent { .. }) {
            self.is_held = false;
            self.waiting.push_front(Waiting { queued, speaker });
            return self.begin_turn(true);
        }
        self.waiting.push_back(Waiting { queued, speaker });
        if self.is_held {
            return vec![self.queue()];
        }
        match &self.phase {
            Phase::Idle => self.begin_turn(true),
            Phase::Replying { reply, .. } if lane == Lane::Interrupt => {
                let mut effects = vec![Effect::DropRequest];
                effects.extend(self.keep_partial(&reply.clone(), ReplyEnd::Interrupted));
                effects.extend(self.next_step());
                effects
            }
            Phase::Waiting { .. } if lane == Lane::Interrupt => self.next_step(),
            Phase::Calling { .. } if lane == Lane::Interrupt => {
                let mut effects = vec![self.queue()];
                effects.extend(self.in_batch(|batch, _| (batch.stop(), After::GoOn)));
                effects
            }
            _ => vec![self.queue()],
        }
    }

    fn taken_back(&mut self, id: QueuedId) -> Vec<Effect> {
        self.waiting.retain(|waiting| waiting.queued.id != id);
        vec![self.queue()]
    }

    /// Adds the person's words to those that wait, without beginning anything.
    pub fn keep(&mut self, queued: Queued) -> Vec<Queued> {
        self.waiting.push_back(Waiting {
            queued,
            speaker: Speaker::Person,
        });
        self.queued()
    }

    /// Runs a change of the batch, then looks whether the calls are over.
    pub(super) fn in_batch(
        &mut self,
        change: impl FnOnce(&mut Batch, &mut Loops) -> (Vec<Effect>, After),
    ) -> Vec<Effect> {
        let Phase::Calling { batch, then } = &mut self.phase else {
            return Vec::new();
        };
        let (mut effects, after) = change(batch, &mut self.loops);
        self.watch = batch.watch;
        if let After::Endless(reason) = after
            && *then == Then::NextStep
        {
            *then = Then::End(TurnOutcome::Stopped { reason });
            effects.extend(batch.stop());
        }
        if !batch.is_over() {
            effects.push(batch.status());
            return effects;
        }
        match then.clone() {
            Then::NextStep => effects.extend(self.next_step()),
            Then::End(outcome) => effects.extend(self.end(outcome)),
        }
        effects
    }

    fn cancelled(&mut self, outcome: TurnOutcome) -> Vec<Effect> {
        self.is_held = false;
        self.stop(outcome)
    }

    fn store_failed(&mut self, reason: String) -> Vec<Effect> {
        self.stop(TurnOutcome::Failed { reason })
    }
}

pub(super) fn record(record: Record) -> Effect {
    Effect::Record(Box::new(record))
}

pub(super) fn stage(severity: Severity, text: impl Into<String>) -> Effect {
    record(Record::StageDirection {
        severity,
        text: text.into(),
    })
}

pub(super) fn status(status: AgentStatus) -> Effect {
    Effect::Status {
        status,
        activity: String::new(),
    }
}

#[cfg(test)]
#[path = "state_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "state_property_tests.rs"]
mod property_tests;
