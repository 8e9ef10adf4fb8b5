//! The log of a session: appended to, never changed, read in order of sequence.
//!
//! The store gives the sequence numbers inside the transaction that writes the records, so neither a clock nor a
//! second program can disturb the order. Only a `Partial` is ever removed: by the next one of the same agent, or
//! by the reply that it was a part of.

use rusqlite::{Connection, Row, params};

use super::sessions::derived_title;
use crate::domain::{
    goal::GoalStatus,
    ids::{AgentId, Sequence, SessionId},
    notice::Severity,
    record::{Record, Speaker, Stored},
};
use crate::store::{
    error::StoreError,
    worker::{Worker, session_key},
};

/// Records of a session, oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    /// The records.
    pub records: Vec<Stored>,
    /// Whether there are earlier ones.
    pub more: bool,
}

/// Appends records in one transaction and says where they stand.
pub(in crate::store) fn append(
    worker: &mut Worker,
    session: &SessionId,
    records: Vec<(AgentId, Record)>,
) -> Result<Vec<Stored>, StoreError> {
    if records.is_empty() {
        return Ok(Vec::new());
    }
    let at_ms = worker.now_ms();
    let bodies = records
        .iter()
        .map(|(_, record)| serde_json::to_string(record))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| StoreError::Failed(error.to_string()))?;
    let count = records.len() as u64;

    let last = worker.write_session(session, |transaction, key| {
        let last = reserve(transaction, key, count, at_ms)?;
        let mut sequence = last - count as i64;
        for ((agent, record), body) in records.iter().zip(&bodies) {
            sequence += 1;
            supersede_partial(transaction, key, agent, record)?;
            transaction
                .prepare_cached(
                    "INSERT INTO records (session, sequence, at_ms, agent, partial, body)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                )?
                .execute(params![
                    key,
                    sequence,
                    at_ms,
                    agent.as_str(),
                    matches!(record, Record::Partial { .. }),
                    body
                ])?;
            derive(transaction, key, record)?;
        }
        Ok(last)
    })?;

    let first = last as u64 - count + 1;
    Ok(records
        .into_iter()
        .zip(first..)
        .map(|((agent, record), sequence)| Stored {
            sequence: Sequence(sequence),
            at_ms,
            agent,
            record,
        })
        .collect())
}

/// The latest `limit` records before `before` (of the whole log without it).
pub(in crate::store) fn page(
    worker: &Worker,
    session: &SessionId,
    before: Option<Sequence>,
    limit: usize,
) -> Result<Page, StoreError> {
    let before = before.map_or(i64::MAX, |sequence| sequence.0 as i64);
    let mut records = select(
        worker,
        session,
        "SELECT sequence, at_ms, agent, body FROM records
         WHERE session = ?1 AND sequence < ?2 AND rewound IS NULL ORDER BY sequence DESC LIMIT ?3",
        |key| (key, before, limit.saturating_add(1) as i64),
    )?;
    let more = records.len() > limit;
    records.truncate(limit);
    records.reverse();
    Ok(Page { records, more })
}

/// The whole log.
pub(in crate::store) fn all(
    worker: &Worker,
    session: &SessionId,
) -> Result<Vec<Stored>, StoreError> {
    select(
        worker,
        session,
        "SELECT sequence, at_ms, agent, body FROM records
         WHERE session = ?1 AND rewound IS NULL ORDER BY sequence",
        |key| (key,),
    )
}

/// What came after this record.
pub(in crate::store) fn after(
    worker: &Worker,
    session: &SessionId,
    after: Sequence,
) -> Result<Vec<Stored>, StoreError> {
    select(
        worker,
        session,
        "SELECT sequence, at_ms, agent, body FROM records
         WHERE session = ?1 AND sequence > ?2 AND rewound IS NULL ORDER BY sequence",
        |key| (key, after.0 as i64),
    )
}

/// What an agent's log holds from this record on.
pub(in crate::store) fn of_agent(
    worker: &Worker,
    session: &SessionId,
    agent: &AgentId,
    from: Sequence,
) -> Result<Vec<Stored>, StoreError> {
    select(
        worker,
        session,
        "SELECT sequence, at_ms, agent, body FROM records
         WHERE session = ?1 AND sequence >= ?2 AND agent = ?3 AND rewound IS NULL ORDER BY sequence",
        |key| (key, from.0 as i64, agent.as_str()),
    )
}

