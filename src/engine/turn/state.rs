//! The turn machine: every decision about a turn, and no deed.
//!
//! One machine per agent. Whatever happens arrives as an [`Input`]; what should be done leaves as [`Effect`]s, in
//! order. Exactly one `EndTurn` follows each `BeginTurn`, and every tool call gets exactly one result.

use std::collections::{HashSet, VecDeque};

use super::{
    batch::{After, Batch},
    effect::Effect,
    guards::loops::Loops,
    guards::nudge::{Next, Nudges},
    input::Input,
    reply::Reply,
};
use crate::{
    domain::{
        agent::AgentStatus,
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
}

/// What follows when all calls have their results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Then {
    NextStep,
    End(TurnOutcome),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Waiting {
    queued: Queued,
    speaker: Speaker,
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
        }
    }

    /// The same machine for an agent that has no place among the running ones yet: its parent's words begin the first
    /// turn, and what the person says before waits for them.
    #[must_use]
    pub fn held(self, is_held: bool) -> Self {
        Self { is_held, ..self }
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
            Input::Cancelled => self.cancelled(),
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

    fn queued(&self) -> Vec<Queued> {
        self.waiting
            .iter()
            .map(|waiting| waiting.queued.clone())
            .collect()
    }

    fn queue(&self) -> Effect {
        Effect::Queue(self.queued())
    }

    /// Begins a turn with the messages that wait: all of them when the person has just spoken, else the first.
    fn begin_turn(&mut self, takes_all: bool) -> Vec<Effect> {
        self.nudges = Nudges::default();
        self.loops = Loops::default();
        self.cut_in_a_row = 0;
        let mut effects = vec![Effect::BeginTurn];
        effects.extend(self.deliver(|index, _| takes_all || index == 0));
        effects.extend(self.request(1));
        effects
    }

    /// Moves waiting messages into the conversation.
    fn deliver(&mut self, takes: impl Fn(usize, &Queued) -> bool) -> Vec<Effect> {
        let mut effects: Vec<Effect> = self
            .notes
            .drain(..)
            .map(|text| record(Record::ContextNote { text }))
            .collect();
        let mut kept = VecDeque::new();
        for (index, waiting) in std::mem::take(&mut self.waiting).into_iter().enumerate() {
            if takes(index, &waiting.queued) {
                effects.push(record(Record::Said {
                    speaker: waiting.speaker,
                    lane: waiting.queued.lane,
                    text: waiting.queued.text,
                }));
            } else {
                kept.push_back(waiting);
            }
        }
        self.waiting = kept;
        effects.push(self.queue());
        effects
    }

    pub(super) fn request(&mut self, attempt: u32) -> Vec<Effect> {
        self.phase = Phase::Replying {
            attempt,
            reply: Reply::default(),
        };
        vec![status(AgentStatus::Thinking), Effect::SendRequest]
    }

    /// A step boundary: what was steered in is read now.
    pub(super) fn next_step(&mut self) -> Vec<Effect> {
        let mut effects = self.deliver(|_, queued| queued.lane != Lane::Queue);
        effects.extend(self.request(1));
        effects
    }

    /// The model called no tool: read what was steered in, else see whether the turn may end.
    pub(super) fn rest(&mut self) -> Vec<Effect> {
        if self
            .waiting
            .iter()
            .any(|waiting| waiting.queued.lane != Lane::Queue)
        {
            return self.next_step();
        }
        self.phase = Phase::Counting;
        vec![Effect::CountChecklist {
            nudges: self.nudges.given(),
        }]
    }

    fn checklist_open(&mut self, open: usize) -> Vec<Effect> {
        if self.phase != Phase::Counting {
            return Vec::new();
        }
        match self.nudges.rested(open) {
            Next::Rest => self.end(TurnOutcome::Finished),
            Next::Nudge(text) => {
                let mut effects = vec![record(Record::Said {
                    speaker: Speaker::Program,
                    lane: Lane::Steer,
                    text,
                })];
                effects.extend(self.next_step());
                effects
            }
            Next::GiveUp(reason) => self.end(TurnOutcome::Stopped { reason }),
        }
    }

    /// Runs a change of the batch, then looks whether the calls are over.
    fn in_batch(
        &mut self,
        change: impl FnOnce(&mut Batch, &mut Loops) -> (Vec<Effect>, After),
    ) -> Vec<Effect> {
        let Phase::Calling { batch, then } = &mut self.phase else {
            return Vec::new();
        };
        let (mut effects, after) = change(batch, &mut self.loops);
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

    fn cancelled(&mut self) -> Vec<Effect> {
        self.is_held = false;
        self.stop(TurnOutcome::Cancelled)
    }

    fn store_failed(&mut self, reason: String) -> Vec<Effect> {
        self.stop(TurnOutcome::Failed { reason })
    }

    /// Ends the turn as soon as nothing runs any more.
    fn stop(&mut self, outcome: TurnOutcome) -> Vec<Effect> {
        match &mut self.phase {
            Phase::Idle => Vec::new(),
            Phase::Replying { reply, .. } => {
                let reply = reply.clone();
                let mut effects = vec![Effect::DropRequest];
                effects.extend(self.keep_partial(&reply, ReplyEnd::Interrupted));
                effects.extend(self.end(outcome));
                effects
            }
            Phase::Waiting { .. } | Phase::Counting => self.end(outcome),
            Phase::Calling { then, .. } => {
                if *then == Then::NextStep {
                    *then = Then::End(outcome);
                }
                self.in_batch(|batch, _| (batch.stop(), After::GoOn))
            }
        }
    }

    pub(super) fn end(&mut self, outcome: TurnOutcome) -> Vec<Effect> {
        self.phase = Phase::Idle;
        let goes_on = outcome == TurnOutcome::Finished;
        let mut effects = vec![
            status(AgentStatus::after(&outcome)),
            Effect::EndTurn(outcome),
        ];
        if goes_on && !self.waiting.is_empty() {
            effects.extend(self.begin_turn(false));
        }
        effects
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
