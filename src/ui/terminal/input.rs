//! Where the terminal's bytes arrive: first its answers, then its events. There is one reader at a time.

use std::io;

use crossterm::event::{Event, EventStream};
use futures::{StreamExt, stream::ReadyChunks};
use tokio::task::JoinHandle;

use super::{Capabilities, capabilities, events};
use crate::ui::Message;

/// So many events are taken at once.
const BATCH: usize = 4_096;

/// Something from the terminal.
#[derive(Debug)]
pub enum Arrived {
    /// What it answered when it was asked.
    Answers(Capabilities),
    /// What the person did.
    Messages(Vec<Message>),
    /// It is gone.
    Closed,
}

/// The reader.
#[derive(Debug)]
pub enum Input {
    /// The terminal is being asked.
    Asking(JoinHandle<Capabilities>),
    /// Events come, with everything that came together. Never polled but by the loop itself: the stream remembers
    /// the first waker that found it empty and wakes no other one.
    Events(ReadyChunks<EventStream>),
    /// Somebody else reads: the person's editor.
    Away,
}

impl Input {
    /// Asks the terminal in the background.
    pub fn ask() -> Self {
        Self::Asking(tokio::task::spawn_blocking(capabilities::ask))
    }

    /// Reads events without asking anything.
    pub fn reading() -> Self {
        Self::Events(EventStream::new().ready_chunks(BATCH))
    }

    /// Waits for something.
    pub async fn next(&mut self) -> Arrived {
        match self {
            Self::Asking(answers) => {
                let answers = answers.await.unwrap_or_default();
                *self = Self::reading();
                Arrived::Answers(answers)
            }
            Self::Events(stream) => loop {
                let Some(arrived) = stream.next().await else {
                    return Arrived::Closed;
                };
                match sorted(arrived) {
                    Some(events) if events.iter().any(events::matters) => {
                        return Arrived::Messages(events::messages(events));
                    }
                    Some(_) => {}
                    None => return Arrived::Closed,
                }
            },
            Self::Away => std::future::pending().await,
        }
    }
}

/// The events; `None` when the terminal is gone. Being interrupted by a signal is no event.
fn sorted(arrived: Vec<io::Result<Event>>) -> Option<Vec<Event>> {
    let mut events = Vec::with_capacity(arrived.len());
    for event in arrived {
        match event {
            Ok(event) => events.push(event),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            // What came before is lost with the terminal itself.
            Err(_) => return None,
        }
    }
    Some(events)
}
