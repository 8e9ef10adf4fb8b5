//! What the logs of sessions say beyond the words, stored now and then. Derived from the log: may be missing.

use rusqlite::{OptionalExtension, params};

use crate::{
    domain::ids::{Sequence, SessionId},
    store::{
        error::StoreError,
        worker::{Worker, session_key},
    },
};

/// How many stay: the last, and one before, should a rewind take the last back.
const KEPT: i64 = 2;

/// A ledger as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredLedger {
    /// The last record that it holds.
    pub sequence: Sequence,
    /// Its form.
    pub version: i64,
    /// What it says, as JSON.
    pub body: String,
}

/// Stores one. A session that has nothing stored has no place for one.
pub(in crate::store) fn save(
    worker: &mut Worker,
    session: &SessionId,
    ledger: &StoredLedger,
) -> Result<(), StoreError> {
    let (at, version, body) = (ledger.sequence.0 as i64, ledger.version, &ledger.body);
    worker.write(|transaction| {
        let Some(key) = session_key(transaction, session)? else {
            return Ok(());
        };
        transaction.execute(
            "INSERT OR REPLACE INTO ledgers (session, sequence, version, body) VALUES (?1, ?2, ?3, ?4)",
            params![key, at, version, body],
        )?;
        transaction.execute(
            "DELETE FROM ledgers WHERE session = ?1 AND key NOT IN
                 (SELECT key FROM ledgers WHERE session = ?1 ORDER BY sequence DESC LIMIT ?2)",
            params![key, KEPT],
        )?;
        Ok(())
    })
}

/// The latest of this form.
pub(in crate::store) fn latest(
    worker: &Worker,
    session: &SessionId,
    version: i64,
) -> Result<Option<StoredLedger>, StoreError> {
    worker.read(|connection| {
        let Some(key) = session_key(connection, session)? else {
            return Ok(None);
        };
        connection
            .prepare_cached(
                "SELECT sequence, version, body FROM ledgers WHERE session = ?1 AND version = ?2
                 ORDER BY sequence DESC LIMIT 1",
            )?
            .query_row(params![key, version], |row| {
                Ok(StoredLedger {
                    sequence: Sequence(row.get::<_, i64>(0)? as u64),
                    version: row.get(1)?,
                    body: row.get(2)?,
                })
            })
            .optional()
    })
}
