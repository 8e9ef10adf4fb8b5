//! How making room takes its place among the steps of a turn: a part of the turn machine.

use crate::{
    domain::{agent::AgentStatus, notice::Severity},
    engine::turn::{
        effect::Effect,
        state::{Phase, State, stage, status},
    },
    providers::error::{Fault, ProviderError},
};

/// What a turn knows of the room in its window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Room {
    /// Whether the agent writes the summary itself, in steps of its own.
    pub is_checkpoint: bool,
    /// Whether room was made since the last whole reply: once helps, twice would not.
    pub was_made: bool,
    /// Whether the person lets room be made without being asked.
    pub may_be_made: bool,
}

/// What is to be done about the room in the window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RoomEffect {
    /// Make room before the next request, as the person wants it.
    Want(String),
    /// Have the model write a summary, then report `Summarized`.
    Summarize(String),
    /// No summary is needed any more.
    Stop,
    /// Put the summary in place of what was said, or what the program can make of it when there is none.
    Install(Result<String, String>),
}

impl State {
    /// Whether room may be made when the provider says that the window is full.
    pub fn let_room_be_made(&mut self, may_be_made: bool) {
        self.room.may_be_made = may_be_made;
    }

    /// The agent writes its summary from now on, or no longer.
    pub fn set_checkpoint(&mut self, is_checkpoint: bool) {
        self.room.is_checkpoint = is_checkpoint;
    }

    /// Whether the model writes a summary.
    pub fn is_summarizing(&self) -> bool {
        matches!(self.phase, Phase::Summarizing { .. })
    }

    /// The person wants room: at once when the agent rests, else before its next request.
    pub(in crate::engine::turn) fn room_asked(&mut self, focus: String) -> Vec<Effect> {
        match self.phase {
            Phase::Idle => self.summarize(focus, true),
            _ if self.room.is_checkpoint || self.is_summarizing() => {
                vec![stage(Severity::Info, "room is being made already")]
            }
            _ => vec![Effect::Room(RoomEffect::Want(focus))],
        }
    }

    /// The request that was due waits for a summary.
    pub(in crate::engine::turn) fn room_wanted(&mut self, focus: String) -> Vec<Effect> {
        match &self.phase {
            Phase::Replying { reply, .. } if reply.is_empty() => self.summarize(focus, false),
            _ => Vec::new(),
        }
    }

    /// A checkpoint ended without a summary: the model is asked for one.
    pub(in crate::engine::turn) fn checkpoint_failed(&mut self) -> Vec<Effect> {
        self.summarize(String::new(), false)
    }

    /// The provider says that the window is full.
    pub(in crate::engine::turn) fn window_is_full(
        &mut self,
        error: &ProviderError,
    ) -> Option<Vec<Effect>> {
        if error.fault != Fault::WindowFull || self.room.was_made || !self.room.may_be_made {
            return None;
        }
        let mut effects = vec![stage(
            Severity::Warning,
            format!("{}: room is being made", error.message),
        )];
        effects.extend(self.summarize(String::new(), false));
        Some(effects)
    }

    fn summarize(&mut self, focus: String, rests: bool) -> Vec<Effect> {
        self.room.is_checkpoint = false;
        self.room.was_made = true;
        self.phase = Phase::Summarizing { rests };
        vec![
            status(AgentStatus::Compacting),
            Effect::Room(RoomEffect::Summarize(focus)),
        ]
    }

    /// The summary is there, or not to be had.
    pub(in crate::engine::turn) fn summarized(
        &mut self,
        summary: Result<String, String>,
    ) -> Vec<Effect> {
        let Phase::Summarizing { rests } = self.phase else {
            return Vec::new();
        };
        let mut effects = vec![Effect::Room(RoomEffect::Install(summary))];
        if !rests {
            effects.extend(self.request(1));
            return effects;
        }
        self.phase = Phase::Idle;
        self.room.was_made = false;
        effects.push(status(AgentStatus::Done));
        if !self.waiting.is_empty() {
            effects.extend(self.begin_turn(true));
        }
        effects
    }

    /// The person wants no summary any more.
    pub(in crate::engine::turn) fn stop_summary(&mut self, rests: bool) -> Vec<Effect> {
        self.phase = Phase::Idle;
        let mut effects = vec![Effect::Room(RoomEffect::Stop)];
        if rests {
            effects.push(status(AgentStatus::Done));
        }
        effects
    }
}

#[cfg(test)]
#[path = "machine_tests.rs"]
mod tests;
