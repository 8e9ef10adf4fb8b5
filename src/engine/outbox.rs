//! The channel from the engine to a front end: ordered, bounded, and merging.
//!
//! Pieces of text that wait are joined to the piece before them, so a slow front end costs no memory beyond the
//! text itself; everything else waits for room. Nothing is lost and order per agent is kept.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::Notify;

use super::event::{Delta, Event, EventKind};
use crate::domain::ids::{AgentId, SessionId};

/// Events that may wait before senders do.
const CAPACITY: usize = 2048;
/// Shown output of a running call is only its tail when a front end does not keep up.
const OUTPUT_BYTES: usize = 256 * 1024;
/// How far back a piece looks for the piece before it.
const LOOK_BACK: usize = 64;

/// The engine's end.
#[derive(Clone, Debug)]
pub struct Outbox {
    shared: Arc<Shared>,
}

/// The front end's end.
#[derive(Debug)]
pub struct Inbox {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    queue: Mutex<Queue>,
    arrived: Notify,
    room: Notify,
}

#[derive(Debug, Default)]
struct Queue {
    events: VecDeque<Event>,
    closed: bool,
    reader_gone: bool,
}

/// A connected pair.
pub fn channel() -> (Outbox, Inbox) {
    let shared = Arc::new(Shared::default());
    (
        Outbox {
            shared: Arc::clone(&shared),
        },
        Inbox { shared },
    )
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Outbox {
    /// Sends an event, waiting for room when 2,048 events wait.
    pub async fn send(&self, session: &SessionId, agent: &AgentId, kind: EventKind) {
        let event = Event {
            session: session.clone(),
            agent: agent.clone(),
            kind,
        };
        loop {
            let room = self.shared.room.notified();
            {
                let mut queue = self.shared.lock();
                if queue.closed || queue.reader_gone {
                    return;
                }
                if queue.events.len() < CAPACITY {
                    queue.events.push_back(event);
                    break;
                }
            }
            room.await;
        }
        self.shared.arrived.notify_one();
    }

    /// Sends a piece of something that is coming; never waits.
    pub fn offer(&self, session: &SessionId, agent: &AgentId, delta: Delta) {
        {
            let mut queue = self.shared.lock();
            if queue.closed || queue.reader_gone {
                return;
            }
            let merged = queue
                .events
                .iter_mut()
                .rev()
                .take(LOOK_BACK)
                .filter(|event| event.agent == *agent)
                .map_while(|event| match &mut event.kind {
                    EventKind::Delta(before) => Some(merge(before, &delta)),
                    _ => None,
                })
                .find(|met| *met != Met::Passes);
            if merged != Some(Met::Joined) {
                queue.events.push_back(Event {
                    session: session.clone(),
                    agent: agent.clone(),
                    kind: EventKind::Delta(delta),
                });
            }
        }
        self.shared.arrived.notify_one();
    }

    /// Ends the channel: what waits is still delivered.
    pub fn close(&self) {
        self.shared.lock().closed = true;
        self.shared.arrived.notify_one();
        self.shared.room.notify_waiters();
    }
}

impl Inbox {
    /// The next event; `None` when the engine has ended.
    pub async fn next(&mut self) -> Option<Event> {
        loop {
            let arrived = self.shared.arrived.notified();
            {
                let mut queue = self.shared.lock();
                if let Some(event) = queue.events.pop_front() {
                    drop(queue);
                    self.shared.room.notify_waiters();
                    return Some(event);
                }
                if queue.closed {
                    return None;
                }
            }
            arrived.await;
        }
    }

    /// An event that waits already.
    pub fn try_next(&mut self) -> Option<Event> {
        let event = self.shared.lock().events.pop_front();
        if event.is_some() {
            self.shared.room.notify_waiters();
        }
        event
    }
}

impl Drop for Inbox {
    fn drop(&mut self) {
        let mut queue = self.shared.lock();
        queue.reader_gone = true;
        queue.events.clear();
        drop(queue);
        self.shared.room.notify_waiters();
    }
}

/// What a piece does with a piece before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Met {
    /// They are one now.
    Joined,
    /// They belong to different things and may change places.
    Passes,
    /// Their order matters.
    Stays,
}

