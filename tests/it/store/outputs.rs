//! Outputs kept whole as files.

use std::{
    fs,
    path::{Path, PathBuf},
};

use quarterdeck::{
    domain::{
        artifact::{Address, ArtifactRef},
        ids::ArtifactId,
    },
    store::{ArtifactRead, ArtifactSource, StoreError, StoreHandle, StreamContent, StreamSource},
};

use super::world::World;

/// SHA-256 of `one\ntwo`.
const DIGEST: &str = "21066d108d5319ecb5a1fc4454f42ef22fc5f1c7df49c31d90294950e0ea8b2c";

/// Writes a file past the store.
fn overwrite(path: &Path, bytes: &[u8]) {
    let mut file = fs::File::create(path).unwrap();
    std::io::Write::write_all(&mut file, bytes).unwrap();
}

async fn open(store: &StoreHandle, id: &ArtifactId) -> Result<PathBuf, StoreError> {
    let (id, stream) = (id.clone(), None);
    store.open_artifact(&Address { id, stream }).await
}

fn files(directory: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut waiting = vec![directory.to_owned()];
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                let name = path.strip_prefix(directory).unwrap();
                found.push(name.to_string_lossy().into_owned());
            }
        }
    }
    found.sort();
    found
}

#[tokio::test]
async fn an_output_is_kept_under_its_digest_and_only_once() {
    let world = World::new();
    let store = world.open().await;
    let spool = world.folder.join("spool");
    let text = b"one\ntwo".to_vec();
    let mut file = fs::File::create(&spool).unwrap();
    std::io::Write::write_all(&mut file, &text).unwrap();

    let from_memory = store
        .put_artifact(ArtifactSource::Bytes(text.clone()), false)
        .await
        .unwrap();
    let from_file = store
        .put_artifact(ArtifactSource::File(spool.clone()), false)
        .await
        .unwrap();

    let expected = ArtifactRef {
        id: ArtifactId::new(DIGEST),
        bytes: 7,
        lines: 2,
        cut: false,
        streams: None,
    };
    assert_eq!(from_memory, expected);
    assert_eq!(from_file, expected);
    assert!(!spool.exists());
    let (head, _) = DIGEST.split_at(2);
    assert_eq!(
        files(&world.places.artifacts()),
        [format!("{head}/{DIGEST}")]
    );
    let path = open(&store, &expected.id).await.unwrap();
    assert_eq!(fs::read(&path).unwrap(), text);
}

#[cfg(unix)]
#[tokio::test]
async fn a_file_is_taken_over_and_nobody_else_can_read_it() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::new();
    let store = world.open().await;
    let spool = world.folder.join("spool");
    let mut file = fs::File::create(&spool).unwrap();
    std::io::Write::write_all(&mut file, &b"line\n".repeat(200_000)).unwrap();
    fs::set_permissions(&spool, fs::Permissions::from_mode(0o644)).unwrap();

    let kept = store
        .put_artifact(ArtifactSource::File(spool.clone()), true)
        .await
        .unwrap();

    assert_eq!(
        (kept.bytes, kept.lines, kept.cut),
        (1_000_000, 200_000, true)
    );
    assert!(!spool.exists());
    let path = open(&store, &kept.id).await.unwrap();
    assert_eq!(
        fs::metadata(&path).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert_eq!(
        store.read_artifact(&kept.id, 7).await,
        Ok(ArtifactRead {
            bytes: b"line\nli".to_vec(),
            total: 1_000_000
        })
    );
}

#[tokio::test]
async fn a_stored_file_that_was_cut_short_is_written_again() {
    let world = World::new();
    let store = world.open().await;
    let source = ArtifactSource::Bytes(b"the whole of it".to_vec());
    let kept = store.put_artifact(source.clone(), false).await.unwrap();
    let path = open(&store, &kept.id).await.unwrap();
    fs::File::create(&path).unwrap();

    store.put_artifact(source, false).await.unwrap();

    assert_eq!(fs::read(&path).unwrap(), b"the whole of it");
}

#[tokio::test]
async fn an_id_can_name_nothing_outside_the_store() {
    let world = World::new();
    let store = world.open().await;
    let secret = world.places.data().join("secret");
    fs::File::create(&secret).unwrap();

    for id in [
        "",
        "secret",
        "../secret",
        "../../data/secret",
        "a",
        &"A".repeat(64),
    ] {
        let id = ArtifactId::new(id);
        let none = StoreError::NoArtifact(id.to_string());
        assert_eq!(open(&store, &id).await, Err(none));
        assert_eq!(
            store.read_artifact(&id, 10).await,
            Err(StoreError::NoArtifact(id.to_string()))
        );
    }
}