/// These records.
pub(in crate::store) fn at(
    worker: &Worker,
    session: &SessionId,
    at: &[Sequence],
) -> Result<Vec<Stored>, StoreError> {
    let mut found = Vec::with_capacity(at.len());
    for sequence in at {
        found.extend(select(
            worker,
            session,
            "SELECT sequence, at_ms, agent, body FROM records
             WHERE session = ?1 AND sequence = ?2 AND rewound IS NULL",
            |key| (key, sequence.0 as i64),
        )?);
    }
    found.sort_by_key(|stored| stored.sequence);
    Ok(found)
}

fn select<P: rusqlite::Params>(
    worker: &Worker,
    session: &SessionId,
    sql: &str,
    parameters: impl FnOnce(i64) -> P,
) -> Result<Vec<Stored>, StoreError> {
    let rows = worker.read(|connection| {
        let Some(key) = session_key(connection, session)? else {
            return Ok(None);
        };
        let mut statement = connection.prepare_cached(sql)?;
        let rows = statement.query_map(parameters(key), stored)?;
        rows.collect::<rusqlite::Result<Vec<_>>>().map(Some)
    })?;
    match rows {
        Some(rows) => Ok(rows),
        None if worker.unwritten.contains_key(session) => Ok(Vec::new()),
        None => Err(StoreError::NoSession(session.to_string())),
    }
}

/// Takes `count` sequence numbers and returns the last of them.
fn reserve(connection: &Connection, key: i64, count: u64, at_ms: i64) -> rusqlite::Result<i64> {
    connection
        .prepare_cached(
            "UPDATE sessions SET
                 last_sequence = last_sequence + ?2,
                 updated_ms = ?3,
                 activity = CASE WHEN activity = (SELECT max(activity) FROM sessions) THEN activity
                                 ELSE (SELECT max(activity) + 1 FROM sessions) END
             WHERE key = ?1 RETURNING last_sequence",
        )?
        .query_row(params![key, count as i64, at_ms], |row| row.get(0))
}

fn supersede_partial(
    connection: &Connection,
    key: i64,
    agent: &AgentId,
    record: &Record,
) -> rusqlite::Result<()> {
    if matches!(record, Record::Partial { .. } | Record::Reply { .. }) {
        connection
            .prepare_cached("DELETE FROM records WHERE session = ?1 AND agent = ?2 AND partial")?
            .execute(params![key, agent.as_str()])?;
    }
    Ok(())
}

/// Keeps what the session list shows in step with the log.
fn derive(connection: &Connection, key: i64, record: &Record) -> rusqlite::Result<()> {
    match record {
        Record::Said {
            speaker: Speaker::Person,
            text,
            ..
        } => said(connection, key, text)?,
        // A command that the person ran is theirs like a message: the session is worth coming back to.
        Record::PersonRan { command, .. } => said(connection, key, &format!("!{command}"))?,
        // A session whose only word is a goal is worth coming back to as well.
        Record::GoalChanged {
            goal,
            speaker: Speaker::Person,
        } if goal.status == GoalStatus::Active => said(connection, key, &goal.objective)?,
        Record::Titled { title } => {
            connection
                .prepare_cached("UPDATE sessions SET title = ?2, titled = 1 WHERE key = ?1")?
                .execute(params![key, title])?;
        }
        _ => {}
    }
    Ok(())
}

/// Counts something by the person, which gives a session without a title its title.
fn said(connection: &Connection, key: i64, text: &str) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "UPDATE sessions SET messages = messages + 1,
                 title = CASE WHEN title = '' THEN ?2 ELSE title END
             WHERE key = ?1",
        )?
        .execute(params![key, derived_title(text)])?;
    Ok(())
}

/// A row as a record. One that cannot be read (rescued from a damaged file) says so in its place instead of taking
/// the whole session with it.
fn stored(row: &Row<'_>) -> rusqlite::Result<Stored> {
    let sequence: i64 = row.get(0)?;
    let agent: String = row.get(2).unwrap_or_else(|_| "main".to_owned());
    let body = row.get_ref(3)?;
    let record = body
        .as_bytes()
        .map_err(|error| error.to_string())
        .and_then(|body| serde_json::from_slice(body).map_err(|error| error.to_string()))
        .unwrap_or_else(|error| Record::StageDirection {
            severity: Severity::Error,
            text: format!("record {sequence} cannot be read: {error}"),
        });
    Ok(Stored {
        sequence: Sequence(sequence as u64),
        at_ms: row.get(1)?,
        agent: AgentId::new(agent),
        record,
    })
}
