//! Removing what no log names any more.
//!
//! A file goes when it was not touched for an hour, no record and no scratchpad entry holds its name, and nobody has
//! something that stands in no log yet. Whatever cannot be told for certain stays.

use std::{
    collections::{HashMap, HashSet},
    fs::{self, File},
    path::PathBuf,
    time::{Duration, SystemTime},
};

use rusqlite::{Connection, OpenFlags, params};

use super::{
    publishing,
    streams::{LARGEST, listed},
    temporary::{is_older, sweep},
};
use crate::{
    domain::{
        artifact::{is_digest, is_hex},
        ids::ArtifactId,
    },
    store::{
        error::StoreError, lock::private_options, places::StorePlaces, worker::SQLITE_PATIENCE,
    },
};

/// What was touched later stays, whoever names it.
const GRACE: Duration = Duration::from_hours(1);
/// Rows that are looked through at once.
const ROWS: i64 = 500;
/// Files that are removed while the lock is held.
const BATCH: usize = 256;
/// Where a program that looked leaves the time.
const MARK: &str = "collected";

/// What a collection did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Collected {
    /// Files removed.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// A file of the store.
struct Candidate {
    path: PathBuf,
    is_old: bool,
    bytes: u64,
}

/// Whether the last collection, by whichever program, was longer ago than this.
pub(super) fn is_due(places: &StorePlaces, every: Duration) -> bool {
    match File::open(places.artifacts().join(MARK)) {
        Ok(file) => is_older(&file, every, SystemTime::now()),
        Err(error) => error.kind() == std::io::ErrorKind::NotFound && places.artifacts().is_dir(),
    }
}

/// Collects. `cancelled` ends it at the next step.
pub(super) fn collect(
    places: &StorePlaces,
    cancelled: &dyn Fn() -> bool,
) -> Result<Collected, StoreError> {
    let now = SystemTime::now();
    let files = files(places, now);
    let mut collected = Collected::default();
    // A damaged database that lies aside may name what the rescued one does not.
    let is_old = files.values().any(|file| file.is_old);
    if is_old && !is_set_aside(places) {
        let Some(live) = live(places, &files, cancelled)? else {
            return Ok(collected);
        };
        let mut dead = files
            .iter()
            .filter(|(id, file)| file.is_old && !live.contains(*id));
        loop {
            let batch: Vec<&Candidate> = dead.by_ref().take(BATCH).map(|(_, file)| file).collect();
            if batch.is_empty() {
                break;
            }
            let Some(_lock) = publishing::alone(places) else {
                return Ok(collected);
            };
            for file in batch {
                // Somebody may have kept the same output meanwhile.
                if is_removed(file) {
                    collected.files += 1;
                    collected.bytes += file.bytes;
                }
            }
            if cancelled() {
                return Ok(collected);
            }
        }
    }
    mark(places);
    Ok(collected)
}

fn is_removed(file: &Candidate) -> bool {
    let is_old = File::open(&file.path).is_ok_and(|open| is_older(&open, GRACE, SystemTime::now()));
    is_old && fs::remove_file(&file.path).is_ok()
}

/// All files of the store. What killed programs have left on its way goes.
fn files(places: &StorePlaces, now: SystemTime) -> HashMap<ArtifactId, Candidate> {
    let mut found = HashMap::new();
    let Ok(directories) = fs::read_dir(places.artifacts()) else {
        return found;
    };
    for directory in directories.flatten() {
        let directory = directory.path();
        sweep(&directory, now);
        let Ok(entries) = fs::read_dir(&directory) else {
            continue;
        };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let Some(name) = name.to_str().filter(|name| is_digest(name)) else {
                continue;
            };
            let path = entry.path();
            let Ok(file) = File::open(&path) else {
                continue;
            };
            let candidate = Candidate {
                is_old: is_older(&file, GRACE, now),
                bytes: file.metadata().map_or(0, |about| about.len()),
                path,
            };
            found.insert(ArtifactId::new(name), candidate);
        }
    }
    found
}

fn is_set_aside(places: &StorePlaces) -> bool {
    let Ok(entries) = fs::read_dir(places.data()) else {
        return true;
    };
    entries.flatten().any(|entry| {
        entry
            .file_name()
            .to_str()
            .is_some_and(|name| name.starts_with("sessions.") && name.contains("damaged-"))
    })
}

/// The files that something names, and the streams of those that are lists. `None` when it was cancelled.
fn live(
    places: &StorePlaces,
    files: &HashMap<ArtifactId, Candidate>,
    cancelled: &dyn Fn() -> bool,
) -> Result<Option<HashSet<ArtifactId>>, StoreError> {
    let database = places.database();
    let failed = |error| StoreError::sqlite(&database, &error, SQLITE_PATIENCE);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(&database, flags).map_err(failed)?;
    connection.busy_timeout(SQLITE_PATIENCE).map_err(failed)?;
    let mut live = HashSet::new();
    for query in [
        "SELECT key, body FROM records WHERE key > ?1 ORDER BY key LIMIT ?2",
        "SELECT key, content FROM scratchpad WHERE key > ?1 ORDER BY key LIMIT ?2",
    ] {
        let mut after = i64::MIN;
        while let Some(last) = scan(&connection, query, after, files, &mut live).map_err(failed)? {
            if cancelled() {
                return Ok(None);
            }
            after = last;
        }
    }
    // A young list counts like one that is named: what it lists was touched before it.
    for (id, file) in files {
        let names = live.contains(id) || !file.is_old;
        if names && file.bytes <= LARGEST {
            let bytes = fs::read(&file.path).unwrap_or_default();
            live.extend(listed(&bytes).into_iter().map(|(_, id)| id));
        }
    }
    Ok(Some(live))
}

/// Looks through some rows; answers the last one, or `None` when there are no more.
fn scan(
    connection: &Connection,
    query: &str,
    after: i64,
    files: &HashMap<ArtifactId, Candidate>,
    live: &mut HashSet<ArtifactId>,
) -> rusqlite::Result<Option<i64>> {
    let mut statement = connection.prepare_cached(query)?;
    let mut rows = statement.query(params![after, ROWS])?;
    let mut last = None;
    while let Some(row) = rows.next()? {
        last = Some(row.get(0)?);
        let text = row.get_ref(1)?;
        let bytes = text.as_bytes_or_null().ok().flatten().unwrap_or_default();
        for name in names(bytes) {
            let id = ArtifactId::new(name);
            if files.contains_key(&id) {
                live.insert(id);
            }
        }
    }
    Ok(last)
}

/// Whatever in a text could be the name of a stored output.
fn names(text: &[u8]) -> impl Iterator<Item = &str> {
    text.split(|byte| !is_hex(*byte))
        .filter(|run| run.len() >= 64)
        .flat_map(|run| run.windows(64))
        .filter_map(|name| std::str::from_utf8(name).ok())
}

/// Leaves the time. Without it the next start collects again.
fn mark(places: &StorePlaces) {
    let path = places.artifacts().join(MARK);
    if let Ok(file) = private_options().truncate(false).open(path) {
        let _ = file.set_modified(SystemTime::now());
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_name_is_found_wherever_it_stands(
            before in "[\\PC]{0,80}",
            name in "[0-9a-f]{64}",
            after in "[\\PC]{0,80}",
        ) {
            let text = format!("{before}{name}{after}");

            prop_assert!(names(text.as_bytes()).any(|found| found == name));
        }
    }
}
