//! Named notes of an agent: one row per (session, agent, name).

use rusqlite::{OptionalExtension, Row, params};

use crate::domain::{
    ids::{AgentId, SessionId},
    scratchpad::{ScratchpadEntry, ScratchpadInfo, ScratchpadOrigin},
};
use crate::store::{error::StoreError, worker::Worker};

/// The entries of one agent or of the whole session, by agent and name.
pub(in crate::store) fn list(
    worker: &Worker,
    session: &SessionId,
    agent: Option<&AgentId>,
) -> Result<Vec<ScratchpadInfo>, StoreError> {
    let Some(key) = worker.key(session)? else {
        return Ok(Vec::new());
    };
    worker.read(|connection| {
        connection
            .prepare_cached(
                "SELECT name, agent, octet_length(content), updated_ms, origin FROM scratchpad
                 WHERE session = ?1 AND (?2 IS NULL OR agent = ?2) ORDER BY agent, name",
            )?
            .query_map(params![key, agent.map(AgentId::as_str)], info)?
            .collect()
    })
}

/// One entry.
pub(in crate::store) fn read(
    worker: &Worker,
    session: &SessionId,
    agent: &AgentId,
    name: &str,
) -> Result<Option<ScratchpadEntry>, StoreError> {
    let Some(key) = worker.key(session)? else {
        return Ok(None);
    };
    worker.read(|connection| {
        connection
            .prepare_cached(
                "SELECT name, agent, octet_length(content), updated_ms, origin, content
                 FROM scratchpad WHERE session = ?1 AND agent = ?2 AND name = ?3",
            )?
            .query_row(params![key, agent.as_str(), name], |row| {
                Ok(ScratchpadEntry {
                    info: info(row)?,
                    content: row.get(5)?,
                })
            })
            .optional()
    })
}

/// Writes an entry whole.
pub(in crate::store) fn write(
    worker: &mut Worker,
    session: &SessionId,
    agent: AgentId,
    name: String,
    content: &str,
    origin: ScratchpadOrigin,
) -> Result<ScratchpadInfo, StoreError> {
    let updated_ms = worker.now_ms();
    let origin_text =
        serde_json::to_string(&origin).map_err(|error| StoreError::Failed(error.to_string()))?;
    worker.write_session(session, |transaction, key| {
        transaction.execute(
            "INSERT INTO scratchpad (session, agent, name, origin, updated_ms, content)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT (session, agent, name) DO UPDATE SET
                 origin = excluded.origin, updated_ms = excluded.updated_ms, content = excluded.content",
            params![key, agent.as_str(), name, origin_text, updated_ms, content],
        )?;
        Ok(())
    })?;
    Ok(ScratchpadInfo {
        name,
        agent,
        bytes: content.len() as u64,
        updated_ms,
        origin,
    })
}

/// Deletes an entry; says whether there was one.
pub(in crate::store) fn delete(
    worker: &mut Worker,
    session: &SessionId,
    agent: &AgentId,
    name: &str,
) -> Result<bool, StoreError> {
    let Some(key) = worker.key(session)? else {
        return Ok(false);
    };
    worker.write(|transaction| {
        let deleted = transaction.execute(
            "DELETE FROM scratchpad WHERE session = ?1 AND agent = ?2 AND name = ?3",
            params![key, agent.as_str(), name],
        )?;
        Ok(deleted > 0)
    })
}

/// Gives an entry another name, which must be free.
pub(in crate::store) fn rename(
    worker: &mut Worker,
    session: &SessionId,
    agent: &AgentId,
    name: &str,
    to: &str,
) -> Result<(), StoreError> {
    let Some(key) = worker.key(session)? else {
        return Err(StoreError::NoEntry(name.to_owned()));
    };
    worker.write(|transaction| {
        let mut exists = transaction.prepare_cached(
            "SELECT 1 FROM scratchpad WHERE session = ?1 AND agent = ?2 AND name = ?3",
        )?;
        if !exists.exists(params![key, agent.as_str(), name])? {
            return Ok(Err(StoreError::NoEntry(name.to_owned())));
        }
        if name != to && exists.exists(params![key, agent.as_str(), to])? {
            return Ok(Err(StoreError::EntryExists(to.to_owned())));
        }
        transaction.execute(
            "UPDATE scratchpad SET name = ?4 WHERE session = ?1 AND agent = ?2 AND name = ?3",
            params![key, agent.as_str(), name, to],
        )?;
        Ok(Ok(()))
    })?
}

/// A row as an entry without its content. An origin that cannot be read is taken for the agent's own.
fn info(row: &Row<'_>) -> rusqlite::Result<ScratchpadInfo> {
    let agent: String = row.get(1)?;
    let bytes: i64 = row.get(2)?;
    let origin: String = row.get(4)?;
    Ok(ScratchpadInfo {
        name: row.get(0)?,
        agent: AgentId::new(agent),
        bytes: bytes.max(0) as u64,
        updated_ms: row.get(3)?,
        origin: serde_json::from_str(&origin).unwrap_or(ScratchpadOrigin::Agent),
    })
}
