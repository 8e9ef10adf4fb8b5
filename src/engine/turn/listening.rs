//! How a reply comes and ends: the part of the turn machine that listens to the stream.

use std::collections::HashSet;

use super::{
    batch::Batch,
    effect::Effect,
    reply::Reply,
    state::{Phase, State, Then, record, stage, status},
};
use crate::{
    domain::{
        agent::AgentStatus,
        ids::CallId,
        notice::Severity,
        record::{Record, ReplyEnd, TurnOutcome},
    },
    engine::event::Delta,
    providers::{
        contract::{FinishReason, StreamEvent},
        error::{Fault, ProviderError},
        retry::RetryPolicy,
    },
};

/// Replies cut by the output limit in a row before the turn ends.
const CUT_REPLIES: u32 = 3;
/// What to do when the window is full.
const WINDOW_ADVICE: &str = "make room with /compact, or use a model with a larger window";

impl State {
    pub(super) fn accepted(&self) -> Vec<Effect> {
        match self.phase {
            Phase::Replying { .. } => vec![Effect::Delta(Delta::ReplyStarted)],
            _ => Vec::new(),
        }
    }

    pub(super) fn streamed(&mut self, event: StreamEvent) -> Vec<Effect> {
        let Phase::Replying { reply, .. } = &mut self.phase else {
            return Vec::new();
        };
        let mut effects = Vec::new();
        let slot = match &event {
            StreamEvent::Text(text) => {
                effects.push(Effect::Delta(Delta::Text(text.clone())));
                None
            }
            StreamEvent::Reasoning(text) => {
                effects.push(Effect::Delta(Delta::Reasoning(text.clone())));
                None
            }
            StreamEvent::CallStarted { slot, .. } | StreamEvent::CallArguments { slot, .. } => {
                Some(*slot)
            }
            _ => None,
        };
        reply.push(event);
        if let Some((slot, (name, bytes))) = slot.and_then(|slot| Some((slot, reply.draft(slot)?)))
        {
            effects.push(Effect::Delta(Delta::CallDraft {
                slot,
                name: name.to_owned(),
                bytes,
            }));
        }
        if let Some(reason) = reply.runaway.clone() {
            let reply = reply.clone();
            effects.push(Effect::DropRequest);
            effects.extend(self.keep_partial(&reply, ReplyEnd::Interrupted));
            effects.extend(self.end(TurnOutcome::Stopped { reason }));
        }
        effects
    }

    pub(super) fn stream_ended(&mut self) -> Vec<Effect> {
        let Phase::Replying { reply, .. } = &self.phase else {
            return Vec::new();
        };
        match reply.finish {
            Some(reason) => self.reply_complete(reason),
            None => self.stream_failed(&ProviderError::new(
                Fault::CutOff,
                "the connection ended before the reply did",
            )),
        }
    }

    pub(super) fn stream_failed(&mut self, error: &ProviderError) -> Vec<Effect> {
        let Phase::Replying { attempt, reply } = &self.phase else {
            return Vec::new();
        };
        if let Some(reason) = reply.finish {
            // The end marker had come: what broke afterwards carries nothing.
            return self.reply_complete(reason);
        }
        let (attempt, reply) = (*attempt, reply.clone());
        if reply.is_empty()
            && let Some(effects) = self.window_is_full(error)
        {
            return effects;
        }
        // Asking again with the same conversation would fail again: only less of it helps.
        let reason = match error.fault {
            Fault::WindowFull => format!("{}; {WINDOW_ADVICE}", error.message),
            _ => error.message.clone(),
        };
        if reply.is_empty() && RetryPolicy::default().wait(attempt, error, 0.0).is_some() {
            self.phase = Phase::Waiting {
                attempt: attempt + 1,
            };
            return vec![
                status(AgentStatus::Retrying),
                Effect::Wait {
                    tries: attempt,
                    error: error.clone(),
                },
            ];
        }
        let end = if error.fault == Fault::CutOff {
            ReplyEnd::CutOff
        } else {
            ReplyEnd::Failed {
                reason: reason.clone(),
            }
        };
        let mut effects = self.keep_partial(&reply, end);
        effects.extend(self.end(TurnOutcome::Failed { reason }));
        effects
    }

    pub(super) fn wait_elapsed(&mut self) -> Vec<Effect> {
        match self.phase {
            Phase::Waiting { attempt } => self.request(attempt),
            _ => Vec::new(),
        }
    }

