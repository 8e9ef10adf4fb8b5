//! Where a turn begins, takes its next step and ends, and what hooks say to that: a part of the turn machine.

use std::collections::VecDeque;

use super::occasion::{Heard, Occasion, Telling, Words};
use crate::{
    domain::{
        agent::AgentStatus,
        hook::HookDeed,
        ids::QueuedId,
        record::{Lane, Record, ReplyEnd, Speaker, TurnOutcome},
    },
    engine::{
        event::Queued,
        turn::{
            batch::After,
            effect::Effect,
            guards::{
                loops::Loops,
                nudge::{Next, Nudges},
            },
            reply::Reply,
            state::{Phase, State, Then, record, status},
        },
    },
};

/// How often in one turn hooks may let it go on.
const MOST_LONGER: u32 = 3;

/// What waits for the hooks that are told of new words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine::turn) enum Step {
    /// The first of a turn.
    First,
    /// Another one.
    Next,
    /// One that only the new words are a reason for.
    Resumed,
}

impl State {
    /// Begins a turn with the messages that wait: all of them when the person has just spoken, else the first.
    pub(in crate::engine::turn) fn begin_turn(&mut self, takes_all: bool) -> Vec<Effect> {
        self.nudges = Nudges::default();
        self.loops = Loops::default();
        self.cut_in_a_row = 0;
        self.longer = 0;
        let most = if takes_all { self.waiting.len() } else { 1 };
        let first = self.waiting.iter().take(most);
        let taken = first.map(|waiting| waiting.queued.id).collect();
        let mut effects = vec![Effect::BeginTurn];
        effects.extend(self.step(taken, Step::First));
        effects
    }

    /// A step boundary: what was steered in is read now.
    pub(in crate::engine::turn) fn next_step(&mut self) -> Vec<Effect> {
        let taken = self.steered();
        self.step(taken, Step::Next)
    }

    /// The model called no tool: read what was steered in, else see whether the turn may end.
    pub(in crate::engine::turn) fn rest(&mut self) -> Vec<Effect> {
        let taken = self.steered();
        if !taken.is_empty() {
            return self.step(taken, Step::Resumed);
        }
        self.phase = Phase::Counting;
        vec![Effect::CountChecklist {
            nudges: self.nudges.given(),
        }]
    }

    fn steered(&self) -> Vec<QueuedId> {
        let waiting = self.waiting.iter().map(|waiting| &waiting.queued);
        waiting
            .filter(|queued| queued.lane != Lane::Queue)
            .map(|queued| queued.id)
            .collect()
    }

    /// Takes a step with these of the waiting messages, as soon as the hooks have heard them.
    fn step(&mut self, taken: Vec<QueuedId>, step: Step) -> Vec<Effect> {
        if !self.watch.before_generation || taken.is_empty() {
            return self.take_step(&taken);
        }
        let words = self.words(&taken);
        let (telling, tell) = self.watch.tell(Occasion::BeforeGeneration(words));
        self.phase = Phase::Prompting {
            telling,
            taken,
            step,
        };
        vec![self.queue(), hooked_status(), tell]
    }

    fn words(&self, taken: &[QueuedId]) -> Vec<String> {
        let waiting = self.waiting.iter().map(|waiting| &waiting.queued);
        waiting
            .filter(|queued| taken.contains(&queued.id))
            .map(|queued| queued.text.clone())
            .collect()
    }

    fn take_step(&mut self, taken: &[QueuedId]) -> Vec<Effect> {
        let mut effects = self.deliver(taken);
        effects.extend(self.request(1));
        effects
    }

