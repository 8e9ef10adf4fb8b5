//! A damaged database: the start works, the file is kept, what can be read comes back, the person is told.

use std::{
    fs::{self, OpenOptions},
    io::{Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use quarterdeck::{
    domain::notice::{Notice, Severity},
    store::{StoreError, StoreHandle},
};

use super::world::{World, log, say};

const SESSIONS: usize = 20;
const MESSAGES: usize = 30;

/// A closed database of some hundred kilobytes.
async fn filled() -> World {
    let world = World::new();
    let store = world.open().await;
    for number in 0..SESSIONS {
        let session = world.session(&store, &format!("session {number}")).await;
        for message in 1..MESSAGES {
            let words = format!("message {message} {}", "filler ".repeat(100));
            say(&store, &session, &words).await;
        }
    }
    store.close().await.unwrap();
    world
}

fn overwrite(path: &Path, at: u64, bytes: &[u8]) {
    let mut file = OpenOptions::new().write(true).open(path).unwrap();
    file.seek(SeekFrom::Start(at)).unwrap();
    file.write_all(bytes).unwrap();
}

/// The files that were set aside.
fn aside(world: &World) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(world.places.data())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().contains("damaged-"))
        .collect();
    found.sort();
    found
}

/// Opens what is damaged and expects to be told where the old file is.
async fn reopened(world: &World) -> (StoreHandle, Notice) {
    let (store, mut notices) = world.try_open().await.unwrap();
    let notice = notices.pop().unwrap();
    assert_eq!(notices, []);
    assert_eq!(notice.severity, Severity::Warning);
    let kept = aside(world).remove(0);
    assert_eq!(
        notice.hint,
        Some(format!("the damaged file is kept as {}", kept.display()))
    );
    // And what is made anew is sound: nothing is said at the next start.
    let second = world.open().await;
    drop(second);
    (store, notice)
}

async fn readable(store: &StoreHandle) -> (usize, usize) {
    let sessions = store.list_sessions(None, 1000).await.unwrap();
    let mut records = 0;
    for session in &sessions {
        records += store.all_records(&session.id).await.unwrap().len();
    }
    (sessions.len(), records)
}

#[tokio::test]
async fn four_kilobytes_overwritten_in_the_middle_cost_little_and_are_told() {
    let world = filled().await;
    let database = world.places.database();
    let middle = fs::metadata(&database).unwrap().len() / 2 / 4096 * 4096;
    overwrite(&database, middle, &[0xA5; 4096]);
    let damaged = fs::read(&database).unwrap();

    let (store, notice) = reopened(&world).await;

    let (sessions, records) = readable(&store).await;
    assert_eq!(sessions, SESSIONS);
    assert!(records >= SESSIONS * MESSAGES - 16, "{records} records");
    assert!(notice.text.contains("Rescued: 20 sessions"), "{notice:?}");
    assert_eq!(fs::read(&aside(&world)[0]).unwrap(), damaged);
}

#[tokio::test]
async fn of_a_file_that_was_cut_in_half_the_first_half_comes_back() {
    let world = filled().await;
    let database = world.places.database();
    let length = fs::metadata(&database).unwrap().len();
    OpenOptions::new()
        .write(true)
        .open(&database)
        .unwrap()
        .set_len(length / 2)
        .unwrap();

    let (store, _) = reopened(&world).await;

    let (sessions, records) = readable(&store).await;
    assert_eq!(sessions, SESSIONS);
    assert!(records >= SESSIONS * MESSAGES / 3, "{records} records");
}

#[tokio::test]
async fn a_file_that_is_no_database_is_kept_and_replaced() {
    let world = World::new();
    fs::create_dir_all(world.places.data()).unwrap();
    let mut file = fs::File::create(world.places.database()).unwrap();
    let words = "these are my notes, do not delete them\n".repeat(10);
    file.write_all(words.as_bytes()).unwrap();

    let (store, notice) = reopened(&world).await;

    assert!(notice.text.contains("not a SQLite database"), "{notice:?}");
    assert_eq!(fs::read_to_string(&aside(&world)[0]).unwrap(), words);
    world.session(&store, "goes on").await;
}

