//! The directories that stand for `/tmp`: one for each session, so that what one command leaves there the next one
//! finds.
//!
//! A directory is removed with its session. One whose program was killed is removed by a later start: each is locked
//! for as long as it is in use, and a lock ends with its process.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::{Duration, SystemTime},
};

use tempfile::TempDir;

use super::nested;
use crate::domain::ids::SessionId;

const PREFIX: &str = "tmp-";
/// Folders in which something was tried are removed when that is over, or by a later start.
pub(super) const PROBE: &str = "probe-";
/// One younger than this may be between its making and its locking.
const YOUNG: Duration = Duration::from_mins(1);

struct Held {
    directory: TempDir,
    /// Keeps the lock.
    _lock: File,
}

static HELD: Mutex<BTreeMap<SessionId, Held>> = Mutex::new(BTreeMap::new());

/// The directory of a session, made below `place` when there is none yet.
pub(super) fn of_session(session: &SessionId, place: &Path) -> io::Result<PathBuf> {
    let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    let path = match held.get(session) {
        Some(found) if found.directory.path().is_dir() => found.directory.path().to_owned(),
        _ => {
            fs::create_dir_all(place)?;
            let directory = tempfile::Builder::new().prefix(PREFIX).tempdir_in(place)?;
            fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o700))?;
            let lock = File::open(directory.path())?;
            // Where directories cannot be locked, none is ever taken for one that is left behind.
            let _ = lock.try_lock();
            let path = directory.path().to_owned();
            let made = Held {
                directory,
                _lock: lock,
            };
            held.insert(session.clone(), made);
            path
        }
    };
    path.canonicalize()
}

/// Removes the directory of a session that has ended, and what was kept for it. Blocks on the disk.
pub fn forget(session: &SessionId) {
    nested::forget(session);
    let held = HELD
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .remove(session);
    // What cannot be removed now is swept at a later start.
    drop(held);
}

/// Removes the directories that killed programs have left below `place`. What cannot be looked at stays.
pub fn sweep(place: &Path) {
    let Ok(entries) = fs::read_dir(place) else {
        return;
    };
    for entry in entries.flatten() {
        let is_ours = entry
            .file_name()
            .to_str()
            .is_some_and(|name| name.starts_with(PREFIX) || name.starts_with(PROBE));
        if is_ours && is_left_behind(&entry.path()) {
            // Another start may have been faster.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn is_left_behind(path: &Path) -> bool {
    let Ok(directory) = File::open(path) else {
        return false;
    };
    let age = directory
        .metadata()
        .and_then(|data| data.modified())
        .ok()
        .and_then(|modified| SystemTime::now().duration_since(modified).ok());
    age.is_some_and(|age| age > YOUNG) && directory.try_lock().is_ok()
}
