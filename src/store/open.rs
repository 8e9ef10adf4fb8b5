//! The way to a usable database: made when absent, migrated when older, rescued when damaged, refused untouched
//! when newer.
//!
//! Whoever uses the database shares a lock; making, migrating and repairing need it alone, so that no other
//! program has the file open meanwhile.

use std::{
    fs::{self, File},
    io::Read,
    path::Path,
    time::{Duration, Instant},
};

use rusqlite::{Connection, OpenFlags, config::DbConfig};

use super::{
    damage,
    error::StoreError,
    lock::{DatabaseLock, create_private_directory, pause, private_options},
    migrate::{APPLICATION_ID, MIGRATIONS, latest, migrate},
    places::{StoreOptions, StorePlaces},
    worker::{SQLITE_PATIENCE, Worker},
};
use crate::domain::notice::Notice;

/// A database up to this size is looked through at every start: some milliseconds.
const SMALL: u64 = 4 * 1024 * 1024;

/// The log file is cut back to this size when SQLite begins it anew.
const LOG_LIMIT: i64 = 8 * 1024 * 1024;

/// What was found at the database's path.
enum Finding {
    /// Nothing, or an empty database.
    Absent,
    /// A database of ours with this schema version.
    Ours { version: i64 },
    /// Something that cannot be used.
    Damaged { reason: String },
}

/// How long another program that has a damaged or an older file may take to leave it.
const LEAVING: Duration = Duration::from_secs(2);

/// Opens the database and makes it usable. The notices say what was done beyond opening it.
pub(super) fn open(
    places: StorePlaces,
    options: StoreOptions,
) -> Result<(Worker, Vec<Notice>), StoreError> {
    create_private_directory(places.data())?;
    let lock = DatabaseLock::open(&places)?;
    let database = places.database();
    let mut notices = Vec::new();
    let started = Instant::now();
    let deadline = started + options.patience;
    let connection = loop {
        if lock.try_alone()? {
            let connection = open_alone(&places, &options, &mut notices)?;
            lock.share(options.patience)?;
            break connection;
        }
        // Another program uses it: then it is either usable now, or about to be.
        if lock.try_shared()? {
            match inspect(&database, &options)? {
                Finding::Ours { version } if version == latest(MIGRATIONS) => {
                    break connect(&database, &options)?;
                }
                // Who has it does not know our schema, and it cannot be changed under their hands.
                Finding::Ours { .. } if started.elapsed() >= LEAVING => {
                    return Err(StoreError::Older);
                }
                // Who has it may be about to leave; then the file can be rescued.
                Finding::Damaged { reason } if started.elapsed() >= LEAVING => {
                    return Err(StoreError::Damaged {
                        path: database,
                        reason,
                    });
                }
                Finding::Damaged { .. } | Finding::Ours { .. } | Finding::Absent => {}
            }
        }
        pause(deadline, options.patience)?;
    };
    let worker = Worker {
        connection,
        places,
        options,
        unwritten: Default::default(),
        written: Default::default(),
        database,
        lock,
    };
    Ok((worker, notices))
}

/// Opens the database while no other program can.
fn open_alone(
    places: &StorePlaces,
    options: &StoreOptions,
    notices: &mut Vec<Notice>,
) -> Result<Connection, StoreError> {
    let database = places.database();
    let failed = |error| StoreError::sqlite(&database, &error, options.patience);
    match usable(places, options)? {
        Ok(mut connection) => {
            if let Some(copy) = migrate(&mut connection, &database, MIGRATIONS).map_err(failed)? {
                notices.push(
                    Notice::info("The session database was brought to a new schema.")
                        .with_hint(format!("the old one is kept as {}", copy.display())),
                );
            }
            Ok(connection)
        }
        Err(reason) => {
            let aside = damage::set_aside(places)?;
            let mut connection = connect(&database, options)?;
            migrate(&mut connection, &database, MIGRATIONS).map_err(failed)?;
            let rescued = damage::rescue(&aside, places, &mut connection);
            // The next start may take the new file for granted.
            let _ = fs::remove_file(places.suspicion());
            notices.push(rescued.notice(&reason, &aside));
            Ok(connection)
        }
    }
}

/// The connection to a database that can be used or made; or why the file has to be set aside.
fn usable(
    places: &StorePlaces,
    options: &StoreOptions,
) -> Result<Result<Connection, String>, StoreError> {
    let database = places.database();
    match inspect(&database, options)? {
        Finding::Damaged { reason } => Ok(Err(reason)),
        Finding::Absent => connect(&database, options).map(Ok),
        Finding::Ours { .. } => {
            // A log that was left behind by a program that was killed, or put here by a person.
            let was_left = size(&log_of(&database)) > 0;
            let connection = match connect(&database, options) {
                Err(StoreError::Damaged { reason, .. }) => return Ok(Err(reason)),
                other => other?,
            };
            let thorough = was_left || size(&database) <= SMALL || places.suspicion().exists();
            if thorough && let Err(reason) = check(&connection) {
                return Ok(Err(reason));
            }
            let _ = fs::remove_file(places.suspicion());
            Ok(Ok(connection))
        }
    }
}

