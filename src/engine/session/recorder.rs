//! Writes the log and tells the front end, in this order: what was shown as done is stored.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{
    super::{event::EventKind, outbox::Outbox},
    ledger::{self, Ledger, PastAgent},
};
use crate::{
    domain::{
        ids::{AgentId, Sequence, SessionId},
        record::{Record, Stored},
    },
    store::{StoreError, StoreHandle, StoredLedger},
    text::truncate::floor_boundary,
};

/// Bytes of a record that are told while it is not stored.
const LONGEST_TOLD: usize = 64 * 1_024;

/// Records after which the ledger is stored again: what a start reads of the log is never much more.
const LEDGER_EVERY: u64 = 500;
/// Records that wait for one before them. Another program may have taken its number: then it never comes.
const PATIENCE: usize = 64;

/// The log of one session.
#[derive(Clone, Debug)]
pub struct Recorder {
    session: SessionId,
    store: StoreHandle,
    outbox: Outbox,
    book: Arc<Mutex<Book>>,
}

/// What the log says, and what of it is stored.
#[derive(Debug, Default)]
struct Book {
    ledger: Ledger,
    /// Records whose turn has not come: agents store at the same time, and the ledger takes the log's order.
    early: BTreeMap<Sequence, Stored>,
    saved: Sequence,
}

impl Book {
    /// Takes records; returns the ledger when it is to be stored.
    fn take(&mut self, records: &[Stored]) -> Option<Ledger> {
        let early = records
            .iter()
            .map(|stored| (stored.sequence, stored.clone()));
        self.early.extend(early);
        while let Some(next) = self.early.first_entry() {
            let is_next = next.key().0 <= self.ledger.through.0 + 1;
            if !is_next && self.early.len() < PATIENCE {
                break;
            }
            if let Some((_, stored)) = self.early.pop_first() {
                self.ledger.take(&stored);
            }
        }
        if self.ledger.through.0 < self.saved.0 + LEDGER_EVERY {
            return None;
        }
        self.saved = self.ledger.through;
        Some(self.ledger.clone())
    }
}

impl Recorder {
    /// A recorder of a session of which the log says this so far.
    pub fn new(session: SessionId, store: StoreHandle, outbox: Outbox, ledger: Ledger) -> Self {
        let book = Book {
            saved: ledger.through,
            ledger,
            early: BTreeMap::new(),
        };
        Self {
            session,
            store,
            outbox,
            book: Arc::new(Mutex::new(book)),
        }
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the log says of an agent; `None` when it says nothing.
    pub fn past(&self, agent: &AgentId) -> Option<PastAgent> {
        self.book().ledger.agents.get(agent).cloned()
    }

    /// Appends records and keeps the ledger in step.
    async fn append(&self, records: Vec<(AgentId, Record)>) -> Result<Vec<Stored>, StoreError> {
        let stored = self.store.append_many(&self.session, records).await?;
        let due = self.book().take(&stored);
        if let Some(ledger) = due {
            save(&self.store, &self.session, &ledger).await;
        }
        Ok(stored)
    }

    /// The channel to the front end.
    pub fn outbox(&self) -> &Outbox {
        &self.outbox
    }

    /// Stores a record, then tells it.
    pub async fn record(&self, agent: &AgentId, record: Record) -> Result<Stored, StoreError> {
        let mut stored = self.append(vec![(agent.clone(), record)]).await?;
        let stored = stored
            .pop()
            .ok_or_else(|| StoreError::Failed("a record was lost on its way".to_owned()))?;
        self.tell(stored.clone()).await;
        Ok(stored)
    }

    async fn tell(&self, stored: Stored) {
        let agent = stored.agent.clone();
        let kind = EventKind::Recorded(Box::new(stored));
        self.outbox.send(&self.session, &agent, kind).await;
    }

    /// Stores what has come of a reply so far. Not told: the front end has seen it come.
    pub async fn record_partial(&self, agent: &AgentId, record: Record) -> Result<(), StoreError> {
        self.append(vec![(agent.clone(), record)]).await?;
        Ok(())
    }
}

/// Stores a ledger. Nothing is lost where that fails: it is derived.
pub async fn save(store: &StoreHandle, session: &SessionId, ledger: &Ledger) {
    let body = match serde_json::to_string(ledger) {
        Ok(body) => body,
        Err(error) => return tracing::warn!(%error, "what the log says has no form"),
    };
    let stored = StoredLedger {
        sequence: ledger.through,
        version: ledger::VERSION,
        body,
    };
    if let Err(error) = store.save_ledger(session, stored).await {
        tracing::debug!(%error, "what the log says is not stored");
    }
}

/// What the log of a session says, and the records after what was stored of it; both are read again on a start.
pub async fn read(store: &StoreHandle, session: &SessionId) -> Result<Ledger, StoreError> {
    let stored = store.ledger(session, ledger::VERSION).await?;
    let known = stored.and_then(|stored| serde_json::from_str::<Ledger>(&stored.body).ok());
    let mut ledger = known.unwrap_or_default();
    let from = ledger.through;
    for stored in store.records_after(session, from).await? {
        ledger.take(&stored);
    }
    if ledger.through.0 >= from.0 + LEDGER_EVERY {
        save(store, session, &ledger).await;
    }
    Ok(ledger)
}

/// The records of one agent. What cannot be stored waits, and is stored before anything that comes later.
#[derive(Debug)]
pub struct AgentLog {
    recorder: Recorder,
    agent: AgentId,
    waiting: Vec<Record>,
    /// Whether it was told that something is not stored.
    was_behind: bool,
}

impl AgentLog {
    /// The log of an agent.
    pub fn new(recorder: Recorder, agent: AgentId) -> Self {
        Self {
            recorder,
            agent,
            waiting: Vec::new(),
            was_behind: false,
        }
    }

