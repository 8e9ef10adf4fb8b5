//! Opening: first start, newer schema, no room to write, several programs at once.

use std::{fs, path::Path};

use quarterdeck::store::{StoreError, StoreHandle, StorePlaces};
use sha2::{Digest, Sha256};

use super::world::{World, log, say, schema};

fn digest(path: &Path) -> Vec<u8> {
    Sha256::digest(fs::read(path).unwrap()).to_vec()
}

fn names(directory: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_newer_schema_is_refused_with_both_versions_and_left_unchanged() {
    let world = World::new();
    let store = world.open().await;
    world.session(&store, "one").await;
    store.close().await.unwrap();
    let database = world.database();
    database
        .execute_batch(
            "ALTER TABLE sessions ADD COLUMN unheard_of TEXT; PRAGMA user_version = 999;",
        )
        .unwrap();
    database.close().unwrap();
    let before = digest(&world.places.database());

    let refused = world.try_open().await.map(|_| ());

    let Err(error) = refused else {
        panic!("a newer schema was accepted");
    };
    assert_eq!(
        error,
        StoreError::Newer {
            path: world.places.database(),
            found: 999,
            known: schema()
        }
    );
    assert!(error.hint().unwrap().contains("newer version of qd"));
    assert_eq!(digest(&world.places.database()), before);
    assert_eq!(names(world.places.data()), ["sessions.db"]);
}

#[tokio::test]
async fn a_newer_schema_that_stands_only_in_the_write_ahead_log_is_refused_too() {
    let world = World::new();
    let store = world.open().await;
    store.close().await.unwrap();
    let newer = world.database();
    newer
        .execute_batch("PRAGMA wal_autocheckpoint = 0; PRAGMA user_version = 999;")
        .unwrap();
    let before = digest(&world.places.database());

    let refused = world.try_open().await.map(|_| ());

    assert_eq!(
        refused,
        Err(StoreError::Newer {
            path: world.places.database(),
            found: 999,
            known: schema()
        })
    );
    assert_eq!(digest(&world.places.database()), before);
    drop(newer);
}

#[tokio::test]
async fn a_directory_that_cannot_be_made_is_named_with_what_to_do() {
    let world = World::new();
    let file = world.folder.join("a-file");
    fs::File::create(&file).unwrap();
    let data = file.join("data");

    let refused = StoreHandle::open(StorePlaces::new(&data, world.folder.join("state"))).await;

    let Err(error) = refused else {
        panic!("a directory below a file was made");
    };
    assert!(matches!(&error, StoreError::Unwritable { path, .. } if *path == data));
    assert!(error.to_string().starts_with("cannot write "));
    assert!(error.hint().unwrap().contains("QD_HOME"));
}

#[tokio::test]
async fn eight_programs_that_start_at_once_make_one_database() {
    let world = World::new();

    let opened = futures::future::join_all((0..8).map(|_| world.try_open())).await;

    let mut stores = Vec::new();
    for outcome in opened {
        let (store, notices) = outcome.unwrap();
        assert_eq!(notices, []);
        stores.push(store);
    }
    for (number, store) in stores.iter().enumerate() {
        world.session(store, &number.to_string()).await;
    }
    let listed = stores[0].list_sessions(None, 100).await.unwrap();
    let titles: Vec<&str> = listed.iter().map(|info| info.title.as_str()).collect();
    assert_eq!(titles, ["7", "6", "5", "4", "3", "2", "1", "0"]);
}

#[cfg(unix)]
#[tokio::test]
async fn nobody_else_can_read_the_database_or_its_log() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::new();
    let store = world.open().await;
    world.session(&store, "one").await;

    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;

    assert_eq!(mode(world.places.data()), 0o700);
    assert_eq!(mode(&world.places.database()), 0o600);
    assert_eq!(mode(&world.places.data().join("sessions.db-wal")), 0o600);
}

#[tokio::test]
async fn an_empty_file_is_taken_for_a_first_start() {
    let world = World::new();
    fs::create_dir_all(world.places.data()).unwrap();
    fs::File::create(world.places.database()).unwrap();

    let store = world.open().await;
    let session = world.session(&store, "one").await;
    say(&store, &session, "two").await;

    assert_eq!(
        log(&store, &session).await,
        ["1 main said one", "2 main said two"]
    );
}

#[tokio::test]
async fn a_pipe_in_the_place_of_the_database_is_an_error_and_keeps_nobody_waiting() {
    let world = World::new();
    fs::create_dir_all(world.places.data()).unwrap();
    let pipe = world.places.database();
    let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, mode).unwrap();

    let refused = world.try_open().await.map(|_| ());

    assert_eq!(
        refused,
        Err(StoreError::Unreadable {
            path: pipe,
            reason: "this is not a file".to_owned()
        })
    );
}
