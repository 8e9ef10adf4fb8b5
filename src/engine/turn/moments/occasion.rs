//! What hooks are told of, what came back from all of them together, and which there are. Pure.

use serde_json::Value;

use crate::{
    domain::{
        hook::{Hook, HookEvent, HookNote},
        record::{Record, TurnOutcome},
        tool::{ToolCall, ToolResult},
    },
    engine::turn::{effect::Effect, state::record},
};

/// Names one telling; its answer carries it.
pub type Telling = u64;

/// What hooks are told of.
#[derive(Clone, Debug, PartialEq)]
pub enum Occasion {
    /// A call is about to be judged.
    BeforeCall(ToolCall),
    /// A call has ended by itself, with this result.
    AfterCall(ToolCall, ToolResult),
    /// The model is about to read these words.
    BeforeGeneration(Vec<String>),
    /// A turn ends.
    TurnEnd(TurnOutcome),
}

/// Whose words these are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    /// The hook.
    pub hook: String,
    /// What it was told of.
    pub event: HookEvent,
    /// Its words.
    pub words: String,
}

impl Words {
    /// The words as the end of a sentence; nothing when there are none.
    pub fn because(&self) -> String {
        if self.words.is_empty() {
            String::new()
        } else {
            format!(": {}", self.words)
        }
    }

    /// What the model reads of context.
    pub fn for_model(&self) -> String {
        format!("[context added by the hook {}]\n{}", self.hook, self.words)
    }
}

/// What all hooks together answered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heard {
    /// What each did, in order.
    pub notes: Vec<HookNote>,
    /// It must not happen.
    pub denied: Option<Words>,
    /// The person must be asked.
    pub asks: Option<Words>,
    /// Arguments in the place of the call's, and the hooks that wrote them.
    pub input: Option<(Value, String)>,
    /// An output in the place of the tool's.
    pub output: Option<Words>,
    /// What the model should know beside it.
    pub context: Vec<Words>,
}

impl Heard {
    /// What the log keeps of it.
    pub fn record(&self) -> Vec<Effect> {
        let notes = self.notes.iter().cloned();
        notes.map(|note| record(Record::Hooked { note })).collect()
    }
}

/// Which moments have hooks, and the number of the next telling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Watch {
    /// Before a call.
    pub before_call: bool,
    /// After it.
    pub after_call: bool,
    /// Before the model reads new words.
    pub before_generation: bool,
    /// At the end of a turn.
    pub turn_end: bool,
    last: Telling,
}

impl Watch {
    /// Goes on counting with these hooks.
    pub fn renew(&mut self, hooks: &[Hook]) {
        let has = |wanted: &[HookEvent]| hooks.iter().any(|hook| wanted.contains(&hook.event));
        *self = Self {
            before_call: has(&[HookEvent::PreToolCall, HookEvent::PreAsk]),
            after_call: has(&[HookEvent::PostToolCall, HookEvent::PostAsk]),
            before_generation: has(&[HookEvent::PreGeneration]),
            turn_end: has(&[HookEvent::TurnEnd]),
            last: self.last,
        };
    }

    /// Tells hooks of something; the answer will carry the number.
    pub fn tell(&mut self, occasion: Occasion) -> (Telling, Effect) {
        self.last += 1;
        let telling = self.last;
        let occasion = Box::new(occasion);
        (telling, Effect::TellHooks { telling, occasion })
    }
}
