//! Where the store keeps its files, and the clock that stamps records.
//!
//! Stamps are for showing only: order comes from stored sequence numbers.

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// Where the store keeps its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StorePlaces {
    /// Holds the database and the artifacts.
    data: PathBuf,
    /// Holds the locks.
    state: PathBuf,
}

impl StorePlaces {
    /// The database and artifacts go below `data`, the locks below `state`.
    pub fn new(data: impl Into<PathBuf>, state: impl Into<PathBuf>) -> Self {
        Self {
            data: data.into(),
            state: state.into(),
        }
    }

    /// The directory of the database.
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// The database file.
    pub fn database(&self) -> PathBuf {
        self.data.join("sessions.db")
    }

    /// The directory of stored outputs.
    pub fn artifacts(&self) -> PathBuf {
        self.data.join("artifacts")
    }

    /// The directory of session locks.
    pub fn locks(&self) -> PathBuf {
        self.state.join("locks")
    }

    /// The lock that every user of the database shares, and that repair takes alone.
    pub(super) fn database_lock(&self) -> PathBuf {
        self.locks().join("sessions.db.lock")
    }

    /// Shared by who has outputs that stand in no log yet, taken alone by who removes what no log names.
    pub(super) fn artifacts_lock(&self) -> PathBuf {
        self.locks().join("artifacts.lock")
    }

    /// Present when a run met damage, so that the next start looks at the whole file.
    pub(super) fn suspicion(&self) -> PathBuf {
        self.data.join("sessions.db-suspect")
    }
}

/// What can differ from one opening of the store to another.
#[derive(Clone, Debug)]
pub struct StoreOptions {
    /// What stamps records.
    pub clock: Clock,
    /// How long to wait for another program that holds the database.
    pub patience: Duration,
}

impl Default for StoreOptions {
    fn default() -> Self {
        Self {
            clock: Clock::system(),
            patience: Duration::from_secs(30),
        }
    }
}

/// What tells the time for stamps.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> i64 + Send + Sync>);

impl Clock {
    /// The system's clock.
    pub fn system() -> Self {
        Self::new(|| {
            SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0, |since| since.as_millis() as i64)
        })
    }

    /// A clock of one's own: milliseconds since the Unix epoch.
    pub fn new(now: impl Fn() -> i64 + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// Milliseconds since the Unix epoch.
    pub fn now_ms(&self) -> i64 {
        (self.0)()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock")
    }
}
