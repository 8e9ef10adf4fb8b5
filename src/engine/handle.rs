//! The near end of the channels to the engine.
//!
//! Commands are never dropped silently: the channel is bounded and a full one gives the command back. Events come
//! in order; pieces of text that wait are merged, so a slow front end costs no memory.

use tokio::sync::mpsc;

use super::{command::Command, event::Event, outbox::Inbox};

/// How many commands may wait.
pub const COMMAND_CAPACITY: usize = 256;

/// The front end's end of the engine.
#[derive(Debug)]
pub struct EngineHandle {
    commands: mpsc::Sender<Command>,
    events: Inbox,
}

impl EngineHandle {
    /// Joins both ends of an engine.
    pub fn new(commands: mpsc::Sender<Command>, events: Inbox) -> Self {
        Self { commands, events }
    }

    /// Sends a command without waiting; gives it back when the engine has ended or 256 commands wait.
    pub fn send(&self, command: Command) -> Result<(), Box<Command>> {
        self.commands
            .try_send(command)
            .map_err(|error| match error {
                mpsc::error::TrySendError::Full(command)
                | mpsc::error::TrySendError::Closed(command) => Box::new(command),
            })
    }

    /// A sender that can be kept elsewhere.
    pub fn sender(&self) -> mpsc::Sender<Command> {
        self.commands.clone()
    }

    /// The next event; `None` when the engine has ended.
    pub async fn next(&mut self) -> Option<Event> {
        self.events.next().await
    }

    /// An event that waits already.
    pub fn try_next(&mut self) -> Option<Event> {
        self.events.try_next()
    }
}
