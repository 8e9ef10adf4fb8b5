//! Which files an agent has read, and with what content.
//!
//! A change is only made to what the agent has seen: a file never read and a file changed since are refused with two
//! different messages. The state is judged by the digest of the content, not by the clock.

use std::{
    collections::{BTreeMap, HashMap},
    fmt,
    fs::Metadata,
    os::unix::fs::MetadataExt,
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
};

use sha2::{Digest as _, Sha256};

use super::{error::WorkspaceError, root::Located};
use crate::domain::tool::SeenFile;

/// Content up to this size is known by its digest; beyond, by size, inode and times.
pub const DIGEST_LIMIT: u64 = 32 * 1024 * 1024;

/// What identifies the content of a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Digest(String);

/// The read state of one agent.
#[derive(Debug, Default)]
pub struct Freshness {
    seen: Mutex<HashMap<PathBuf, Digest>>,
}

impl Digest {
    /// The digest of content that is at hand; `file` is what was just read or written.
    pub fn of(content: &[u8], file: &Metadata) -> Self {
        if content.len() as u64 <= DIGEST_LIMIT {
            Self::finish(Sha256::new().chain_update(content))
        } else {
            Self::stat(file)
        }
    }

    /// The end of a digest that was fed piece by piece.
    pub fn finish(hasher: Sha256) -> Self {
        let bytes = hasher.finalize();
        Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// The stand-in for a file too large to be read whole.
    pub fn stat(file: &Metadata) -> Self {
        Self(format!(
            "stat:{}:{}:{}.{:09}:{}.{:09}",
            file.len(),
            file.ino(),
            file.mtime(),
            file.mtime_nsec(),
            file.ctime(),
            file.ctime_nsec()
        ))
    }

    /// The digest as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Freshness {
    /// The same state, from which both go on by themselves.
    pub fn like(other: &Self) -> Self {
        Self {
            seen: Mutex::new(other.seen().clone()),
        }
    }

    /// Notes that the agent has seen this content. Returns what is kept of it with the session: nothing for a name that
    /// is no text, which must be read again after a restart.
    pub fn record(&self, file: &Located, digest: Digest) -> Option<SeenFile> {
        let seen = file.real.to_str().map(|path| SeenFile {
            path: path.to_owned(),
            digest: digest.0.clone(),
        });
        self.seen().insert(file.real.clone(), digest);
        seen
    }

    /// Refuses a change to a file that the agent has not read in its present state.
    pub fn check(&self, file: &Located, present: &Digest) -> Result<(), WorkspaceError> {
        match self.seen().get(&file.real) {
            Some(known) if known == present => Ok(()),
            Some(_) => Err(WorkspaceError::Changed {
                file: file.shown.clone(),
            }),
            None => Err(WorkspaceError::NeverRead {
                file: file.shown.clone(),
            }),
        }
    }

    /// What was kept with a session: real paths and digests.
    pub fn of(seen: &BTreeMap<String, String>) -> Self {
        let seen = seen.iter();
        let known = seen.map(|(path, digest)| (PathBuf::from(path), Digest(digest.clone())));
        Self {
            seen: Mutex::new(known.collect()),
        }
    }

    /// The map is whole after every insert, so a panic elsewhere does not make it wrong.
    fn seen(&self) -> MutexGuard<'_, HashMap<PathBuf, Digest>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str) -> Located {
        Located {
            named: path.into(),
            real: path.into(),
            shown: path.to_owned(),
            opened: false,
        }
    }

    fn digest(text: &str) -> Digest {
        Digest::finish(Sha256::new().chain_update(text))
    }

    #[test]
    fn never_read_and_changed_since_are_two_refusals() {
        let freshness = Freshness::default();
        freshness.record(&file("/a"), digest("one"));

        assert_eq!(freshness.check(&file("/a"), &digest("one")), Ok(()));
        assert_eq!(
            freshness
                .check(&file("/a"), &digest("two"))
                .unwrap_err()
                .to_string(),
            "/a has changed since it was read: call file_read on it again, then change what is there now"
        );
        assert_eq!(
            freshness
                .check(&file("/b"), &digest("one"))
                .unwrap_err()
                .to_string(),
            "/b exists but was never read: call file_read on it first, then change it"
        );
    }

    #[test]
    fn a_stored_read_state_holds_again() {
        let seen = Freshness::default().record(&file("/a"), digest("one"));
        let seen = seen.unwrap();

        let after = Freshness::of(&BTreeMap::from([(seen.path, seen.digest)]));

        assert_eq!(after.check(&file("/a"), &digest("one")), Ok(()));
    }
}
