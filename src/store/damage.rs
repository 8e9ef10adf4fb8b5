//! A damaged database is set aside whole, and what can still be read of it goes into a new one.
//!
//! The file set aside is never written: reading goes through a copy, since even opening a file to read may
//! play its log back into it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use rusqlite::{Connection, params_from_iter, types::Value};

use super::{error::StoreError, migrate::free_name, open::log_of, places::StorePlaces};
use crate::domain::notice::Notice;

/// What is copied, in this order.
const TABLES: [&str; 6] = [
    "sessions",
    "records",
    "scratchpad",
    "drafts",
    "prompts",
    "trust",
];

/// What came back from a damaged file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Rescued {
    /// Sessions.
    sessions: u64,
    /// Records of their logs.
    records: u64,
    /// Whether something could not be read.
    incomplete: bool,
}

impl Rescued {
    /// What the person is told.
    pub(super) fn notice(self, reason: &str, aside: &Path) -> Notice {
        let reason = reason.lines().next().unwrap_or("it cannot be read");
        let lost = if self.incomplete {
            "the rest could not be read"
        } else {
            "nothing seems to be lost"
        };
        Notice::warning(format!(
            "The session database was damaged ({reason}). Rescued: {} sessions with {} records; {lost}.",
            self.sessions, self.records
        ))
        .with_hint(format!("the damaged file is kept as {}", aside.display()))
    }
}

/// Renames the database and its log, so that nothing of them is changed any more.
pub(super) fn set_aside(places: &StorePlaces) -> Result<PathBuf, StoreError> {
    let database = places.database();
    let stamp = jiff::Timestamp::now().strftime("damaged-%Y%m%d-%H%M%S");
    let aside = free_name(&database, &stamp.to_string());
    fs::rename(&database, &aside).map_err(|error| StoreError::write(&aside, &error))?;
    let log = log_of(&database);
    if log.exists() {
        fs::rename(&log, log_of(&aside)).map_err(|error| StoreError::write(&aside, &error))?;
    }
    // An index over the log, made anew by SQLite.
    let _ = fs::remove_file(index_of(&database));
    Ok(aside)
}

/// Copies what can be read into the new database. Never fails: what cannot be read stays in the file set aside.
pub(super) fn rescue(aside: &Path, places: &StorePlaces, new: &mut Connection) -> Rescued {
    let mut rescued = Rescued {
        incomplete: true,
        ..Rescued::default()
    };
    let Ok(directory) = tempfile::tempdir_in(places.data()) else {
        return rescued;
    };
    let alone = copy(aside, &directory.path().join("alone.db"), Log::Left);
    let has_log = log_of(aside).exists();
    let mut copies = Vec::new();
    // A file that is sound without its log was damaged by the log, which belongs to another file then.
    if has_log && !alone.as_ref().is_some_and(is_sound) {
        let whole = copy(aside, &directory.path().join("whole.db"), Log::Taken);
        copies.extend(whole);
    }
    copies.extend(alone);
    for old in copies {
        // A later copy adds only rows that are not there already.
        rescued = fill(&old, new).unwrap_or(rescued);
        if !rescued.incomplete {
            break;
        }
    }
    rescued
}

/// Whether a copy gets the write-ahead log.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Log {
    Taken,
    Left,
}

/// A copy of the file, open; `None` when not even that can be done.
fn copy(aside: &Path, to: &Path, log: Log) -> Option<Connection> {
    fs::copy(aside, to).ok()?;
    if log == Log::Taken {
        fs::copy(log_of(aside), log_of(to)).ok()?;
    }
    let copy = Connection::open(to).ok()?;
    // Lets SQLite open a file that is shorter than its header says.
    copy.pragma_update(None, "writable_schema", true).ok()?;
    Some(copy)
}

fn is_sound(connection: &Connection) -> bool {
    connection
        .query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0))
        .is_ok_and(|verdict| verdict == "ok")
}

fn fill(old: &Connection, new: &mut Connection) -> rusqlite::Result<Rescued> {
    // Records whose session is lost are kept; they get a session below.
    new.pragma_update(None, "foreign_keys", false)?;
    let outcome = fill_unchecked(old, new);
    new.pragma_update(None, "foreign_keys", true)?;
    outcome
}

