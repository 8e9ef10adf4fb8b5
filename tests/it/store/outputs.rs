//! Outputs kept whole as files.

use std::{fs, path::Path};

use quarterdeck::{
    domain::{artifact::ArtifactRef, ids::ArtifactId},
    store::{ArtifactRead, ArtifactSource, StoreError},
};

use super::world::World;

/// SHA-256 of `one\ntwo`.
const DIGEST: &str = "21066d108d5319ecb5a1fc4454f42ef22fc5f1c7df49c31d90294950e0ea8b2c";

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
    };
    assert_eq!(from_memory, expected);
    assert_eq!(from_file, expected);
    assert!(!spool.exists());
    let (head, _) = DIGEST.split_at(2);
    assert_eq!(
        files(&world.places.artifacts()),
        [format!("{head}/{DIGEST}")]
    );
    let path = store.artifact_path(&expected.id).unwrap();
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
    let path = store.artifact_path(&kept.id).unwrap();
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
    let path = store.artifact_path(&kept.id).unwrap();
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
        assert_eq!(store.artifact_path(&id), None);
        assert_eq!(
            store.read_artifact(&id, 10).await,
            Err(StoreError::NoArtifact(id.to_string()))
        );
    }
}
