//! Grants and denials that outlast their session: for a folder, or everywhere.

use std::path::Path;

use rusqlite::params;

use super::folders::folder_key;
use crate::domain::permission::{Grant, Rule, Scope};
use crate::store::{error::StoreError, worker::Worker};

/// Kept of one folder, and everywhere; the oldest go.
const KEPT: i64 = 1000;

/// What holds in the folder now, the oldest first.
pub(in crate::store) fn grants(
    worker: &Worker,
    folder: &Path,
    now_ms: i64,
) -> Result<Vec<Grant>, StoreError> {
    let rows: Vec<(bool, String, Option<i64>)> = worker.read(|connection| {
        connection
            .prepare_cached(
                "SELECT folder IS NULL, rule, expires_ms FROM grants
                 WHERE (folder IS NULL OR folder = ?1) AND (expires_ms IS NULL OR expires_ms > ?2)
                 ORDER BY key",
            )?
            .query_map(params![folder_key(folder), now_ms], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?))
            })?
            .collect()
    })?;
    // A rule that a later version wrote in another form is left alone: it allows nothing here.
    let read = |(everywhere, rule, expires_ms): (bool, String, Option<i64>)| {
        Some(Grant {
            rule: serde_json::from_str(&rule).ok()?,
            scope: if everywhere {
                Scope::User
            } else {
                Scope::Project
            },
            expires_ms,
            kind: false,
        })
    };
    Ok(rows.into_iter().filter_map(read).collect())
}

/// Keeps a grant; one with the same rule in the same place is replaced. A grant that ends with its session, or before, is none of these.
pub(in crate::store) fn add(
    worker: &mut Worker,
    folder: &Path,
    grant: &Grant,
    now_ms: i64,
) -> Result<(), StoreError> {
    let place = match grant.scope {
        Scope::Turn(_) | Scope::Agent(_) | Scope::Session => return Ok(()),
        Scope::Project => Some(folder_key(folder)),
        Scope::User => None,
    };
    let rule = written(&grant.rule)?;
    let expires = grant.expires_ms;
    worker.write(|transaction| {
        transaction.execute(
            "DELETE FROM grants WHERE rule = ?1 AND folder IS ?2",
            params![rule, place],
        )?;
        transaction.execute(
            "INSERT INTO grants (folder, rule, made_ms, expires_ms) VALUES (?1, ?2, ?3, ?4)",
            params![place, rule, now_ms, expires],
        )?;
        transaction.execute(
            "DELETE FROM grants WHERE folder IS ?1 AND key <= (
                 SELECT key FROM grants WHERE folder IS ?1 ORDER BY key DESC LIMIT 1 OFFSET ?2)",
            params![place, KEPT],
        )?;
        Ok(())
    })
}

/// Takes back what has this rule, in the folder and everywhere.
pub(in crate::store) fn remove(
    worker: &mut Worker,
    folder: &Path,
    rule: &Rule,
) -> Result<(), StoreError> {
    let (rule, key) = (written(rule)?, folder_key(folder));
    worker.write(|transaction| {
        transaction.execute(
            "DELETE FROM grants WHERE rule = ?1 AND (folder IS NULL OR folder = ?2)",
            params![rule, key],
        )?;
        Ok(())
    })
}

fn written(rule: &Rule) -> Result<String, StoreError> {
    serde_json::to_string(rule).map_err(|error| StoreError::Failed(error.to_string()))
}
