//! The list of sessions.
//!
//! A session has no row until something is stored in it, and no list shows one in which the person said nothing.
//! Lists are ordered by a stored counter, not by a clock.

use std::path::Path;

use rusqlite::{Row, params};
use unicode_segmentation::UnicodeSegmentation;

use super::folders::{folder_key, folder_path};
use crate::domain::{ids::SessionId, session::SessionInfo};
use crate::store::{error::StoreError, lock::SessionLock, worker::Worker};

/// Most graphemes of a title that was taken from the first message.
const TITLE_LENGTH: usize = 60;

const COLUMNS: &str = "id, title, cwd, created_ms, updated_ms, messages";

/// A new session of this folder. Nothing is written yet.
pub(in crate::store) fn create(worker: &mut Worker, cwd: &Path) -> SessionInfo {
    let now = worker.now_ms();
    let info = SessionInfo {
        id: SessionId::new(uuid::Uuid::now_v7().to_string()),
        title: String::new(),
        cwd: cwd.to_owned(),
        created_ms: now,
        updated_ms: now,
        messages: 0,
    };
    worker.unwritten.insert(info.id.clone(), info.clone());
    info
}

/// Makes this program the one that writes the session.
pub(in crate::store) fn open(
    worker: &Worker,
    session: &SessionId,
) -> Result<(SessionLock, SessionInfo), StoreError> {
    let info = info(worker, session)?;
    let lock = SessionLock::take(&worker.places, session)?;
    Ok((lock, info))
}

/// What a list shows of one session.
pub(in crate::store) fn info(
    worker: &Worker,
    session: &SessionId,
) -> Result<SessionInfo, StoreError> {
    if let Some(info) = worker.unwritten.get(session) {
        return Ok(info.clone());
    }
    let found = select(
        worker,
        &format!("SELECT {COLUMNS} FROM sessions WHERE id = ?1"),
        [session.as_str()],
    )?;
    found
        .into_iter()
        .next()
        .ok_or_else(|| StoreError::NoSession(session.to_string()))
}

/// Sessions in which the person said something, the latest first; of one folder or of all.
pub(in crate::store) fn list(
    worker: &Worker,
    cwd: Option<&Path>,
    limit: usize,
) -> Result<Vec<SessionInfo>, StoreError> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    match cwd {
        Some(cwd) => select(
            worker,
            &format!(
                "SELECT {COLUMNS} FROM sessions WHERE cwd = ?1 AND messages > 0
                 ORDER BY activity DESC LIMIT ?2"
            ),
            params![folder_key(cwd), limit],
        ),
        None => select(
            worker,
            &format!(
                "SELECT {COLUMNS} FROM sessions WHERE messages > 0
                 ORDER BY activity DESC LIMIT ?1"
            ),
            params![limit],
        ),
    }
}

/// The one session whose id is this, or begins with it.
pub(in crate::store) fn find(worker: &Worker, prefix: &str) -> Result<SessionInfo, StoreError> {
    let wanted = prefix.trim().to_ascii_lowercase();
    if wanted.is_empty() {
        return Err(StoreError::NoSession("without an id".to_owned()));
    }
    let mut found = select(
        worker,
        &format!(
            "SELECT {COLUMNS} FROM sessions WHERE substr(id, 1, length(?1)) = ?1
             ORDER BY activity DESC"
        ),
        [&wanted],
    )?;
    if let Some(exact) = found.iter().position(|info| info.id.as_str() == wanted) {
        return Ok(found.swap_remove(exact));
    }
    let matches = found.len();
    match found.pop() {
        Some(info) if matches == 1 => Ok(info),
        Some(_) => Err(StoreError::Ambiguous {
            prefix: wanted,
            matches,
        }),
        None => Err(StoreError::NoSession(wanted)),
    }
}

/// A title from the first message: its first words, on one line.
pub(in crate::store) fn derived_title(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let Some((end, _)) = line.grapheme_indices(true).nth(TITLE_LENGTH) else {
        return line;
    };
    let (head, _) = line.split_at(end);
    // Whole words, unless the first word alone is too long.
    let cut = head.rfind(' ').map_or(head, |space| head.split_at(space).0);
    format!("{cut}…")
}

fn select(
    worker: &Worker,
    sql: &str,
    parameters: impl rusqlite::Params,
) -> Result<Vec<SessionInfo>, StoreError> {
    worker.read(|connection| {
        let mut statement = connection.prepare_cached(sql)?;
        let rows = statement.query_map(parameters, row_info)?;
        rows.collect()
    })
}

fn row_info(row: &Row<'_>) -> rusqlite::Result<SessionInfo> {
    let id: String = row.get(0)?;
    let cwd: Vec<u8> = row.get(2)?;
    let messages: i64 = row.get(5)?;
    Ok(SessionInfo {
        id: SessionId::new(id),
        title: row.get(1)?,
        cwd: folder_path(cwd),
        created_ms: row.get(3)?,
        updated_ms: row.get(4)?,
        messages: messages.max(0) as u64,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_the_first_words_on_one_line() {
        let long = "Make the fetcher retry on 503, and write every attempt into the log file";

        assert_eq!(derived_title("  Fix\n\tthe   test "), "Fix the test");
        assert_eq!(
            derived_title(long),
            "Make the fetcher retry on 503, and write every attempt into…"
        );
        assert_eq!(
            derived_title(&"é".repeat(61)),
            format!("{}…", "é".repeat(60))
        );
        assert_eq!(derived_title(" \n"), "");
    }
}
