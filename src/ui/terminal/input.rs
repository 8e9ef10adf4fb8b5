//! Where the terminal's bytes arrive: first its answers, then its events. There is one reader at a time.

use std::io;

use crossterm::event::{Event, EventStream};
use futures::{FutureExt, StreamExt};
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
    /// Events come.
    Events(EventStream),
    /// Somebody else reads: the person's editor.
    Away,
}

impl Input {
    /// Asks the terminal in the background.
    pub fn ask() -> Self {
        Self::Asking(tokio::task::spawn_blocking(capabilities::ask))
    }

    /// Waits for something.
    pub async fn next(&mut self) -> Arrived {
        match self {
            Self::Asking(answers) => {
                let answers = answers.await.unwrap_or_default();
                *self = Self::Events(EventStream::new());
                Arrived::Answers(answers)
            }
            Self::Events(stream) => loop {
                match stream.next().await {
                    Some(Ok(event)) if events::matters(&event) => {
                        return Arrived::Messages(burst(stream, event));
                    }
                    Some(Ok(_)) => {}
                    Some(Err(error)) if error.kind() == io::ErrorKind::Interrupted => {}
                    Some(Err(_)) | None => return Arrived::Closed,
                }
            },
            Self::Away => std::future::pending().await,
        }
    }

    /// What waits already.
    pub fn waiting(&mut self) -> Vec<Message> {
        let Self::Events(stream) = self else {
            return Vec::new();
        };
        match stream.next().now_or_never() {
            Some(Some(Ok(event))) => burst(stream, event),
            _ => Vec::new(),
        }
    }
}

/// An event and everything that came with it.
fn burst(stream: &mut EventStream, first: Event) -> Vec<Message> {
    let mut all = vec![first];
    while all.len() < BATCH
        && let Some(Some(Ok(event))) = stream.next().now_or_never()
    {
        all.push(event);
    }
    events::messages(all)
}
