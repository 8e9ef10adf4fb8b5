//! The part of the handle that is about the logs of sessions.

use super::{
    error::StoreError,
    handle::StoreHandle,
    tables::{
        events::{self, Page},
        ledgers::{self, StoredLedger},
    },
};
use crate::domain::{
    ids::{AgentId, Sequence, SessionId},
    record::{Record, Stored},
};

impl StoreHandle {
    /// Appends a record and says where it stands.
    pub async fn append(
        &self,
        session: &SessionId,
        agent: &AgentId,
        record: Record,
    ) -> Result<Stored, StoreError> {
        let mut stored = self
            .append_many(session, vec![(agent.clone(), record)])
            .await?;
        stored
            .pop()
            .ok_or_else(|| StoreError::Failed("a record was lost on its way".to_owned()))
    }

    /// Appends records in one transaction: all or none.
    pub async fn append_many(
        &self,
        session: &SessionId,
        records: Vec<(AgentId, Record)>,
    ) -> Result<Vec<Stored>, StoreError> {
        let session = session.clone();
        let stored = self
            .call(move |worker| events::append(worker, &session, records))
            .await?;
        let named = stored.iter().flat_map(|stored| stored.record.artifacts());
        self.kept.publishing.recorded(named);
        Ok(stored)
    }

    /// The latest `limit` records before `before`, oldest first; without it, of the whole log.
    pub async fn records(
        &self,
        session: &SessionId,
        before: Option<Sequence>,
        limit: usize,
    ) -> Result<Page, StoreError> {
        let session = session.clone();
        self.call(move |worker| events::page(worker, &session, before, limit))
            .await
    }

    /// The whole log, oldest first.
    pub async fn all_records(&self, session: &SessionId) -> Result<Vec<Stored>, StoreError> {
        let session = session.clone();
        self.call(move |worker| events::all(worker, &session)).await
    }

    /// What came after this record, oldest first.
    pub async fn records_after(
        &self,
        session: &SessionId,
        after: Sequence,
    ) -> Result<Vec<Stored>, StoreError> {
        let session = session.clone();
        self.call(move |worker| events::after(worker, &session, after))
            .await
    }

    /// What an agent's log holds from this record on, oldest first.
    pub async fn agent_records(
        &self,
        session: &SessionId,
        agent: &AgentId,
        from: Sequence,
    ) -> Result<Vec<Stored>, StoreError> {
        let (session, agent) = (session.clone(), agent.clone());
        self.call(move |worker| events::of_agent(worker, &session, &agent, from))
            .await
    }

    /// These records, oldest first; those that are not there are left out.
    pub async fn records_at(
        &self,
        session: &SessionId,
        at: Vec<Sequence>,
    ) -> Result<Vec<Stored>, StoreError> {
        let session = session.clone();
        self.call(move |worker| events::at(worker, &session, &at))
            .await
    }

    /// Stores what the log says as of one of its records.
    pub async fn save_ledger(
        &self,
        session: &SessionId,
        ledger: StoredLedger,
    ) -> Result<(), StoreError> {
        let session = session.clone();
        self.call(move |worker| ledgers::save(worker, &session, &ledger))
            .await
    }

    /// The latest ledger of this form.
    pub async fn ledger(
        &self,
        session: &SessionId,
        version: i64,
    ) -> Result<Option<StoredLedger>, StoreError> {
        let session = session.clone();
        self.call(move |worker| ledgers::latest(worker, &session, version))
            .await
    }
}
