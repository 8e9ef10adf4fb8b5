//! The list of sessions and the right to write one.

use quarterdeck::{
    domain::{
        ids::{AgentId, CallId, SessionId},
        record::Record,
        tool::{CallStatus, ToolResult},
    },
    store::StoreError,
};

use super::world::{World, log, reply, said, say};

#[tokio::test]
async fn a_session_without_words_of_the_person_is_in_no_list() {
    let world = World::new();
    let store = world.open().await;
    let silent = store.create_session(&world.folder).await.unwrap();
    let greeted = store.create_session(&world.folder).await.unwrap();
    store
        .append(&greeted.id, &AgentId::main(), reply("welcome"))
        .await
        .unwrap();
    let real = world.session(&store, "hello").await;

    let listed = store.list_sessions(None, 10).await.unwrap();

    let ids: Vec<&SessionId> = listed.iter().map(|info| &info.id).collect();
    assert_eq!(ids, [&real.id]);
    assert_eq!(log(&store, &silent).await, Vec::<String>::new());
    assert_eq!(log(&store, &greeted).await, ["1 main reply welcome"]);
}

#[tokio::test]
async fn closing_drops_only_sessions_in_which_nothing_happened() {
    let world = World::new();
    let store = world.open().await;
    let titled = store.create_session(&world.folder).await.unwrap();
    store.set_title(&titled.id, "Later").await.unwrap();
    let greeted = store.create_session(&world.folder).await.unwrap();
    let worked = store.create_session(&world.folder).await.unwrap();
    let ran = Record::PersonRan {
        command: "make deploy".to_owned(),
        result: ToolResult::plain(CallId::new("person_1"), CallStatus::Done, "deployed"),
        shared: false,
    };
    for (session, record) in [(&greeted, reply("welcome")), (&worked, ran)] {
        store
            .append(&session.id, &AgentId::main(), record)
            .await
            .unwrap();
    }
    store.close().await.unwrap();

    let store = world.open().await;
    let latest = store.latest_session(&world.folder).await.unwrap();

    let latest = latest.map(|info| (info.id, info.title));
    assert_eq!(latest, Some((worked.id, "!make deploy".to_owned())));
    assert!(store.session(&greeted.id).await.is_ok());
    let gone = store.session(&titled.id).await.unwrap_err();
    assert_eq!(gone, StoreError::NoSession(titled.id.to_string()));
}

#[tokio::test]
async fn a_session_is_listed_by_folder_with_title_and_number_of_messages() {
    let world = World::new();
    let store = world.open().await;
    let elsewhere = world.folder.join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    let other = store.create_session(&elsewhere).await.unwrap();
    say(&store, &other, "not here").await;
    let first = world.session(&store, "Fix\nthe   test").await;
    let second = world.session(&store, "Read the manual").await;
    say(&store, &first, "and then the other one").await;
    store.set_title(&second.id, "Manual").await.unwrap();
    say(&store, &second, "more").await;

    let listed = store.list_sessions(Some(&world.folder), 10).await.unwrap();

    let rows: Vec<(&str, u64, bool)> = listed
        .iter()
        .map(|info| (info.title.as_str(), info.messages, info.cwd == world.folder))
        .collect();
    assert_eq!(rows, [("Manual", 2, true), ("Fix the test", 2, true)]);
    let latest = store.latest_session(&elsewhere).await.unwrap();
    assert_eq!(latest.map(|info| info.id), Some(other.id));
    assert_eq!(
        log(&store, &second).await,
        [
            "1 main said Read the manual",
            "2 main titled Manual",
            "3 main said more"
        ]
    );
}

#[cfg(unix)]
#[tokio::test]
async fn a_folder_is_found_again_through_a_link_and_when_its_name_is_no_unicode() {
    use std::os::unix::ffi::OsStrExt;
    let world = World::new();
    let store = world.open().await;
    let odd = world
        .folder
        .join(std::ffi::OsStr::from_bytes(b"caf\xe9 \xff"));
    std::fs::create_dir(&odd).unwrap();
    let link = world.folder.join("link");
    std::os::unix::fs::symlink(&odd, &link).unwrap();
    let session = store.create_session(&odd).await.unwrap();
    say(&store, &session, "hello").await;

    let found = store.latest_session(&link).await.unwrap().unwrap();

    assert_eq!((found.id, found.cwd), (session.id, odd));
}

