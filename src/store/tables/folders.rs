//! What is remembered of a folder: whether it is trusted, and what was asked in it.
//!
//! A folder is known by the bytes of its resolved path, so that a link and its target are one folder and a name
//! that is not Unicode is kept exactly.

use std::path::{Path, PathBuf};

use rusqlite::{OptionalExtension, params};

use crate::domain::configured::seen::{Remembered, Seen};
use crate::store::{error::StoreError, worker::Worker};

/// Prompts kept of one folder.
const PROMPTS_KEPT: i64 = 1000;

/// What the person said of the folder; `None` when they were not asked yet.
pub(in crate::store) fn trust(
    worker: &Worker,
    folder: &Path,
) -> Result<Option<Remembered>, StoreError> {
    worker.read(|connection| {
        connection
            .query_row(
                "SELECT trusted, seen FROM trust WHERE folder = ?1",
                [folder_key(folder)],
                |row| {
                    let seen: Option<String> = row.get(1)?;
                    Ok(Remembered {
                        trusted: row.get(0)?,
                        // What cannot be read was not seen.
                        seen: seen.and_then(|seen| serde_json::from_str(&seen).ok()),
                    })
                },
            )
            .optional()
    })
}

/// Remembers the person's answer and what they had seen.
pub(in crate::store) fn set_trust(
    worker: &mut Worker,
    folder: &Path,
    trusted: bool,
    seen: &Seen,
) -> Result<(), StoreError> {
    let key = folder_key(folder);
    let seen = serde_json::to_string(seen).ok();
    worker.write(|transaction| {
        transaction.execute(
            "INSERT INTO trust (folder, trusted, seen) VALUES (?1, ?2, ?3)
             ON CONFLICT (folder) DO UPDATE SET trusted = excluded.trusted, seen = excluded.seen",
            params![key, trusted, seen],
        )?;
        Ok(())
    })
}

/// Remembers a prompt; one that repeats the last is not kept twice.
pub(in crate::store) fn add_prompt(
    worker: &mut Worker,
    folder: &Path,
    text: &str,
) -> Result<(), StoreError> {
    let key = folder_key(folder);
    worker.write(|transaction| {
        let last: Option<String> = transaction
            .query_row(
                "SELECT text FROM prompts WHERE cwd = ?1 ORDER BY key DESC LIMIT 1",
                [&key],
                |row| row.get(0),
            )
            .optional()?;
        if last.as_deref() == Some(text) {
            return Ok(());
        }
        transaction.execute(
            "INSERT INTO prompts (cwd, text) VALUES (?1, ?2)",
            params![key, text],
        )?;
        transaction.execute(
            "DELETE FROM prompts WHERE cwd = ?1 AND key <= (
                 SELECT key FROM prompts WHERE cwd = ?1 ORDER BY key DESC LIMIT 1 OFFSET ?2)",
            params![key, PROMPTS_KEPT],
        )?;
        Ok(())
    })
}

/// The latest prompts of a folder, oldest first.
pub(in crate::store) fn prompts(
    worker: &Worker,
    folder: &Path,
    limit: usize,
) -> Result<Vec<String>, StoreError> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let mut prompts: Vec<String> = worker.read(|connection| {
        connection
            .prepare_cached("SELECT text FROM prompts WHERE cwd = ?1 ORDER BY key DESC LIMIT ?2")?
            .query_map(params![folder_key(folder), limit], |row| row.get(0))?
            .collect()
    })?;
    prompts.reverse();
    Ok(prompts)
}

/// The bytes by which a folder is known.
#[cfg(unix)]
pub(in crate::store) fn folder_key(folder: &Path) -> Vec<u8> {
    use std::os::unix::ffi::OsStringExt;
    resolved(folder).into_os_string().into_vec()
}

/// The bytes by which a folder is known.
#[cfg(not(unix))]
pub(in crate::store) fn folder_key(folder: &Path) -> Vec<u8> {
    resolved(folder).to_string_lossy().into_owned().into_bytes()
}

/// The folder that is known by these bytes.
#[cfg(unix)]
pub(in crate::store) fn folder_path(key: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt;
    std::ffi::OsString::from_vec(key).into()
}

/// The folder that is known by these bytes.
#[cfg(not(unix))]
pub(in crate::store) fn folder_path(key: Vec<u8>) -> PathBuf {
    String::from_utf8_lossy(&key).into_owned().into()
}

/// A folder that is gone is known by the path as it was given.
fn resolved(folder: &Path) -> PathBuf {
    std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned())
}
