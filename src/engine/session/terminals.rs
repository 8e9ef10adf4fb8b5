//! Commands of the session that have a terminal: what the person types goes to the one that is meant.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use tokio::sync::mpsc;

use crate::{
    domain::{
        ids::{AgentId, CallId},
        terminal::{TerminalInput, TerminalSize},
    },
    process::terminal::Keyboard,
};

type Way = mpsc::Sender<TerminalInput>;

/// The terminals.
#[derive(Debug, Default)]
pub struct Terminals(Mutex<Open>);

#[derive(Debug, Default)]
struct Open {
    ways: BTreeMap<(AgentId, CallId), Way>,
    /// How large the last one was: the next one is shown in the same place.
    size: TerminalSize,
}

impl Terminals {
    fn lock(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The keyboard of a call.
    pub fn open(&self, agent: &AgentId, call: &CallId) -> Keyboard {
        let (way, keyboard) = Keyboard::new();
        let mut open = self.lock();
        open.ways.retain(|_, way| !way.is_closed());
        // There is room: nothing was sent before.
        let _ = way.try_send(TerminalInput::Size(open.size));
        open.ways.insert((agent.clone(), call.clone()), way);
        keyboard
    }

    /// Passes on what comes from the person. Whether there was room for it; what has ended takes everything.
    pub fn pass_on(&self, agent: &AgentId, call: &CallId, input: TerminalInput) -> bool {
        let mut open = self.lock();
        if let TerminalInput::Size(size) = input {
            open.size = size;
        }
        let way = open.ways.get(&(agent.clone(), call.clone()));
        let sent = way.map_or(Ok(()), |way| way.try_send(input));
        !matches!(sent, Err(mpsc::error::TrySendError::Full(_)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::terminal::Typed;

    #[test]
    fn what_a_program_does_not_take_is_refused_and_what_has_ended_takes_everything() {
        let terminals = Terminals::default();
        let (agent, call) = (AgentId::main(), CallId::new("c"));
        let type_it = || terminals.pass_on(&agent, &call, TerminalInput::Typed(Typed::new("a")));
        assert!(type_it());

        let keyboard = terminals.open(&agent, &call);
        let taken = (0..10_000).take_while(|_| type_it()).count();

        assert!((1..10_000).contains(&taken));
        drop(keyboard);
        assert!(type_it());
    }
}
