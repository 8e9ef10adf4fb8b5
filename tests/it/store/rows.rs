//! Scratchpad, drafts, prompts and trust.

use quarterdeck::{
    domain::{
        configured::seen::{Remembered, Seen},
        ids::AgentId,
        scratchpad::{ScratchpadEntry, ScratchpadInfo, ScratchpadOrigin},
    },
    store::{DraftKey, StoreError},
};

use super::world::World;

#[tokio::test]
async fn a_note_is_written_whole_replaced_and_read_back_after_a_restart() {
    let world = World::new();
    let store = world.open().await;
    let session = store.create_session(&world.folder).await.unwrap();
    let main = AgentId::main();
    let spill = ScratchpadOrigin::Spill {
        tool: "shell_execute".to_owned(),
    };
    store
        .scratchpad_write(&session.id, &main, "log", "old".to_owned(), spill)
        .await
        .unwrap();

    let info = store
        .scratchpad_write(
            &session.id,
            &main,
            "log",
            "größer\0".to_owned(),
            ScratchpadOrigin::Person,
        )
        .await
        .unwrap();
    drop(store);
    let store = world.open().await;
    let entry = store
        .scratchpad_read(&session.id, &main, "log")
        .await
        .unwrap();

    let expected = ScratchpadInfo {
        name: "log".to_owned(),
        agent: main,
        bytes: 9,
        updated_ms: info.updated_ms,
        origin: ScratchpadOrigin::Person,
    };
    assert_eq!(info, expected);
    assert_eq!(
        entry,
        Some(ScratchpadEntry {
            info: expected,
            content: "größer\0".to_owned()
        })
    );
}

#[tokio::test]
async fn notes_belong_to_one_agent_and_are_listed_by_agent_and_name() {
    let world = World::new();
    let store = world.open().await;
    let session = store.create_session(&world.folder).await.unwrap();
    let (main, scout) = (AgentId::main(), AgentId::new("scout_1a2b3c4d"));
    for (agent, name) in [
        (&scout, "b"),
        (&main, "plan"),
        (&main, "api"),
        (&scout, "api"),
    ] {
        store
            .scratchpad_write(
                &session.id,
                agent,
                name,
                format!("{name} of {agent}"),
                ScratchpadOrigin::Agent,
            )
            .await
            .unwrap();
    }

    let all = store.scratchpad_list(&session.id, None).await.unwrap();
    let own = store
        .scratchpad_list(&session.id, Some(&scout))
        .await
        .unwrap();

    let names = |list: &[ScratchpadInfo]| {
        list.iter()
            .map(|info| format!("{}/{}", info.agent, info.name))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        names(&all),
        [
            "main/api",
            "main/plan",
            "scout_1a2b3c4d/api",
            "scout_1a2b3c4d/b"
        ]
    );
    assert_eq!(names(&own), ["scout_1a2b3c4d/api", "scout_1a2b3c4d/b"]);
    assert_eq!(
        store.scratchpad_read(&session.id, &main, "b").await,
        Ok(None)
    );
}

#[tokio::test]
async fn a_note_is_renamed_only_to_a_free_name_and_deleted_once() {
    let world = World::new();
    let store = world.open().await;
    let session = store.create_session(&world.folder).await.unwrap();
    let main = AgentId::main();
    for name in ["a", "b"] {
        store
            .scratchpad_write(
                &session.id,
                &main,
                name,
                name.to_owned(),
                ScratchpadOrigin::Agent,
            )
            .await
            .unwrap();
    }
    let rename =
        async |from: &str, to: &str| store.scratchpad_rename(&session.id, &main, from, to).await;

    assert_eq!(
        rename("a", "b").await,
        Err(StoreError::EntryExists("b".to_owned()))
    );
    assert_eq!(
        rename("x", "y").await,
        Err(StoreError::NoEntry("x".to_owned()))
    );
    assert_eq!(rename("a", "a").await, Ok(()));
    assert_eq!(rename("a", "c").await, Ok(()));
    let entry = store.scratchpad_read(&session.id, &main, "c").await;
    assert_eq!(entry.unwrap().unwrap().content, "a");
    assert_eq!(
        store.scratchpad_delete(&session.id, &main, "c").await,
        Ok(true)
    );
    assert_eq!(
        store.scratchpad_delete(&session.id, &main, "c").await,
        Ok(false)
    );
}