#[tokio::test]
async fn a_session_is_found_by_the_beginning_of_its_id_when_that_is_unique() {
    let world = World::new();
    let store = world.open().await;
    let session = world.session(&store, "one").await;
    world
        .database()
        .execute_batch(
            "INSERT INTO sessions (id, cwd, created_ms, updated_ms) VALUES
                 ('abc-1', x'2f', 0, 0), ('abc-2', x'2f', 0, 0), ('abc', x'2f', 0, 0), ('%', x'2f', 0, 0);",
        )
        .unwrap();
    let find = async |prefix: &str| store.find_session(prefix).await.map(|info| info.id);

    assert_eq!(find(session.id.as_str()).await, Ok(session.id.clone()));
    assert_eq!(
        find(&session.id.as_str()[..20].to_uppercase()).await,
        Ok(session.id.clone())
    );
    assert_eq!(find("abc").await, Ok(SessionId::new("abc")));
    assert_eq!(
        find("ab").await,
        Err(StoreError::Ambiguous {
            prefix: "ab".to_owned(),
            matches: 3
        })
    );
    assert_eq!(
        find("f_").await,
        Err(StoreError::NoSession("f_".to_owned()))
    );
    assert!(matches!(find(" ").await, Err(StoreError::NoSession(_))));
}

#[tokio::test]
async fn a_second_program_cannot_write_an_open_session_until_the_first_lets_go() {
    let world = World::new();
    let here = world.open().await;
    let there = world.open().await;
    let session = world.session(&here, "one").await;
    let (lock, info) = here.open_session(&session.id).await.unwrap();

    let refused = there.open_session(&session.id).await.map(|_| ());
    let twice = here.open_session(&session.id).await.map(|_| ());
    drop(lock);
    let (taken_over, _) = there.open_session(&session.id).await.unwrap();

    let in_use = Err(StoreError::InUse {
        session: session.id.clone(),
        holder: Some(std::process::id()),
    });
    assert_eq!(refused, in_use);
    assert_eq!(twice, in_use);
    assert_eq!((info.title.as_str(), info.messages), ("one", 1));
    assert_eq!(taken_over.session(), &session.id);
    drop(taken_over);
    let left: Vec<String> = std::fs::read_dir(world.places.locks())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(left, ["sessions.db.lock"]);
}

#[tokio::test]
async fn what_is_not_there_is_named() {
    let world = World::new();
    let store = world.open().await;
    let unknown = SessionId::new("no-such-session");
    let missing = || StoreError::NoSession("no-such-session".to_owned());

    let opened = store.open_session(&unknown).await.map(|_| ());
    let appended = store
        .append(&unknown, &AgentId::main(), said("hello"))
        .await
        .map(|_| ());
    let read = store.all_records(&unknown).await;
    let titled = store.set_title(&unknown, "x").await.map(|_| ());

    assert_eq!(opened, Err(missing()));
    assert_eq!(appended, Err(missing()));
    assert_eq!(read, Err(missing()));
    assert_eq!(titled, Err(missing()));
}

#[tokio::test]
async fn a_record_that_cannot_be_read_does_not_take_its_session_with_it() {
    let world = World::new();
    let store = world.open().await;
    let session = world.session(&store, "one").await;
    say(&store, &session, "two").await;
    say(&store, &session, "three").await;
    let database = world.database();
    database
        .execute_batch(
            "UPDATE records SET body = '{\"type\":\"gone\"}' WHERE sequence = 1;
             UPDATE records SET body = CAST(x'22ff' AS TEXT) WHERE sequence = 2;",
        )
        .unwrap();

    let records = store.all_records(&session.id).await.unwrap();

    let said = |index: usize| match &records[index].record {
        Record::StageDirection { text, .. } => text.split(':').next().unwrap().to_owned(),
        Record::Said { text, .. } => text.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        [said(0), said(1), said(2)],
        [
            "record 1 cannot be read",
            "record 2 cannot be read",
            "three"
        ]
    );
}