fn fill_unchecked(old: &Connection, new: &mut Connection) -> rusqlite::Result<Rescued> {
    let transaction = new.transaction()?;
    let mut rescued = Rescued::default();
    for table in TABLES {
        rescued.incomplete |= !copy_table(old, &transaction, table)?;
    }
    adopt_orphans(&transaction)?;
    rescued.sessions = count(&transaction, "sessions")?;
    rescued.records = count(&transaction, "records")?;
    transaction.commit()?;
    Ok(rescued)
}

/// Copies rows from both ends of the table to the place where reading fails. Says whether all were read.
fn copy_table(old: &Connection, new: &Connection, table: &str) -> rusqlite::Result<bool> {
    let mut columns = columns(new, table)?;
    // A file of an older version has not all of them. `key` comes first in every one.
    let known = self::columns(old, table).unwrap_or_default();
    columns.retain(|column| known.is_empty() || known.contains(column));
    let names = columns.join(", ");
    let places = vec!["?"; columns.len()].join(", ");
    let insert = format!("INSERT OR IGNORE INTO {table} ({names}) VALUES ({places})");

    let forward = format!("SELECT {names} FROM {table} ORDER BY key");
    let (last, whole) = copy_rows(old, new, &forward, &insert, i64::MIN)?;
    if whole {
        return Ok(true);
    }
    let backward = format!("SELECT {names} FROM {table} WHERE key > ?1 ORDER BY key DESC");
    copy_rows(old, new, &backward, &insert, last)?;
    Ok(false)
}

fn columns(connection: &Connection, table: &str) -> rusqlite::Result<Vec<String>> {
    connection
        .prepare("SELECT name FROM pragma_table_info(?1)")?
        .query_map([table], |row| row.get(0))?
        .collect()
}

/// Copies rows until the end or the first one that cannot be read; returns the last key and whether it was the
/// end.
fn copy_rows(
    old: &Connection,
    new: &Connection,
    select: &str,
    insert: &str,
    after: i64,
) -> rusqlite::Result<(i64, bool)> {
    let mut last = after;
    let Ok(mut statement) = old.prepare(select) else {
        return Ok((last, false));
    };
    let columns = statement.column_count();
    if statement.parameter_count() > 0 {
        statement.raw_bind_parameter(1, after)?;
    }
    let mut rows = statement.raw_query();
    let mut insert = new.prepare_cached(insert)?;
    loop {
        let row = match rows.next() {
            Ok(Some(row)) => row,
            Ok(None) => return Ok((last, true)),
            Err(_) => return Ok((last, false)),
        };
        let values: rusqlite::Result<Vec<Value>> =
            (0..columns).map(|column| row.get(column)).collect();
        // Text that is not Unicode any more: this row is lost, the next may be whole.
        let Ok(values) = values else { continue };
        if let Some(Value::Integer(key)) = values.first() {
            last = *key;
        }
        insert.execute(params_from_iter(values))?;
    }
}

/// Gives records without a session one, and mends the counters that the rest relies on.
fn adopt_orphans(new: &Connection) -> rusqlite::Result<()> {
    new.execute_batch(
        "INSERT INTO sessions (key, id, cwd, title, titled, created_ms, updated_ms, messages)
             SELECT session, 'rescued-' || lower(hex(randomblob(8))), x'2f', 'Rescued session', 1,
                    min(at_ms), max(at_ms), 1
             FROM records WHERE session NOT IN (SELECT key FROM sessions) GROUP BY session;
         DELETE FROM scratchpad WHERE session NOT IN (SELECT key FROM sessions);
         UPDATE sessions SET last_sequence = max(last_sequence,
             ifnull((SELECT max(sequence) FROM records WHERE session = sessions.key), 0));",
    )
}

fn count(connection: &Connection, table: &str) -> rusqlite::Result<u64> {
    let count: i64 = connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| {
        row.get(0)
    })?;
    Ok(count.max(0) as u64)
}

/// SQLite's index over the log of this database.
fn index_of(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push("-shm");
    name.into()
}