    /// Moves waiting messages into the conversation.
    fn deliver(&mut self, taken: &[QueuedId]) -> Vec<Effect> {
        let mut effects: Vec<Effect> = self
            .notes
            .drain(..)
            .map(|text| record(Record::ContextNote { text }))
            .collect();
        let mut kept = VecDeque::new();
        for waiting in std::mem::take(&mut self.waiting) {
            if taken.contains(&waiting.queued.id) {
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

    pub(in crate::engine::turn) fn request(&mut self, attempt: u32) -> Vec<Effect> {
        self.phase = Phase::Replying {
            attempt,
            reply: Reply::default(),
        };
        vec![status(AgentStatus::Thinking), Effect::SendRequest]
    }

    pub(in crate::engine::turn) fn checklist_open(&mut self, open: usize) -> Vec<Effect> {
        if self.phase != Phase::Counting {
            return Vec::new();
        }
        match self.nudges.rested(open) {
            Next::Rest => self.end(TurnOutcome::Finished),
            Next::Nudge(text) => self.go_on(text),
            Next::GiveUp(reason) => self.end(TurnOutcome::Stopped { reason }),
        }
    }

    /// The program has a word for the model, and another step follows.
    fn go_on(&mut self, text: String) -> Vec<Effect> {
        let mut effects = vec![record(Record::Said {
            speaker: Speaker::Program,
            lane: Lane::Steer,
            text,
        })];
        effects.extend(self.next_step());
        effects
    }

    /// Ends the turn. One that ended well waits for the hooks, which may let it go on; of any other they are only told.
    pub(in crate::engine::turn) fn end(&mut self, outcome: TurnOutcome) -> Vec<Effect> {
        if !self.watch.turn_end {
            return self.end_now(outcome);
        }
        let (telling, tell) = self.watch.tell(Occasion::TurnEnd(outcome.clone()));
        if outcome != TurnOutcome::Finished {
            let mut effects = self.end_now(outcome);
            effects.push(tell);
            return effects;
        }
        self.phase = Phase::Closing { telling };
        vec![hooked_status(), tell]
    }

    pub(in crate::engine::turn) fn end_now(&mut self, outcome: TurnOutcome) -> Vec<Effect> {
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

    /// The hooks have answered.
    pub(in crate::engine::turn) fn hooked(
        &mut self,
        telling: Telling,
        heard: Heard,
    ) -> Vec<Effect> {
        match &self.phase {
            Phase::Prompting {
                telling: awaited,
                taken,
                step,
            } if *awaited == telling => {
                let (taken, step) = (taken.clone(), *step);
                self.prompted(&taken, step, heard)
            }
            Phase::Closing { telling: awaited } if *awaited == telling => self.closed(heard),
            Phase::Calling { .. } => {
                self.in_batch(|batch, loops| batch.hooked(telling, heard, loops))
            }
            // Told of something that is over: what went wrong is worth a line all the same.
            Phase::Idle => {
                let failed = |effect: &Effect| {
                    matches!(effect, Effect::Record(record) if matches!(&**record,
                        Record::Hooked { note } if matches!(note.deed, HookDeed::Failed { .. })))
                };
                heard.record().into_iter().filter(failed).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Hooks have heard new words.
    fn prompted(&mut self, taken: &[QueuedId], step: Step, heard: Heard) -> Vec<Effect> {
        let mut effects = heard.record();
        if let Some(denied) = heard.denied {
            self.waiting
                .retain(|waiting| !taken.contains(&waiting.queued.id));
            effects.push(self.queue());
            effects.extend(match step {
                Step::First => self.end(TurnOutcome::Stopped {
                    reason: format!(
                        "the hook {} kept the message from the model{}",
                        denied.hook,
                        denied.because()
                    ),
                }),
                Step::Next => self.take_step(&[]),
                Step::Resumed => self.rest(),
            });
            return effects;
        }
        let is_gone = self.words(taken).is_empty();
        effects.extend(match step {
            // Taken back while the hooks were asked.
            Step::First if is_gone => self.end_now(TurnOutcome::Cancelled),
            Step::Resumed if is_gone => self.rest(),
            _ => {
                self.notes
                    .extend(heard.context.iter().map(Words::for_model));
                self.take_step(taken)
            }
        });
        effects
    }

    /// Hooks have heard that the turn would end.
    fn closed(&mut self, heard: Heard) -> Vec<Effect> {
        let mut effects = heard.record();
        self.notes
            .extend(heard.context.iter().map(Words::for_model));
        match heard.denied {
            Some(denied) if self.longer < MOST_LONGER => {
                self.longer += 1;
                effects.extend(self.go_on(format!(
                    "[the hook {} does not let the turn end{}]",
                    denied.hook,
                    denied.because()
                )));
            }
            Some(denied) => effects.extend(self.end_now(TurnOutcome::Stopped {
                reason: format!(
                    "the hook {} did not let the turn end {MOST_LONGER} times",
                    denied.hook
                ),
            })),
            None => effects.extend(self.end_now(TurnOutcome::Finished)),
        }
        effects
    }

    /// Ends the turn as soon as nothing runs any more.
    pub(in crate::engine::turn) fn stop(&mut self, outcome: TurnOutcome) -> Vec<Effect> {
        match &mut self.phase {
            // What they are told of is over; they need not go on.
            Phase::Idle if self.watch.turn_end => vec![Effect::StopHooks],
            Phase::Idle => Vec::new(),
            Phase::Replying { reply, .. } => {
                let reply = reply.clone();
                let mut effects = vec![Effect::DropRequest];
                effects.extend(self.keep_partial(&reply, ReplyEnd::Interrupted));
                effects.extend(self.end(outcome));
                effects
            }
            Phase::Waiting { .. } | Phase::Counting => self.end(outcome),
            Phase::Summarizing { rests } => {
                let rests = *rests;
                let mut effects = self.stop_summary(rests);
                if !rests {
                    effects.extend(self.end(outcome));
                }
                effects
            }
            Phase::Prompting { .. } | Phase::Closing { .. } => {
                let mut effects = vec![Effect::StopHooks];
                effects.extend(self.end(outcome));
                effects
            }
            Phase::Calling { then, .. } => {
                if *then == Then::NextStep {
                    *then = Then::End(outcome);
                }
                self.in_batch(|batch, _| (batch.stop(), After::GoOn))
            }
        }
    }
}

/// What the tree says while hooks are heard.
pub(in crate::engine::turn) fn hooked_status() -> Effect {
    status(AgentStatus::Running {
        tool: "hooks".to_owned(),
    })
}

/// Messages that wait, for the screen.
impl State {
    pub(in crate::engine::turn) fn queued(&self) -> Vec<Queued> {
        self.waiting
            .iter()
            .map(|waiting| waiting.queued.clone())
            .collect()
    }

    pub(in crate::engine::turn) fn queue(&self) -> Effect {
        Effect::Queue(self.queued())
    }
}

#[cfg(test)]
#[path = "steps_tests.rs"]
mod tests;
