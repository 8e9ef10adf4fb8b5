//! The thread that owns the connection.
//!
//! Jobs run one after another, in the order in which they were sent. Every change is one IMMEDIATE transaction:
//! a deferred one that becomes a writer fails at once when another program writes, whatever time-out is set.

use std::{
    collections::{HashMap, HashSet},
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    time::{Duration, Instant},
};

use rusqlite::{
    Connection, ErrorCode, OptionalExtension, Transaction, TransactionBehavior, config::DbConfig,
    params,
};
use tokio::sync::{mpsc, oneshot};

use super::{
    error::StoreError,
    lock::{DatabaseLock, pause},
    places::{StoreOptions, StorePlaces},
    tables::folders::folder_key,
};
use crate::domain::{ids::SessionId, session::SessionInfo};

/// How long SQLite itself waits for a lock before the worker looks again.
pub(super) const SQLITE_PATIENCE: Duration = Duration::from_millis(200);

/// What the thread is asked to do.
pub(super) enum Job {
    /// Runs this.
    Run(Box<dyn FnOnce(&mut Worker) + Send>),
    /// Ends; answered when the file is closed.
    Close(oneshot::Sender<()>),
}

/// What a job has at hand.
pub(super) struct Worker {
    pub(super) connection: Connection,
    pub(super) places: StorePlaces,
    pub(super) options: StoreOptions,
    /// Sessions that were made here and have nothing to store yet.
    pub(super) unwritten: HashMap<SessionId, SessionInfo>,
    /// Sessions that were first stored by this program.
    pub(super) written: HashSet<SessionId>,
    pub(super) database: PathBuf,
    /// Tells other programs that the database is in use.
    pub(super) lock: DatabaseLock,
}

impl Worker {
    /// Runs jobs until the handle is closed or gone, then closes the file.
    pub(super) fn run(mut self, mut jobs: mpsc::Receiver<Job>) {
        let mut closed = None;
        while let Some(job) = jobs.blocking_recv() {
            match job {
                // A job that panics has rolled its transaction back and dropped its reply: its caller is told.
                Job::Run(job) => drop(catch_unwind(AssertUnwindSafe(|| job(&mut self)))),
                Job::Close(reply) => {
                    closed = Some(reply);
                    break;
                }
            }
        }
        self.close();
        if let Some(reply) = closed {
            let _ = reply.send(());
        }
    }

    /// Removes sessions that hold nothing but settings and a title, and empties the write-ahead log. Nothing here can
    /// lose what happened, so a failure is not reported.
    fn close(mut self) {
        for session in std::mem::take(&mut self.written) {
            let _ = self.connection.execute(
                "DELETE FROM sessions WHERE id = ?1
                     AND NOT EXISTS (SELECT 1 FROM scratchpad WHERE session = sessions.key)
                     AND NOT EXISTS (SELECT 1 FROM records WHERE session = sessions.key
                         AND body NOT LIKE '{\"type\":\"settings_changed\"%'
                         AND body NOT LIKE '{\"type\":\"titled\"%')",
                [session.as_str()],
            );
        }
        let _ = self
            .connection
            .set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false);
        let _ = self
            .connection
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        let _ = self.connection.close();
        drop(self.lock);
    }

    /// Milliseconds since the Unix epoch, for stamps.
    pub(super) fn now_ms(&self) -> i64 {
        self.options.clock.now_ms()
    }

    /// Reads.
    pub(super) fn read<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        work(&self.connection).map_err(|error| self.failure(&error))
    }

    /// Changes something: all of `work` or nothing.
    pub(super) fn write<T>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let transaction = self.begin()?;
        let outcome = work(&transaction).and_then(|value| transaction.commit().map(|()| value));
        outcome.map_err(|error| self.failure(&error))
    }

    /// Changes something of a session; `work` gets the session's key. A session that has no row yet gets one in
    /// the same transaction.
    pub(super) fn write_session<T>(
        &mut self,
        session: &SessionId,
        work: impl FnOnce(&Transaction<'_>, i64) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let unwritten = self.unwritten.get(session).cloned();
        let outcome = self.write(|transaction| {
            let key = match &unwritten {
                Some(info) => Some(insert_session(transaction, info)?),
                None => session_key(transaction, session)?,
            };
            key.map(|key| work(transaction, key)).transpose()
        })?;
        if self.unwritten.remove(session).is_some() {
            self.written.insert(session.clone());
        }
        outcome.ok_or_else(|| StoreError::NoSession(session.to_string()))
    }

    /// The session's key; `None` when it is not stored (yet).
    pub(super) fn key(&self, session: &SessionId) -> Result<Option<i64>, StoreError> {
        self.read(|connection| session_key(connection, session))
    }

    /// Opens the write transaction, waiting for another program as long as we have patience.
    fn begin(&self) -> Result<Transaction<'_>, StoreError> {
        let deadline = Instant::now() + self.options.patience;
        loop {
            match Transaction::new_unchecked(&self.connection, TransactionBehavior::Immediate) {
                Ok(transaction) => return Ok(transaction),
                Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => {
                    pause(deadline, self.options.patience)?;
                }
                Err(error) => return Err(self.failure(&error)),
            }
        }
    }

    /// What a failure means; damage is remembered for the next start.
    pub(super) fn failure(&self, error: &rusqlite::Error) -> StoreError {
        let error = StoreError::sqlite(&self.database, error, self.options.patience);
        if matches!(error, StoreError::Damaged { .. }) {
            let _ = super::lock::private_options().open(self.places.suspicion());
        }
        error
    }
}

/// The key of a stored session.
pub(super) fn session_key(
    connection: &Connection,
    session: &SessionId,
) -> rusqlite::Result<Option<i64>> {
    connection
        .prepare_cached("SELECT key FROM sessions WHERE id = ?1")?
        .query_row([session.as_str()], |row| row.get(0))
        .optional()
}

fn insert_session(connection: &Connection, info: &SessionInfo) -> rusqlite::Result<i64> {
    connection.execute(
        "INSERT INTO sessions (id, cwd, created_ms, updated_ms, activity)
         VALUES (?1, ?2, ?3, ?3, (SELECT ifnull(max(activity), 0) + 1 FROM sessions))",
        params![info.id.as_str(), folder_key(&info.cwd), info.created_ms],
    )?;
    Ok(connection.last_insert_rowid())
}
