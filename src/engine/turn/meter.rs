//! What a turn amounts to, for its recap row.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use crate::{
    domain::{
        chat::ChatMessage,
        ids::{CallId, TurnId},
        record::TurnRecap,
        tool::{CallStatus, ToolResult},
        usage::Usage,
    },
    tools::registry,
};

/// Counts one turn.
#[derive(Debug, Default)]
pub struct Meter {
    turn: Option<(TurnId, Instant)>,
    recap: TurnRecap,
    is_command: HashMap<CallId, bool>,
    /// Turns ended so far.
    pub turns: u64,
}

impl Meter {
    /// A turn begins.
    pub fn begin(&mut self, turn: TurnId) {
        self.turn = Some((turn, Instant::now()));
        self.recap = TurnRecap::default();
        self.is_command.clear();
    }

    /// The turn ends.
    pub fn end(&mut self) -> Option<(TurnId, TurnRecap)> {
        let (turn, started) = self.turn.take()?;
        self.turns += 1;
        self.recap.elapsed_ms = started.elapsed().max(Duration::from_millis(1)).as_millis() as u64;
        Some((turn, self.recap))
    }

    /// A step has ended.
    pub fn stepped(&mut self, usage: &Usage) {
        self.recap.steps += 1;
        self.recap.usage.add(usage);
    }

    /// A reply came: remembers which of its calls are commands.
    pub fn replied(&mut self, message: &ChatMessage) {
        for call in message.calls() {
            let is_command =
                registry::find(&call.name).is_some_and(|tool| tool.about().subject == "command");
            self.is_command.insert(call.id.clone(), is_command);
        }
    }

    /// A call has ended.
    pub fn answered(&mut self, result: &ToolResult) {
        if result.status == CallStatus::Refused {
            return;
        }
        if self.is_command.get(&result.call).copied().unwrap_or(false) {
            self.recap.commands += 1;
        } else {
            self.recap.tools += 1;
        }
    }
}