#[tokio::test]
async fn drafts_of_a_folder_and_of_a_session_are_kept_apart_and_survive() {
    let world = World::new();
    let store = world.open().await;
    let session = world.session(&store, "one").await;
    let (folder, own) = (
        DraftKey::Folder(world.folder.clone()),
        DraftKey::Session(session.id),
    );
    for text in ["h", "ha", "half a sentence\n"] {
        store
            .save_draft(folder.clone(), text.to_owned())
            .await
            .unwrap();
    }
    store
        .save_draft(own.clone(), "other".to_owned())
        .await
        .unwrap();
    drop(store);

    let store = world.open().await;
    let kept = store.draft(folder.clone()).await.unwrap();
    store
        .save_draft(folder.clone(), String::new())
        .await
        .unwrap();

    assert_eq!(kept, "half a sentence\n");
    assert_eq!(store.draft(folder).await.unwrap(), "");
    assert_eq!(store.draft(own).await.unwrap(), "other");
}

#[tokio::test]
async fn prompts_of_a_folder_come_oldest_first_without_repeats_and_bounded() {
    let world = World::new();
    let store = world.open().await;
    for text in ["a", "b", "b", "a"] {
        store
            .add_prompt(&world.folder, text.to_owned())
            .await
            .unwrap();
    }
    let few = store.prompts(&world.folder, 10).await.unwrap();
    for number in 0..1000 {
        store
            .add_prompt(&world.folder, number.to_string())
            .await
            .unwrap();
    }

    let all = store.prompts(&world.folder, 5000).await.unwrap();

    assert_eq!(few, ["a", "b", "a"]);
    assert_eq!(
        all,
        (0..1000)
            .map(|number| number.to_string())
            .collect::<Vec<_>>()
    );
    assert_eq!(
        store.prompts(&world.folder, 2).await.unwrap(),
        ["998", "999"]
    );
    assert_eq!(
        store.prompts(&world.folder.join("x"), 2).await.unwrap(),
        Vec::<String>::new()
    );
}

#[tokio::test]
async fn trust_holds_for_exactly_the_folder_that_was_asked_about() {
    let world = World::new();
    let store = world.open().await;
    let inner = world.folder.join("inner");
    std::fs::create_dir(&inner).unwrap();

    let seen = Seen([("a".to_owned(), "1".to_owned())].into());
    let said = |trusted, seen: &Seen| {
        let seen = Some(seen.clone());
        Ok(Some(Remembered { trusted, seen }))
    };

    let set = store.set_trust(&world.folder, true, seen.clone());
    set.await.unwrap();
    let before = store.trust(&inner).await.unwrap();
    store.set_trust(&inner, true, seen.clone()).await.unwrap();
    let set = store.set_trust(&inner, false, Seen::default());
    set.await.unwrap();

    assert_eq!(before, None);
    assert_eq!(store.trust(&world.folder).await, said(true, &seen));
    assert_eq!(store.trust(&inner).await, said(false, &Seen::default()));
}

/// What an earlier version stored of trust has no place for what was seen.
#[tokio::test]
async fn trust_of_an_earlier_version_does_not_say_what_was_seen() {
    let world = World::new();
    std::fs::create_dir_all(world.places.data()).unwrap();
    let database = rusqlite::Connection::open(world.places.database()).unwrap();
    for step in [
        include_str!("../../../src/store/migrations/0001_initial.sql"),
        include_str!("../../../src/store/migrations/0002_grants.sql"),
        "PRAGMA user_version = 2; PRAGMA application_id = 1902404459",
    ] {
        database.execute_batch(step).unwrap();
    }
    let folder = world.folder.as_os_str().as_encoded_bytes();
    database
        .execute(
            "INSERT INTO trust (folder, trusted) VALUES (?1, 1)",
            [folder],
        )
        .unwrap();
    drop(database);

    let (store, _) = world.try_open().await.unwrap();

    let old = Remembered {
        trusted: true,
        seen: None,
    };
    assert_eq!(store.trust(&world.folder).await, Ok(Some(old)));
    let set = store.set_trust(&world.folder, true, Seen::default());
    set.await.unwrap();
    let now = store.trust(&world.folder).await.unwrap().unwrap();
    assert_eq!(now.seen, Some(Seen::default()));
}
