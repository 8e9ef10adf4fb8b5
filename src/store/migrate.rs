//! Brings a database to the present schema: all migrations or none, with a copy kept before the first.
//!
//! `user_version` is the number of the last migration. A file in `migrations/` is never changed once it was
//! released.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, TransactionBehavior};

/// One step from a schema to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Migration {
    /// The version that the step leads to.
    pub(super) version: i64,
    /// What is done.
    pub(super) sql: &'static str,
}

/// Every step, in order.
pub(super) const MIGRATIONS: &[Migration] = &[
    Migration {
        version: 1,
        sql: include_str!("migrations/0001_initial.sql"),
    },
    Migration {
        version: 2,
        sql: include_str!("migrations/0002_grants.sql"),
    },
    Migration {
        version: 3,
        sql: include_str!("migrations/0003_seen.sql"),
    },
    Migration {
        version: 4,
        sql: include_str!("migrations/0004_window.sql"),
    },
];

/// Marks our files, so that another program's database is not taken for one: `qdck`.
pub(super) const APPLICATION_ID: i64 = 0x7164_636b;

/// The version that these steps lead to.
pub(super) fn latest(migrations: &[Migration]) -> i64 {
    migrations.last().map_or(0, |migration| migration.version)
}

/// Runs the steps that are missing. A database that holds something is copied first; the copy's path is returned.
pub(super) fn migrate(
    connection: &mut Connection,
    database: &Path,
    migrations: &[Migration],
) -> Result<Option<PathBuf>, rusqlite::Error> {
    let from: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let to = latest(migrations);
    if from >= to {
        return Ok(None);
    }
    let copy = (from > 0).then(|| free_name(database, &format!("before-v{to}")));
    if let Some(copy) = &copy {
        connection.execute("VACUUM INTO ?1", [copy.to_string_lossy()])?;
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for migration in migrations.iter().filter(|step| step.version > from) {
        transaction.execute_batch(migration.sql)?;
    }
    transaction.pragma_update(None, "user_version", to)?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.commit()?;
    Ok(copy)
}

/// A name beside the database that is not taken: `sessions.⟨what⟩.db`, then `sessions.⟨what⟩-2.db`.
pub(super) fn free_name(database: &Path, what: &str) -> PathBuf {
    let stem = database
        .file_stem()
        .map_or_else(|| "sessions".into(), |stem| stem.to_string_lossy());
    let mut path = database.with_file_name(format!("{stem}.{what}.db"));
    let mut number = 2;
    while path.exists() {
        path = database.with_file_name(format!("{stem}.{what}-{number}.db"));
        number += 1;
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Migration = Migration {
        version: 2,
        sql: "ALTER TABLE sessions ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;",
    };
    const BROKEN: Migration = Migration {
        version: 3,
        sql: "CREATE TABLE extra (a); CREATE TABLE sessions (b);",
    };

    fn version(connection: &Connection) -> i64 {
        connection
            .pragma_query_value(None, "user_version", |row| row.get(0))
            .unwrap()
    }

    fn database() -> (tempfile::TempDir, PathBuf, Connection) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("sessions.db");
        let mut connection = Connection::open(&path).unwrap();
        assert_eq!(
            migrate(&mut connection, &path, &MIGRATIONS[..1]).unwrap(),
            None
        );
        connection
            .execute(
                "INSERT INTO sessions (id, cwd, created_ms, updated_ms) VALUES ('a', x'2f', 1, 1)",
                [],
            )
            .unwrap();
        (directory, path, connection)
    }

    #[test]
    fn an_existing_file_is_copied_before_it_is_migrated() {
        let (directory, path, mut connection) = database();

        let copy = migrate(&mut connection, &path, &[MIGRATIONS[0], SECOND]).unwrap();

        assert_eq!(copy, Some(directory.path().join("sessions.before-v2.db")));
        assert_eq!(version(&connection), 2);
        let old = Connection::open(copy.unwrap()).unwrap();
        assert_eq!(version(&old), 1);
        let kept: String = old
            .query_row("SELECT id FROM sessions", [], |row| row.get(0))
            .unwrap();
        assert_eq!(kept, "a");
    }

    #[test]
    fn a_step_that_fails_leaves_everything_as_it_was() {
        let (_directory, path, mut connection) = database();

        let error = migrate(&mut connection, &path, &[MIGRATIONS[0], SECOND, BROKEN]);

        assert!(error.is_err());
        assert_eq!(version(&connection), 1);
        let columns: i64 = connection
            .query_row(
                "SELECT count(*) FROM pragma_table_info('sessions') WHERE name = 'pinned'",
                [],
                |row| row.get(0),
            )
            .unwrap();
        assert_eq!(columns, 0);
    }

    #[test]
    fn every_step_leads_to_the_next() {
        let (_directory, path, mut connection) = database();

        migrate(&mut connection, &path, MIGRATIONS).unwrap();

        assert_eq!(version(&connection), latest(MIGRATIONS));
        let versions: Vec<i64> = MIGRATIONS.iter().map(|step| step.version).collect();
        assert_eq!(versions, (1..=latest(MIGRATIONS)).collect::<Vec<_>>());
    }
}
