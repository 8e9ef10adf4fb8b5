//! Writes the log and tells the front end, in this order: what was shown as done is stored.

use super::super::{event::EventKind, outbox::Outbox};
use crate::{
    domain::{
        ids::{AgentId, SessionId},
        record::{Record, Stored},
    },
    store::{StoreError, StoreHandle},
    text::truncate::floor_boundary,
};

/// Bytes of a record that are told while it is not stored.
const LONGEST_TOLD: usize = 64 * 1_024;

/// The log of one session.
#[derive(Clone, Debug)]
pub struct Recorder {
    session: SessionId,
    store: StoreHandle,
    outbox: Outbox,
}

impl Recorder {
    /// A recorder of a session.
    pub fn new(session: SessionId, store: StoreHandle, outbox: Outbox) -> Self {
        Self {
            session,
            store,
            outbox,
        }
    }

    /// The channel to the front end.
    pub fn outbox(&self) -> &Outbox {
        &self.outbox
    }

    /// Stores a record, then tells it.
    pub async fn record(&self, agent: &AgentId, record: Record) -> Result<Stored, StoreError> {
        let stored = self.store.append(&self.session, agent, record).await?;
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
        self.store.append(&self.session, agent, record).await?;
        Ok(())
    }
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

    /// Stores a record behind all that waits, then tells them.
    pub async fn record(&mut self, record: Record) -> Result<(), StoreError> {
        self.waiting.push(record);
        self.catch_up().await
    }

    /// Stores and tells what waits; all of it, or nothing.
    pub async fn catch_up(&mut self) -> Result<(), StoreError> {
        let records: Vec<(AgentId, Record)> = self
            .waiting
            .iter()
            .map(|record| (self.agent.clone(), record.clone()))
            .collect();
        let recorder = &self.recorder;
        let stored = recorder
            .store
            .append_many(&recorder.session, records)
            .await?;
        self.waiting.clear();
        for stored in stored {
            recorder.tell(stored).await;
        }
        Ok(())
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