#[tokio::test]
async fn a_damaged_output_is_refused_by_name_and_mended_by_keeping_it_again() {
    let world = World::new();
    let store = world.open().await;
    let source = ArtifactSource::Bytes(b"what was kept".to_vec());
    let kept = store.put_artifact(source.clone(), false).await.unwrap();
    let path = open(&store, &kept.id).await.unwrap();
    // As long as before.
    overwrite(&path, b"what was kepd");

    let damaged = Err(StoreError::DamagedArtifact(kept.id.to_string()));
    assert_eq!(open(&store, &kept.id).await, damaged);
    let read = store.read_artifact(&kept.id, 100).await;
    assert_eq!(
        read.unwrap_err().to_string(),
        format!(
            "the stored output {} is damaged: its content is not what was kept",
            kept.id
        )
    );

    store.put_artifact(source, false).await.unwrap();
    assert_eq!(open(&store, &kept.id).await, Ok(path));
}

#[tokio::test]
async fn an_output_that_was_read_before_is_looked_at_again_when_it_changes() {
    let world = World::new();
    let store = world.open().await;
    let source = ArtifactSource::Bytes(b"first".to_vec());
    let kept = store.put_artifact(source, false).await.unwrap();
    let path = open(&store, &kept.id).await.unwrap();
    open(&store, &kept.id).await.unwrap();

    overwrite(&path, b"first and more");

    let damaged = Err(StoreError::DamagedArtifact(kept.id.to_string()));
    assert_eq!(open(&store, &kept.id).await, damaged);
}

#[tokio::test]
async fn the_beginning_of_an_output_ends_with_a_whole_character() {
    let world = World::new();
    let store = world.open().await;
    let bytes = ["añ日".as_bytes(), b"\xFF", "𝄞".as_bytes(), b"\xF0\x9D"].concat();
    let source = ArtifactSource::Bytes(bytes.clone());
    let kept = store.put_artifact(source, false).await.unwrap();

    let mut texts = Vec::new();
    for cap in 0..=bytes.len() as u64 {
        texts.push(store.read_artifact(&kept.id, cap).await.unwrap().text());
    }

    let expected = [
        "",
        "a",
        "a",
        "añ",
        "añ",
        "añ",
        "añ日",
        "añ日\u{FFFD}",
        "añ日\u{FFFD}",
        "añ日\u{FFFD}",
        "añ日\u{FFFD}",
        "añ日\u{FFFD}𝄞",
        "añ日\u{FFFD}𝄞",
        "añ日\u{FFFD}𝄞\u{FFFD}",
    ];
    assert_eq!(texts, expected);
}

#[tokio::test]
async fn streams_are_outputs_of_their_own_under_one_list() {
    let world = World::new();
    let store = world.open().await;
    let spool = world.folder.join("spool");
    overwrite(&spool, b"only errors\n");
    let whole = ArtifactSource::Bytes(b"words\n".to_vec());
    let whole = store.put_artifact(whole, false).await.unwrap();
    let stream = |name: &str, content| StreamSource {
        name: name.to_owned(),
        content,
    };
    let streams = vec![
        stream("stdout", StreamContent::Stored(whole.clone())),
        stream("stderr", StreamContent::File(spool.clone(), true)),
        stream("notes", StreamContent::Empty),
    ];

    let list = store.put_streams(streams).await.unwrap();

    assert!(!spool.exists());
    let read = async |name: &str| {
        let address = Address {
            id: list.clone(),
            stream: Some(name.to_owned()),
        };
        let path = store.open_artifact(&address).await;
        path.map(|path| fs::read_to_string(path).unwrap())
            .map_err(|error| error.to_string())
    };
    assert_eq!(read("stdout").await.unwrap(), "words\n");
    assert_eq!(read("stderr").await.unwrap(), "only errors\n");
    assert_eq!(read("notes").await.unwrap(), "");
    assert_eq!(
        read("stdin").await.unwrap_err(),
        format!("the stored output {list} has no stream \"stdin\"; it has stdout, stderr, notes")
    );
    let address = Address {
        id: whole.id.clone(),
        stream: Some("stdout".to_owned()),
    };
    assert_eq!(
        store.open_artifact(&address).await.unwrap_err().to_string(),
        format!(
            "the stored output {} has no stream \"stdout\"; it is one text without streams: leave the name out",
            whole.id
        )
    );
    let text = fs::read_to_string(open(&store, &list).await.unwrap()).unwrap();
    assert!(
        text.starts_with("{\"streams\":[{\"name\":\"stdout\",\"id\":"),
        "{text}"
    );
}