/// Looks at the file without changing it. A newer schema is an error here, before anything is opened to write.
fn inspect(database: &Path, options: &StoreOptions) -> Result<Finding, StoreError> {
    // Opening a pipe would wait for somebody to write into it.
    if fs::metadata(database).is_ok_and(|about| !about.is_file()) {
        let error = std::io::Error::other("this is not a file");
        return Err(StoreError::read(database, &error));
    }
    let header = match read_header(database) {
        Ok(header) => header,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Finding::Absent),
        Err(error) => return Err(StoreError::read(database, &error)),
    };
    if header.is_empty() {
        return Ok(if size(&log_of(database)) > 0 {
            Finding::Damaged {
                reason: "the file is empty, but it has a log".to_owned(),
            }
        } else {
            Finding::Absent
        });
    }
    let Some((mut version, mut application)) = numbers(&header) else {
        return Ok(Finding::Damaged {
            reason: "it is not a SQLite database".to_owned(),
        });
    };
    if size(&log_of(database)) > 0 {
        // The log may hold a later first page.
        match read_only(database, &["user_version", "application_id"]) {
            Ok(values) => (version, application) = values,
            Err(error) => match StoreError::sqlite(database, &error, options.patience) {
                StoreError::Damaged { reason, .. } => return Ok(Finding::Damaged { reason }),
                other => return Err(other),
            },
        }
    }
    let known = latest(MIGRATIONS);
    if version > known {
        return Err(StoreError::Newer {
            path: database.to_owned(),
            found: version,
            known,
        });
    }
    if application == APPLICATION_ID {
        return Ok(Finding::Ours { version });
    }
    // Killed between making the file and filling it.
    let is_blank = application == 0 && version == 0 && header_pages(&header) <= 1;
    Ok(if is_blank {
        Finding::Absent
    } else {
        Finding::Damaged {
            reason: "it was not made by this program".to_owned(),
        }
    })
}

/// Opens the file to read and write, with our settings.
pub(super) fn connect(database: &Path, options: &StoreOptions) -> Result<Connection, StoreError> {
    // Made here so that nobody else can read it; SQLite gives its log the same mode.
    private_options()
        .truncate(false)
        .open(database)
        .map_err(|error| StoreError::write(database, &error))?;
    let prepare = || {
        let connection = Connection::open_with_flags(
            database,
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )?;
        connection.busy_timeout(SQLITE_PATIENCE)?;
        // A log that does not belong to the file must not be written into it because we looked at it.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        // Survives the end of the process at any moment; a power cut may cost the last transactions, never the file.
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.pragma_update(None, "journal_size_limit", LOG_LIMIT)?;
        connection.query_row("SELECT count(*) FROM sqlite_master", [], |_| Ok(()))?;
        connection.set_prepared_statement_cache_capacity(64);
        Ok(connection)
    };
    prepare().map_err(|error| StoreError::sqlite(database, &error, options.patience))
}

/// Looks through the whole file; says what is wrong with it.
fn check(connection: &Connection) -> Result<(), String> {
    let verdict: String = connection
        .query_row("PRAGMA quick_check(1)", [], |row| row.get(0))
        .map_err(|error| error.to_string())?;
    if verdict == "ok" {
        Ok(())
    } else {
        Err(verdict)
    }
}

fn read_only(database: &Path, pragmas: &[&str; 2]) -> rusqlite::Result<(i64, i64)> {
    let connection = Connection::open_with_flags(
        database,
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    connection.busy_timeout(SQLITE_PATIENCE)?;
    let [first, second] = pragmas;
    let first = connection.pragma_query_value(None, first, |row| row.get(0))?;
    let second = connection.pragma_query_value(None, second, |row| row.get(0))?;
    Ok((first, second))
}

fn read_header(database: &Path) -> std::io::Result<Vec<u8>> {
    let mut header = Vec::with_capacity(100);
    File::open(database)?.take(100).read_to_end(&mut header)?;
    Ok(header)
}

/// `user_version` and `application_id` as the header holds them; `None` when it is no SQLite header.
fn numbers(header: &[u8]) -> Option<(i64, i64)> {
    header.starts_with(b"SQLite format 3\0").then_some(())?;
    Some((number(header, 60)?, number(header, 68)?))
}

fn header_pages(header: &[u8]) -> i64 {
    number(header, 28).unwrap_or(0)
}

fn number(header: &[u8], at: usize) -> Option<i64> {
    let bytes: [u8; 4] = header.get(at..at + 4)?.try_into().ok()?;
    Some(i64::from(u32::from_be_bytes(bytes)))
}

fn size(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |found| found.len())
}

/// SQLite's write-ahead log of this database.
pub(super) fn log_of(database: &Path) -> std::path::PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push("-wal");
    name.into()
}