#[tokio::test]
async fn another_programs_database_is_kept_and_replaced() {
    let world = World::new();
    fs::create_dir_all(world.places.data()).unwrap();
    world
        .database()
        .execute_batch("CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1);")
        .unwrap();

    let (_store, notice) = reopened(&world).await;

    assert!(
        notice.text.contains("not made by this program"),
        "{notice:?}"
    );
    assert_eq!(aside(&world).len(), 1);
}

#[tokio::test]
async fn a_log_left_over_from_another_file_takes_no_session_with_it() {
    let world = filled().await;
    let other = filled().await;
    let keeper = other.database();
    keeper
        .execute_batch("PRAGMA wal_autocheckpoint = 0; DELETE FROM records WHERE key % 2;")
        .unwrap();
    let log_name = "sessions.db-wal";
    fs::copy(
        other.places.data().join(log_name),
        world.places.data().join(log_name),
    )
    .unwrap();

    let (store, notices) = world.try_open().await.unwrap();

    let (sessions, _) = readable(&store).await;
    assert_eq!(sessions, SESSIONS);
    // Whether SQLite can tell the strange log from its own decides what is said; the file stays sound.
    store.close().await.unwrap();
    let verdict: String = world
        .database()
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .unwrap();
    assert_eq!(verdict, "ok");
    assert_eq!(notices.len(), aside(&world).len().min(1));
}

#[tokio::test]
async fn an_empty_file_with_a_log_is_kept_with_its_log() {
    let world = World::new();
    let store = world.open().await;
    world.session(&store, "one").await;
    let log_file = world.places.data().join("sessions.db-wal");
    let content = fs::read(&log_file).unwrap();
    store.close().await.unwrap();
    fs::File::create(world.places.database()).unwrap();
    fs::File::create(&log_file)
        .unwrap()
        .write_all(&content)
        .unwrap();

    let (_store, notice) = reopened(&world).await;

    assert!(notice.text.contains("the file is empty"), "{notice:?}");
    let kept: Vec<Vec<u8>> = aside(&world)
        .iter()
        .map(|path| fs::read(path).unwrap())
        .collect();
    assert_eq!(kept, [Vec::new(), content]);
}

#[tokio::test]
async fn damage_met_while_running_is_named_and_mended_at_the_next_start() {
    let world = filled().await;
    let database = world.places.database();
    let first = world.open().await;
    let sessions = first.list_sessions(None, 1000).await.unwrap();
    let length = fs::metadata(&database).unwrap().len();
    overwrite(
        &database,
        64 * 1024,
        &vec![0xA5; length as usize - 64 * 1024],
    );
    // Not looked through, since another program uses the file already.
    let second = world.open().await;

    let mut broken = 0;
    for session in &sessions {
        match second.all_records(&session.id).await {
            Ok(_) => {}
            Err(StoreError::Damaged { path, .. }) => {
                assert_eq!(path, database);
                broken += 1;
            }
            Err(other) => panic!("{other:?}"),
        }
    }
    first.close().await.unwrap();
    second.close().await.unwrap();
    assert!(broken > 0);

    let (store, _) = reopened(&world).await;

    let session = world.session(&store, "goes on").await;
    assert_eq!(log(&store, &session).await, ["1 main said goes on"]);
}

#[tokio::test]
async fn an_older_program_that_has_the_database_open_is_named() {
    let world = filled().await;
    let first = world.open().await;
    rusqlite::Connection::open(world.places.database())
        .unwrap()
        .pragma_update(None, "user_version", 1)
        .unwrap();

    let second = StoreHandle::open(world.places.clone()).await;

    assert_eq!(second.err(), Some(StoreError::Older));
    first.close().await.unwrap();
}
