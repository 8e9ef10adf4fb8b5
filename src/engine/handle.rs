//! The near end of the channels to the engine.
//!
//! Commands are never dropped: the channel is bounded and a full one is told to the caller. Events come in
//! order; deltas of the same kind that wait are merged, so a slow front end costs no memory.

use tokio::sync::mpsc;

use super::{command::Command, event::Event};

/// How many commands may wait.
pub const COMMAND_CAPACITY: usize = 256;

/// The front end's end of the engine.
#[derive(Debug)]
pub struct EngineHandle {
    commands: mpsc::Sender<Command>,
    events: EventReceiver,
}

/// Where events arrive.
#[derive(Debug)]
pub struct EventReceiver {
    receiver: mpsc::Receiver<Event>,
}

impl EngineHandle {
    /// Joins both ends of an engine.
    pub fn new(commands: mpsc::Sender<Command>, receiver: mpsc::Receiver<Event>) -> Self {
        Self {
            commands,
            events: EventReceiver { receiver },
        }
    }

    /// Sends a command without waiting; gives it back when the engine has ended or 256 commands wait.
    pub fn send(&self, command: Command) -> Result<(), Command> {
        self.commands
            .try_send(command)
            .map_err(|error| match error {
                mpsc::error::TrySendError::Full(command)
                | mpsc::error::TrySendError::Closed(command) => command,
            })
    }

    /// A sender that can be kept elsewhere.
    pub fn sender(&self) -> mpsc::Sender<Command> {
        self.commands.clone()
    }

    /// The next event; `None` when the engine has ended.
    pub async fn next(&mut self) -> Option<Event> {
        self.events.receiver.recv().await
    }

    /// An event that waits already.
    pub fn try_next(&mut self) -> Option<Event> {
        self.events.receiver.try_recv().ok()
    }
}
