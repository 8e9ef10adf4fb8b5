//! Writes the log and tells the front end, in this order: what was shown as done is stored.

use super::super::{event::EventKind, outbox::Outbox};
use crate::{
    domain::{
        ids::{AgentId, SessionId},
        record::{Record, Stored},
    },
    store::{StoreError, StoreHandle},
};

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
        self.outbox
            .send(
                &self.session,
                agent,
                EventKind::Recorded(Box::new(stored.clone())),
            )
            .await;
        Ok(stored)
    }

    /// Stores what has come of a reply so far. Not told: the front end has seen it come.
    pub async fn record_partial(&self, agent: &AgentId, record: Record) -> Result<(), StoreError> {
        self.store.append(&self.session, agent, record).await?;
        Ok(())
    }
}
