//! What stands in the composer, journalled as it is typed.

use std::path::PathBuf;

use rusqlite::{OptionalExtension, params};

use super::folders::folder_key;
use crate::domain::ids::SessionId;
use crate::store::{error::StoreError, worker::Worker};

/// What a draft belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DraftKey {
    /// The next session of a folder.
    Folder(PathBuf),
    /// A session.
    Session(SessionId),
    /// What waits to be sent in a session.
    Queue(SessionId),
}

impl DraftKey {
    /// A folder's path is absolute, a session's id holds no colon: no two of them ever meet.
    fn place(&self) -> Vec<u8> {
        match self {
            Self::Folder(folder) => folder_key(folder),
            Self::Session(session) => session.as_str().as_bytes().to_vec(),
            Self::Queue(session) => format!("queue:{session}").into_bytes(),
        }
    }
}

/// Keeps the text in place of the last one; an empty text deletes the draft.
pub(in crate::store) fn save(
    worker: &mut Worker,
    key: &DraftKey,
    text: &str,
) -> Result<(), StoreError> {
    let place = key.place();
    worker.write(|transaction| {
        if text.is_empty() {
            transaction.execute("DELETE FROM drafts WHERE place = ?1", [place])?;
        } else {
            transaction.execute(
                "INSERT INTO drafts (place, text) VALUES (?1, ?2)
                 ON CONFLICT (place) DO UPDATE SET text = excluded.text",
                params![place, text],
            )?;
        }
        Ok(())
    })
}

/// The text that was kept; empty when there is none.
pub(in crate::store) fn draft(worker: &Worker, key: &DraftKey) -> Result<String, StoreError> {
    let place = key.place();
    let text: Option<String> = worker.read(|connection| {
        connection
            .query_row("SELECT text FROM drafts WHERE place = ?1", [place], |row| {
                row.get(0)
            })
            .optional()
    })?;
    Ok(text.unwrap_or_default())
}
