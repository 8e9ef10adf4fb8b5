//! The log: order, durability, paging, partial replies.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use quarterdeck::{
    domain::ids::{AgentId, Sequence, SessionId},
    store::{Clock, StoreError, StoreOptions},
};

use super::world::{World, line, log, partial, reply, said, say};

fn frozen(now: &Arc<AtomicI64>) -> StoreOptions {
    let now = Arc::clone(now);
    StoreOptions {
        clock: Clock::new(move || now.load(Ordering::Relaxed)),
        patience: Duration::from_secs(5),
    }
}

#[tokio::test]
async fn what_was_appended_is_there_after_the_program_was_dropped_without_closing() {
    let world = World::new();
    let store = world.open().await;
    let session = world.session(&store, "hello").await;
    let stored = store
        .append(&session.id, &AgentId::main(), reply("hi"))
        .await
        .unwrap();
    drop(store);

    let store = world.open().await;

    assert_eq!(
        log(&store, &session).await,
        ["1 main said hello", "2 main reply hi"]
    );
    assert_eq!(
        store.all_records(&session.id).await.unwrap().last(),
        Some(&stored)
    );
}

#[tokio::test]
async fn a_thousand_records_of_one_millisecond_keep_their_order() {
    let world = World::new();
    let now = Arc::new(AtomicI64::new(1_700_000_000_000));
    let store = world.open_with(frozen(&now)).await;
    let session = store.create_session(&world.folder).await.unwrap();

    for number in 1..=1000 {
        say(&store, &session, &format!("message {number}")).await;
    }

    let records = store.all_records(&session.id).await.unwrap();
    let expected: Vec<String> = (1..=1000)
        .map(|number| format!("{number} main said message {number}"))
        .collect();
    assert_eq!(records.iter().map(line).collect::<Vec<_>>(), expected);
    assert!(
        records
            .iter()
            .all(|stored| stored.at_ms == 1_700_000_000_000)
    );
}

#[tokio::test]
async fn a_clock_that_goes_back_or_leaps_forward_changes_no_order() {
    let world = World::new();
    let now = Arc::new(AtomicI64::new(1_000_000_000));
    let store = world.open_with(frozen(&now)).await;
    let first = world.session(&store, "one").await;

    now.fetch_sub(600_000, Ordering::Relaxed);
    say(&store, &first, "two").await;
    let second = world.session(&store, "other").await;
    now.fetch_add(31_536_000_000, Ordering::Relaxed);
    say(&store, &first, "three").await;
    now.fetch_sub(31_536_000_000, Ordering::Relaxed);
    say(&store, &second, "latest").await;

    assert_eq!(
        log(&store, &first).await,
        ["1 main said one", "2 main said two", "3 main said three"]
    );
    let listed = store.list_sessions(None, 10).await.unwrap();
    let ids: Vec<&SessionId> = listed.iter().map(|info| &info.id).collect();
    assert_eq!(ids, [&second.id, &first.id]);
}

#[tokio::test]
async fn the_latest_partial_replaces_the_one_before_and_the_reply_replaces_it() {
    let world = World::new();
    let store = world.open().await;
    let session = world.session(&store, "go").await;
    let (main, scout) = (AgentId::main(), AgentId::new("scout_1a2b3c4d"));

    for record in [partial("a"), partial("a b")] {
        store.append(&session.id, &main, record).await.unwrap();
    }
    store
        .append(&session.id, &scout, partial("x"))
        .await
        .unwrap();
    let while_streaming = log(&store, &session).await;
    store
        .append(&session.id, &main, reply("a b c"))
        .await
        .unwrap();

    assert_eq!(
        while_streaming,
        [
            "1 main said go",
            "3 main partial a b",
            "4 scout_1a2b3c4d partial x"
        ]
    );
    assert_eq!(
        log(&store, &session).await,
        [
            "1 main said go",
            "4 scout_1a2b3c4d partial x",
            "5 main reply a b c"
        ]
    );
}

#[tokio::test]
async fn a_page_holds_the_latest_records_before_a_place() {
    let world = World::new();
    let store = world.open().await;
    let session = store.create_session(&world.folder).await.unwrap();
    let records = (1..=7)
        .map(|number| (AgentId::main(), said(&number.to_string())))
        .collect();
    store.append_many(&session.id, records).await.unwrap();
    let mut pages = Vec::new();

    let mut before = None;
    loop {
        let page = store.records(&session.id, before, 3).await.unwrap();
        before = page.records.first().map(|stored| stored.sequence);
        let numbers: Vec<u64> = page
            .records
            .iter()
            .map(|stored| stored.sequence.0)
            .collect();
        pages.push((numbers, page.more));
        if !page.more {
            break;
        }
    }

    assert_eq!(
        pages,
        [
            (vec![5, 6, 7], true),
            (vec![2, 3, 4], true),
            (vec![1], false)
        ]
    );
    let before_all = store.records(&session.id, Some(Sequence(1)), 3).await;
    assert_eq!(before_all.unwrap().records, []);
}

#[tokio::test]
async fn two_programs_that_append_at_once_lose_nothing_and_share_no_number() {
    let world = World::new();
    let here = world.open().await;
    let there = world.open().await;
    let session = world.session(&here, "0").await;

    let append = |store: quarterdeck::store::StoreHandle| {
        let session = session.clone();
        async move {
            for number in 0..200 {
                say(&store, &session, &number.to_string()).await;
            }
        }
    };
    tokio::join!(append(here.clone()), append(there.clone()));

    let records = here.all_records(&session.id).await.unwrap();
    let numbers: Vec<u64> = records.iter().map(|stored| stored.sequence.0).collect();
    assert_eq!(numbers, (1..=401).collect::<Vec<_>>());
    assert_eq!(there.session(&session.id).await.unwrap().messages, 401);
}

#[tokio::test]
async fn a_program_that_keeps_the_database_locked_is_waited_for_and_then_named() {
    let world = World::new();
    let store = world
        .open_with(StoreOptions {
            patience: Duration::ZERO,
            ..StoreOptions::default()
        })
        .await;
    let session = world.session(&store, "one").await;
    let other = world.database();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();

    let refused = store
        .append(&session.id, &AgentId::main(), said("two"))
        .await;
    let still_readable = log(&store, &session).await;
    other.execute_batch("COMMIT").unwrap();
    say(&store, &session, "two").await;

    assert_eq!(refused, Err(StoreError::Busy { seconds: 0 }));
    assert_eq!(still_readable, ["1 main said one"]);
    assert_eq!(
        log(&store, &session).await,
        ["1 main said one", "2 main said two"]
    );
}

#[tokio::test]
async fn the_write_ahead_log_is_emptied_by_closing() {
    let world = World::new();
    let store = world.open().await;
    let session = world.session(&store, "one").await;
    let log_file = world.places.data().join("sessions.db-wal");
    assert!(log_file.metadata().unwrap().len() > 0);

    store.close().await.unwrap();

    assert!(!log_file.exists());
    assert_eq!(
        store.all_records(&session.id).await,
        Err(StoreError::Closed)
    );
    assert_eq!(store.close().await, Err(StoreError::Closed));
}