    pub(super) fn reply_complete(&mut self, reason: FinishReason) -> Vec<Effect> {
        let Phase::Replying { reply, .. } = std::mem::replace(&mut self.phase, Phase::Counting)
        else {
            return Vec::new();
        };
        match reason {
            FinishReason::OutputLimit | FinishReason::Refused if self.room.is_checkpoint => {
                let mut effects = self.keep_partial(&reply, ReplyEnd::OutputLimit);
                effects.extend(self.checkpoint_failed());
                effects
            }
            FinishReason::OutputLimit => self.reply_cut(&reply),
            FinishReason::Refused => {
                let mut effects = self.keep_partial(&reply, ReplyEnd::Refused);
                effects.push(stage(
                    Severity::Warning,
                    "the provider refused to go on with this reply",
                ));
                effects.extend(self.end(TurnOutcome::Finished));
                effects
            }
            FinishReason::Stop | FinishReason::ToolCalls => self.reply_whole(&reply),
        }
    }

    pub(super) fn reply_whole(&mut self, reply: &Reply) -> Vec<Effect> {
        self.cut_in_a_row = 0;
        let known = &mut self.known_calls;
        let message = reply.message(&self.backend, true, |id| fresh_id(known, id));
        let calls: Vec<_> = message.calls().cloned().collect();
        let is_empty = message.blocks.is_empty();
        let mut effects = vec![record(Record::Reply {
            message,
            end: if calls.is_empty() {
                ReplyEnd::Complete
            } else {
                ReplyEnd::ToolCalls
            },
            usage: reply.usage,
        })];
        if calls.is_empty() {
            if is_empty {
                effects.push(stage(Severity::Warning, "the model sent an empty reply"));
            }
            if self.room.is_checkpoint {
                effects.extend(self.checkpoint_failed());
                return effects;
            }
            self.room.was_made = false;
            effects.extend(self.rest());
            return effects;
        }
        self.nudges.called();
        self.room.was_made &= self.room.is_checkpoint;
        let (batch, judge) = Batch::start(calls, self.watch);
        self.watch = batch.watch;
        effects.push(batch.status());
        self.phase = Phase::Calling {
            batch,
            then: Then::NextStep,
        };
        effects.extend(judge);
        effects
    }

    /// The output limit was reached. Words stay; a call that was cut never runs and the model is told.
    pub(super) fn reply_cut(&mut self, reply: &Reply) -> Vec<Effect> {
        let mut effects = self.keep_partial(reply, ReplyEnd::OutputLimit);
        if !reply.has_calls() {
            effects.push(stage(
                Severity::Warning,
                "the reply reached the output limit and was cut",
            ));
            effects.extend(self.end(TurnOutcome::Finished));
            return effects;
        }
        self.cut_in_a_row += 1;
        let tools = reply.called().join(", ");
        if self.cut_in_a_row >= CUT_REPLIES {
            effects.extend(self.end(TurnOutcome::Stopped {
                reason: format!("{CUT_REPLIES} replies in a row were cut by the output limit inside a call ({tools})"),
            }));
            return effects;
        }
        effects.push(stage(
            Severity::Warning,
            format!(
                "the reply was cut by the output limit inside a call ({tools}); nothing was run"
            ),
        ));
        self.notes.push(format!(
            "[your reply was cut by the output limit before the call to {tools} was complete; it was not run. Make the \
             call again with less content, for example in several smaller steps]"
        ));
        effects.extend(self.next_step());
        effects
    }

    /// Records words that came before a reply broke off. Its calls are left out: they never run.
    pub(super) fn keep_partial(&mut self, reply: &Reply, end: ReplyEnd) -> Vec<Effect> {
        let known = &mut self.known_calls;
        let message = reply.message(&self.backend, false, |id| fresh_id(known, id));
        if message.blocks.is_empty() && !reply.has_calls() {
            return Vec::new();
        }
        vec![record(Record::Reply {
            message,
            end,
            usage: reply.usage,
        })]
    }
}

/// The wire's id when it is usable and not in use yet, else one of ours. The ids of calls that a running call makes have
/// a slash behind that call's own: no other one has.
fn fresh_id(known: &mut HashSet<CallId>, id: &str) -> CallId {
    let usable = !id.is_empty()
        && id.len() <= 128
        && id
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && byte != b'/');
    let mut candidate = CallId::new(if usable { id } else { "call_1" });
    let mut number = known.len() + 1;
    while !known.insert(candidate.clone()) {
        candidate = CallId::new(format!("call_{number}"));
        number += 1;
    }
    candidate
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_of_the_model_has_no_id_of_one_that_code_makes() {
        let mut known = HashSet::new();

        let ids = ["a", "a/1", "a"].map(|id| fresh_id(&mut known, id));

        assert_eq!(ids[0].as_str(), "a");
        assert!(ids.iter().all(|id| !id.as_str().contains('/')), "{ids:?}");
    }
}
