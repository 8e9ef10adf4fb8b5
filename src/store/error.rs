//! What can go wrong with the store, by what the person can do about it.
//!
//! Every variant has a one-line text and a hint; no raw SQL message reaches the screen without them.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use rusqlite::{ErrorCode, ffi};

use crate::domain::{ids::SessionId, notice::Notice};

/// A failed call to the store. Nothing of a failed call is stored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// No space is left where the database is.
    #[error("the disk is full: nothing was stored")]
    Full,
    /// A directory or file cannot be created or written.
    #[error("cannot write {}: {reason}", path.display())]
    Unwritable {
        /// The directory or file.
        path: PathBuf,
        /// The system's words.
        reason: String,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's words.
        reason: String,
    },
    /// The database was made by a later version of this program. It was not touched.
    #[error(
        "{} has schema version {found}, but this program knows versions up to {known}; it was not changed",
        path.display()
    )]
    Newer {
        /// The database.
        path: PathBuf,
        /// The version in the file.
        found: i64,
        /// The latest version that this program knows.
        known: i64,
    },
    /// Another program has the database open and knows only an older version of it.
    #[error("an older quarterdeck has the session database open")]
    Older,
    /// Another program holds the database for longer than we wait.
    #[error("another program has kept the session database locked for {seconds} s")]
    Busy {
        /// How long we waited.
        seconds: u64,
    },
    /// Another program writes this session.
    #[error("session {session} is open in another program{}", process(*.holder))]
    InUse {
        /// The session.
        session: SessionId,
        /// The other program's process id, when it could be read.
        holder: Option<u32>,
    },
    /// The database file is damaged.
    #[error("the session database {} is damaged: {reason}", path.display())]
    Damaged {
        /// The database.
        path: PathBuf,
        /// What was found.
        reason: String,
    },
    /// There is no such session.
    #[error("there is no session {0}")]
    NoSession(String),
    /// More than one session begins like this.
    #[error("{matches} sessions begin with {prefix}")]
    Ambiguous {
        /// What was asked for.
        prefix: String,
        /// How many begin so.
        matches: usize,
    },
    /// There is no such scratchpad entry.
    #[error("there is no scratchpad entry {0:?}")]
    NoEntry(String),
    /// The name is taken.
    #[error("there is a scratchpad entry {0:?} already")]
    EntryExists(String),
    /// There is no such stored output.
    #[error("there is no stored output {0}")]
    NoArtifact(String),
    /// A stored output is not what it was when it was kept.
    #[error("the stored output {0} is damaged: its content is not what was kept")]
    DamagedArtifact(String),
    /// A stored output has no stream of this name.
    #[error(
        "the stored output {artifact} has no stream {name:?}{}",
        streams(known)
    )]
    NoStream {
        /// The output.
        artifact: String,
        /// What was asked for.
        name: String,
        /// The streams it has.
        known: Vec<String>,
    },
    /// The store was closed.
    #[error("the session store is closed")]
    Closed,
    /// Anything else that SQLite or serialising says.
    #[error("the session store failed: {0}")]
    Failed(String),
}

fn process(holder: Option<u32>) -> String {
    holder.map_or_else(String::new, |id| format!(" (process {id})"))
}

fn streams(known: &[String]) -> String {
    if known.is_empty() {
        "; it is one text without streams: leave the name out".to_owned()
    } else {
        format!("; it has {}", known.join(", "))
    }
}

impl StoreError {
    /// What to do about it, when there is something.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Full => "free some space; what is not stored yet is kept in memory".to_owned(),
            Self::Unwritable { .. } => {
                "make it writable, or set QD_HOME to a directory that is".to_owned()
            }
            Self::Unreadable { .. } => "check its permissions".to_owned(),
            Self::Newer { .. } => {
                "start the newer version of qd, or set QD_HOME to another directory".to_owned()
            }
            Self::Busy { .. } => "end the other program, then try again".to_owned(),
            Self::InUse { .. } => {
                "go on there, or end that program and resume the session here".to_owned()
            }
            Self::Older => {
                "leave it first: the database is brought to a new schema while nobody else uses it".to_owned()
            }
            Self::Damaged { .. } => {
                "leave every qd and start again: the damaged file is kept aside and what can be read is rescued"
                    .to_owned()
            }
            Self::NoSession(_) => "`qd session list` shows the sessions of this folder".to_owned(),
            Self::Ambiguous { .. } => "give more characters of the id".to_owned(),
            Self::NoEntry(_) | Self::EntryExists(_) => return None,
            Self::NoArtifact(_) | Self::DamagedArtifact(_) | Self::NoStream { .. } => return None,
            Self::Closed | Self::Failed(_) => return None,
        };
        Some(hint)
    }

    /// The error as a notice to the person.
    pub fn notice(&self) -> Notice {
        let notice = Notice::error(self.to_string());
        match self.hint() {
            Some(hint) => notice.with_hint(hint),
            None => notice,
        }
    }

    /// Whether the same call may succeed later without anything being repaired.
    pub fn is_passing(&self) -> bool {
        matches!(self, Self::Full | Self::Busy { .. })
    }

    /// A failure to write a file or directory of ours.
    pub(super) fn write(path: &Path, error: &std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::StorageFull {
            return Self::Full;
        }
        Self::Unwritable {
            path: path.to_owned(),
            reason: error.to_string(),
        }
    }

    /// A failure to read a file of ours.
    pub(super) fn read(path: &Path, error: &std::io::Error) -> Self {
        Self::Unreadable {
            path: path.to_owned(),
            reason: error.to_string(),
        }
    }

    /// What SQLite said about the database at `path`.
    pub(super) fn sqlite(path: &Path, error: &rusqlite::Error, waited: Duration) -> Self {
        let reason = error.to_string();
        let path = path.to_owned();
        match error.sqlite_error() {
            Some(ffi::Error {
                code: ErrorCode::DiskFull,
                ..
            }) => Self::Full,
            Some(ffi::Error {
                code: ErrorCode::SystemIoFailure,
                extended_code: ffi::SQLITE_IOERR_SHMSIZE | ffi::SQLITE_IOERR_SHMOPEN,
            }) => Self::Full,
            Some(ffi::Error {
                code: ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase,
                ..
            }) => Self::Damaged { path, reason },
            Some(ffi::Error {
                code: ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied,
                ..
            }) => Self::Unwritable { path, reason },
            Some(ffi::Error {
                code: ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked,
                ..
            }) => Self::Busy {
                seconds: waited.as_secs(),
            },
            _ => Self::Failed(reason),
        }
    }
}