fn merge(before: &mut Delta, next: &Delta) -> Met {
    match (before, next) {
        (Delta::Text(a), Delta::Text(b)) | (Delta::Reasoning(a), Delta::Reasoning(b)) => {
            a.push_str(b);
            Met::Joined
        }
        (
            Delta::Output { call: a, text },
            Delta::Output {
                call: b,
                text: more,
            },
        ) if a == b => {
            text.push_str(more);
            if text.len() > OUTPUT_BYTES {
                let mut start = text.len() - OUTPUT_BYTES / 2;
                while !text.is_char_boundary(start) {
                    start += 1;
                }
                text.drain(..start);
            }
            Met::Joined
        }
        (
            Delta::CallDraft { slot, bytes, .. },
            Delta::CallDraft {
                slot: next_slot,
                bytes: next_bytes,
                ..
            },
        ) if slot == next_slot => {
            *bytes = *next_bytes;
            Met::Joined
        }
        // Two calls at work tell their output in turns.
        (Delta::Output { .. }, Delta::Output { .. }) => Met::Passes,
        _ => Met::Stays,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{ids::CallId, notice::Notice};

    fn text(text: &str) -> Delta {
        Delta::Text(text.to_owned())
    }

    fn drain(inbox: &mut Inbox) -> Vec<(String, EventKind)> {
        std::iter::from_fn(|| inbox.try_next())
            .map(|event| (event.agent.to_string(), event.kind))
            .collect()
    }

    #[tokio::test]
    async fn waiting_pieces_are_joined_and_never_pass_another_event() {
        let (outbox, mut inbox) = channel();
        let session = SessionId::new("s");
        let (a, b) = (AgentId::new("a"), AgentId::new("b"));
        let notice = EventKind::Notice(Notice::info("n"));

        outbox.offer(&session, &a, text("one "));
        outbox.offer(&session, &b, text("other"));
        outbox.offer(&session, &a, text("two"));
        outbox.send(&session, &a, notice.clone()).await;
        outbox.offer(&session, &a, text("three"));

        assert_eq!(
            drain(&mut inbox),
            [
                ("a".to_owned(), EventKind::Delta(text("one two"))),
                ("b".to_owned(), EventKind::Delta(text("other"))),
                ("a".to_owned(), notice),
                ("a".to_owned(), EventKind::Delta(text("three"))),
            ]
        );
    }

    #[tokio::test]
    async fn outputs_of_calls_that_run_side_by_side_are_joined_and_bounded() {
        let (outbox, mut inbox) = channel();
        let (session, agent) = (SessionId::new("s"), AgentId::main());
        let output = |call: &str, text: String| Delta::Output {
            call: CallId::new(call),
            text,
        };
        outbox.offer(&session, &agent, text("before"));

        for number in 0..2000 {
            outbox.offer(&session, &agent, output("a", format!("{number:0512}\n")));
            outbox.offer(&session, &agent, output("b", format!("{number}\n")));
        }
        outbox.offer(&session, &agent, text("after"));

        let told: Vec<Delta> = drain(&mut inbox)
            .into_iter()
            .filter_map(|(_, kind)| match kind {
                EventKind::Delta(delta) => Some(delta),
                _ => None,
            })
            .collect();
        let b: String = (0..2000).map(|number| format!("{number}\n")).collect();
        assert_eq!(told.len(), 4);
        assert_eq!(told[0], text("before"));
        assert!(matches!(
            &told[1],
            Delta::Output { call, text } if call.as_str() == "a" && text.len() <= OUTPUT_BYTES && text.ends_with("1999\n")
        ));
        assert_eq!(told[2], output("b", b));
        assert_eq!(told[3], text("after"));
    }

    #[tokio::test]
    async fn a_full_channel_makes_senders_wait_and_loses_nothing() {
        let (outbox, mut inbox) = channel();
        let session = SessionId::new("s");
        let agent = AgentId::main();
        let sender = tokio::spawn(async move {
            for number in 0..CAPACITY * 2 {
                outbox
                    .send(
                        &session,
                        &agent,
                        EventKind::Notice(Notice::info(number.to_string())),
                    )
                    .await;
            }
            outbox.close();
        });

        let mut count = 0;
        while let Some(event) = inbox.next().await {
            assert_eq!(
                event.kind,
                EventKind::Notice(Notice::info(count.to_string()))
            );
            count += 1;
        }

        sender.await.expect("the sender ends");
        assert_eq!(count, CAPACITY * 2);
    }

    #[tokio::test]
    async fn a_reader_that_is_gone_blocks_nobody() {
        let (outbox, inbox) = channel();
        drop(inbox);

        for _ in 0..CAPACITY + 10 {
            outbox
                .send(&SessionId::new("s"), &AgentId::main(), EventKind::Stopped)
                .await;
        }
    }
}
