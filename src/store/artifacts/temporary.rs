//! Files on their way into the store: locked while they are written, so that no other program takes them for
//! left behind.

use std::{
    fs::{self, File},
    io,
    path::Path,
    time::{Duration, SystemTime},
};

use tempfile::TempPath;

const PREFIX: &str = ".incoming-";
/// Only what is older is looked at: a file may be between its making and its locking, and who writes may be slow
/// where files cannot be locked.
pub(super) const ABANDONED: Duration = Duration::from_hours(1);

/// A file with no name in the store yet. It is removed unless it gets one.
#[derive(Debug)]
pub(super) struct Incoming {
    /// What is written to; holds the lock.
    pub(super) file: File,
    path: TempPath,
}

impl Incoming {
    /// Makes one that nobody else can read.
    pub(super) fn create(directory: &Path) -> io::Result<Self> {
        let made = tempfile::Builder::new()
            .prefix(PREFIX)
            .tempfile_in(directory)?;
        let (file, path) = made.into_parts();
        let _ = file.try_lock();
        Ok(Self { file, path })
    }

    /// Gives it its name in the store.
    pub(super) fn place(self, target: &Path) -> io::Result<()> {
        self.path.persist(target).map_err(|error| error.error)
    }
}

/// Removes what killed programs have left in a directory of the store. What cannot be looked at stays.
pub(super) fn sweep(directory: &Path, now: SystemTime) {
    let Ok(entries) = fs::read_dir(directory) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_ours = name.to_str().is_some_and(|name| name.starts_with(PREFIX));
        if is_ours && is_abandoned(&entry.path(), now) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn is_abandoned(path: &Path, now: SystemTime) -> bool {
    let Ok(file) = File::open(path) else {
        return false;
    };
    is_older(&file, ABANDONED, now) && file.try_lock().is_ok()
}

/// Whether a file was last changed longer ago than this.
pub(super) fn is_older(file: &File, than: Duration, now: SystemTime) -> bool {
    let changed = file.metadata().and_then(|about| about.modified());
    changed
        .ok()
        .and_then(|changed| now.duration_since(changed).ok())
        .is_some_and(|age| age > than)
}
