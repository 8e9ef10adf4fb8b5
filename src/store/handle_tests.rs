//! What can be provoked only from inside: a full disk, a job that panics.

use super::*;
use crate::domain::record::{Lane, Speaker};

fn said(text: &str) -> Record {
    Record::Said {
        speaker: Speaker::Person,
        lane: Lane::Steer,
        text: text.to_owned(),
    }
}

async fn store() -> (tempfile::TempDir, StoreHandle, SessionInfo) {
    let directory = tempfile::tempdir().unwrap();
    let places = StorePlaces::new(
        directory.path().join("data"),
        directory.path().join("state"),
    );
    let (store, _) = StoreHandle::open(places).await.unwrap();
    let session = store.create_session(directory.path()).await.unwrap();
    store
        .append(&session.id, &AgentId::main(), said("one"))
        .await
        .unwrap();
    (directory, store, session)
}

async fn limit_pages(store: &StoreHandle, pages: i64) {
    store
        .call(move |worker| {
            worker.read(|connection| {
                connection.query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(()))
            })
        })
        .await
        .unwrap();
}

async fn words(store: &StoreHandle, session: &SessionInfo) -> Vec<(u64, Record)> {
    let records = store.all_records(&session.id).await.unwrap();
    records
        .into_iter()
        .map(|stored| (stored.sequence.0, stored.record))
        .collect()
}

#[tokio::test]
async fn a_full_disk_is_reported_and_tears_nothing() {
    let (_directory, store, session) = store().await;
    limit_pages(&store, 1).await;
    let long = "x".repeat(200_000);
    let both = vec![
        (AgentId::main(), said("small")),
        (AgentId::main(), said(&long)),
    ];

    let refused = store.append_many(&session.id, both.clone()).await;
    let kept = words(&store, &session).await;
    limit_pages(&store, 1_000_000).await;
    store.append_many(&session.id, both).await.unwrap();

    assert_eq!(refused, Err(StoreError::Full));
    assert!(StoreError::Full.is_passing());
    assert_eq!(kept, [(1, said("one"))]);
    assert_eq!(
        words(&store, &session).await,
        [(1, said("one")), (2, said("small")), (3, said(&long))]
    );
    let verdict: String = store
        .call(|worker| {
            worker.read(|connection| {
                connection.query_row("PRAGMA integrity_check", [], |row| row.get(0))
            })
        })
        .await
        .unwrap();
    assert_eq!(verdict, "ok");
}

#[tokio::test]
async fn a_call_that_panics_fails_alone_and_is_rolled_back() {
    let (_directory, store, session) = store().await;
    let id = session.id.clone();

    let broken: Result<(), StoreError> = store
        .call(move |worker| {
            worker.write_session(&id, |transaction, key| {
                transaction.execute("DELETE FROM records WHERE session = ?1", [key])?;
                panic!("a bug")
            })
        })
        .await;

    assert_eq!(
        broken,
        Err(StoreError::Failed("a call broke off".to_owned()))
    );
    assert_eq!(words(&store, &session).await, [(1, said("one"))]);
}