    /// Stores a record behind all that waits, then tells them; says where it stands.
    pub async fn record(&mut self, record: Record) -> Result<Option<Sequence>, StoreError> {
        self.waiting.push(record);
        self.catch_up().await
    }

    /// Stores and tells what waits, all of it, or nothing; says where the last of it stands.
    pub async fn catch_up(&mut self) -> Result<Option<Sequence>, StoreError> {
        let records: Vec<(AgentId, Record)> = self
            .waiting
            .iter()
            .map(|record| (self.agent.clone(), record.clone()))
            .collect();
        let recorder = &self.recorder;
        let stored = recorder.append(records).await?;
        self.waiting.clear();
        let last = stored.last().map(|stored| stored.sequence);
        for stored in stored {
            recorder.tell(stored).await;
        }
        Ok(last)
    }

    /// What is not stored, as a person reads it, the oldest first; `None` while all is and nothing else was said.
    pub fn unstored_to_tell(&mut self) -> Option<Vec<String>> {
        let is_behind = self.is_behind();
        if !std::mem::replace(&mut self.was_behind, is_behind) && !is_behind {
            return None;
        }
        let mut told: Vec<String> = self.waiting.iter().filter_map(told).collect();
        if told.is_empty() && is_behind {
            told.push("what was decided, and how the turn ended".to_owned());
        }
        Some(told)
    }

    /// Whether something is not stored.
    pub fn is_behind(&self) -> bool {
        !self.waiting.is_empty()
    }
}

/// What a record holds that somebody said or that was found out.
fn told(record: &Record) -> Option<String> {
    let text = match record {
        Record::Said { text, .. } => text.clone(),
        Record::Reply { message, .. } => message.text(),
        Record::Result { result } => result.text.clone(),
        _ => return None,
    };
    let end = floor_boundary(&text, LONGEST_TOLD.min(text.len()));
    let text = text.get(..end).unwrap_or_default().trim();
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::record::{Lane, Speaker};

    fn said(at: u64) -> Stored {
        Stored {
            sequence: Sequence(at),
            at_ms: 0,
            agent: AgentId::new(if at.is_multiple_of(2) {
                "main"
            } else {
                "child"
            }),
            record: Record::Said {
                speaker: Speaker::Person,
                lane: Lane::Steer,
                text: String::new(),
            },
        }
    }

    #[test]
    fn records_that_come_early_wait_for_those_before_them() {
        let mut book = Book::default();

        book.take(&[said(2), said(3)]);
        let early = book.ledger.through;
        book.take(&[said(1)]);

        assert_eq!((early, book.ledger.through), (Sequence(0), Sequence(3)));
        let ordered = Ledger::fold(&[said(1), said(2), said(3)]);
        assert_eq!(book.ledger, ordered);
    }

    #[test]
    fn a_number_that_another_program_took_is_waited_for_only_so_long() {
        let mut book = Book::default();
        let later: Vec<Stored> = (2..2 + PATIENCE as u64).map(said).collect();

        book.take(&later[..PATIENCE - 1]);
        let waiting = book.ledger.through;
        book.take(&later[PATIENCE - 1..]);

        let last = later.last().map(|stored| stored.sequence);
        assert_eq!((waiting, Some(book.ledger.through)), (Sequence(0), last));
        assert!(book.early.is_empty());
    }

    #[test]
    fn the_ledger_is_due_every_so_many_records() {
        let mut book = Book::default();
        let due = (1..=2 * LEDGER_EVERY).filter(|at| book.take(&[said(*at)]).is_some());

        assert_eq!(due.collect::<Vec<_>>(), [LEDGER_EVERY, 2 * LEDGER_EVERY]);
    }
}
