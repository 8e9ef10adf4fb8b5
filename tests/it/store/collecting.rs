//! Outputs that no log names go, and no others, whatever other programs do meanwhile.

use std::{
    fs::{self, File},
    io::{BufRead, BufReader, Write as _},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, SystemTime},
};

use quarterdeck::{
    domain::{
        artifact::{Address, ArtifactRef},
        display::Display,
        ids::{AgentId, ArtifactId, CallId},
        media::{Attachment, MediaKind},
        record::Record,
        scratchpad::ScratchpadOrigin,
        tool::{CallStatus, ToolResult},
    },
    store::{ArtifactSource, Collected, StoreHandle, StorePlaces, StreamContent, StreamSource},
};

use super::world::{World, said};

const HOURS: Duration = Duration::from_hours(2);
/// Set for the child that keeps outputs until it is killed.
const KEEPER: &str = "QD_TEST_KEEPER";

async fn keep(store: &StoreHandle, text: &str) -> ArtifactRef {
    let source = ArtifactSource::Bytes(text.as_bytes().to_vec());
    store.put_artifact(source, false).await.unwrap()
}

fn result(artifact: &ArtifactRef) -> Record {
    let mut result = ToolResult::plain(CallId::new("c"), CallStatus::Done, "some words");
    result.artifact = Some(artifact.clone());
    result.display = Display::text("some words");
    Record::Result { result }
}

async fn path(store: &StoreHandle, id: &ArtifactId) -> Option<PathBuf> {
    let (id, stream) = (id.clone(), None);
    store.open_artifact(&Address { id, stream }).await.ok()
}

fn age(path: &Path) {
    let file = File::open(path).unwrap();
    file.set_modified(SystemTime::now() - HOURS).unwrap();
}

fn age_all(places: &StorePlaces) {
    for path in files(places) {
        age(&path);
    }
}

/// Every file below the directory of outputs.
fn files(places: &StorePlaces) -> Vec<PathBuf> {
    let directories = fs::read_dir(places.artifacts()).into_iter().flatten();
    directories
        .filter_map(|directory| fs::read_dir(directory.unwrap().path()).ok())
        .flatten()
        .map(|entry| entry.unwrap().path())
        .collect()
}

async fn collect(store: &StoreHandle) -> Collected {
    store
        .collect_artifacts(Duration::ZERO, || false)
        .await
        .unwrap()
}

/// Ends a program, and waits until its files are closed.
async fn end(store: StoreHandle) {
    store.close().await.unwrap();
}

#[tokio::test]
async fn what_a_log_or_a_scratchpad_names_stays_and_the_rest_goes_after_an_hour() {
    let world = World::new();
    let writer = world.open().await;
    let session = world.session(&writer, "hello").await;
    let main = AgentId::main();
    let named = keep(&writer, "named by a result").await;
    let told = keep(&writer, "named in words").await;
    let noted = keep(&writer, "named in the scratchpad").await;
    let nobody = keep(&writer, "named by nobody").await;
    let streams = vec![StreamSource {
        name: "stderr".to_owned(),
        content: StreamContent::Stored(keep(&writer, "only a list names it").await),
    }];
    let mut listed = keep(&writer, "the view").await;
    listed.streams = Some(writer.put_streams(streams).await.unwrap());
    let words = format!("look at {} please", told.uri());
    let shown = keep(&writer, "an image").await;
    let mut brings = result(&named);
    if let Record::Result { result } = &mut brings {
        result.attachments.push(Attachment {
            id: shown.id.clone(),
            kind: MediaKind::Image,
            mime: "image/png".to_owned(),
            bytes: shown.bytes,
            name: "a.png".to_owned(),
        });
    }
    for record in [brings, result(&listed), said(&words)] {
        writer.append(&session.id, &main, record).await.unwrap();
    }
    let text = format!("[cut here: the whole is {}]", noted.uri());
    writer
        .scratchpad_write(&session.id, &main, "n", text, ScratchpadOrigin::Agent)
        .await
        .unwrap();
    // What stands in no log goes on to count while its program lives.
    writer.close().await.unwrap();
    drop(writer);
    age_all(&world.places);
    let store = world.open().await;
    let young = keep(&store, "kept just now").await;
    store
        .append(&session.id, &main, result(&young))
        .await
        .unwrap();

    let collected = collect(&store).await;

    assert_eq!(
        collected,
        Collected {
            files: 1,
            bytes: nobody.bytes
        }
    );
    assert_eq!(path(&store, &nobody.id).await, None);
    for kept in [
        &named.id, &shown.id, &told.id, &noted.id, &listed.id, &young.id,
    ] {
        assert!(path(&store, kept).await.is_some());
    }
    let stream = Address {
        id: listed.streams.unwrap(),
        stream: Some("stderr".to_owned()),
    };
    assert!(store.open_artifact(&stream).await.is_ok());
}

#[tokio::test]
async fn nothing_goes_while_a_program_has_something_that_stands_in_no_log() {
    let world = World::new();
    let (one, other) = (world.open().await, world.open().await);
    let session = world.session(&one, "hello").await;
    let old = keep(&other, "named by nobody").await;
    let waiting = keep(&one, "waits for a full disk").await;
    other
        .append(&session.id, &AgentId::main(), result(&old))
        .await
        .unwrap();
    let unnamed = keep(&other, "dropped").await;
    other
        .append(&session.id, &AgentId::main(), result(&unnamed))
        .await
        .unwrap();
    world
        .database()
        .execute("DELETE FROM records WHERE body LIKE '%c%\"result\"%'", [])
        .unwrap();
    world
        .database()
        .execute("DELETE FROM records WHERE body LIKE '%some words%'", [])
        .unwrap();
    age_all(&world.places);

    assert_eq!(collect(&other).await, Collected::default());
    assert!(path(&other, &waiting.id).await.is_some());

    one.append(&session.id, &AgentId::main(), result(&waiting))
        .await
        .unwrap();
    assert_eq!(collect(&other).await.files, 2);
    assert!(path(&one, &waiting.id).await.is_some());
}

#[tokio::test]
async fn an_old_output_that_is_kept_again_is_young() {
    let world = World::new();
    let store = world.open().await;
    let session = world.session(&store, "hello").await;
    let kept = keep(&store, "the same words").await;
    store
        .append(&session.id, &AgentId::main(), result(&kept))
        .await
        .unwrap();
    world
        .database()
        .execute("DELETE FROM records WHERE body LIKE '%some words%'", [])
        .unwrap();
    age_all(&world.places);
    keep(&store, "the same words").await;
    store
        .append(&session.id, &AgentId::main(), said("nothing of it"))
        .await
        .unwrap();
    end(store).await;

    let store = world.open().await;

    assert_eq!(collect(&store).await, Collected::default());
    assert!(path(&store, &kept.id).await.is_some());
}

#[tokio::test]
async fn a_database_that_cannot_be_read_keeps_everything() {
    let world = World::new();
    let store = world.open().await;
    keep(&store, "named by nobody").await;
    end(store).await;
    let store = world.open().await;
    age_all(&world.places);
    fs::rename(world.places.database(), world.places.data().join("away")).unwrap();

    let failed = store.collect_artifacts(Duration::ZERO, || false).await;

    assert!(failed.is_err());
    assert_eq!(files(&world.places).len(), 1);
}

#[tokio::test]
async fn a_damaged_database_that_lies_aside_keeps_everything() {
    let world = World::new();
    let store = world.open().await;
    let session = world.session(&store, "hello").await;
    drop(keep(&store, "named by what was lost").await);
    drop(session);
    end(store).await;
    let aside = world
        .places
        .data()
        .join("sessions.damaged-20260101-000000.db");
    File::create(aside).unwrap();
    let store = world.open().await;
    age_all(&world.places);

    assert_eq!(collect(&store).await, Collected::default());
    assert_eq!(files(&world.places).len(), 1);
}

#[tokio::test]
async fn collecting_waits_until_it_is_due_and_stops_when_it_is_told_to() {
    let world = World::new();
    let store = world.open().await;
    world.session(&store, "hello").await;
    keep(&store, "named by nobody").await;
    end(store).await;
    let store = world.open().await;
    age_all(&world.places);

    let stopped = store.collect_artifacts(Duration::ZERO, || true).await;
    assert_eq!(stopped, Ok(Collected::default()));
    assert_eq!(collect(&store).await.files, 1);
    let again = keep(&store, "named by nobody").await;
    end(store).await;
    age_all(&world.places);
    let store = world.open().await;

    let early = store.collect_artifacts(HOURS, || false).await;
    assert_eq!(early, Ok(Collected::default()));
    assert!(path(&store, &again.id).await.is_some());
    age(&world.places.artifacts().join("collected"));
    let due = store.collect_artifacts(HOURS / 2, || false).await;
    assert_eq!(due.unwrap().files, 1);
}

#[tokio::test]
async fn an_output_that_is_kept_again_while_the_logs_are_read_stays() {
    let world = World::new();
    let store = world.open().await;
    world.session(&store, "hello").await;
    let kept = keep(&store, "named by nobody").await;
    end(store).await;
    age_all(&world.places);
    let store = world.open().await;
    let path = path(&store, &kept.id).await.unwrap();
    let again = path.clone();

    // Asked between the steps: another program keeps the same words just then.
    let collected = store
        .collect_artifacts(Duration::ZERO, move || {
            let file = File::open(&again).unwrap();
            file.set_modified(SystemTime::now()).unwrap();
            false
        })
        .await;

    assert_eq!(collected, Ok(Collected::default()));
    assert!(path.exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_kept_while_another_program_collects_is_there_when_it_is_kept() {
    let world = World::new();
    let other = world.open().await;
    world.session(&other, "hello").await;
    let done = Arc::new(AtomicBool::new(false));
    let collector = tokio::spawn({
        let (other, done) = (other.clone(), Arc::clone(&done));
        async move {
            let mut collected = 0;
            while !done.load(Ordering::Relaxed) {
                collected += collect(&other).await.files;
            }
            collected
        }
    });

    for round in 0..40 {
        let store = world.open().await;
        // Old and named by nobody from the round before.
        let kept = keep(&store, "the same words each time").await;
        let path = path(&store, &kept.id).await;
        assert!(path.is_some(), "round {round}");
        age(&path.unwrap());
        end(store).await;
    }

    done.store(true, Ordering::Relaxed);
    assert!(collector.await.unwrap() > 0);
}

/// A program that keeps one large output after another; it runs only as the child of the test below.
#[tokio::test]
async fn keeper() {
    let Ok(root) = std::env::var(KEEPER) else {
        return;
    };
    let root = Path::new(&root);
    let places = StorePlaces::new(root.join("data"), root.join("state"));
    let (store, _) = StoreHandle::open(places).await.unwrap();
    for number in 0_u64.. {
        let bytes = number.to_le_bytes().repeat(1 << 18);
        println!("keeping");
        std::io::stdout().flush().unwrap();
        let source = ArtifactSource::Bytes(bytes);
        store.put_artifact(source, false).await.unwrap();
    }
}

#[tokio::test]
#[expect(
    clippy::disallowed_types,
    reason = "the child is this test program itself, killed by its own handle"
)]
async fn a_killed_program_leaves_whole_outputs_and_what_another_one_can_clear_away() {
    let world = World::new();
    let store = world.open().await;
    world.session(&store, "hello").await;
    let root = world.places.data().parent().unwrap();
    for round in 0..8 {
        let mut child = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "store::collecting::keeper", "--nocapture"])
            .env(KEEPER, root)
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        for _ in 0..=round % 4 + 1 {
            lines
                .by_ref()
                .find(|line| line.as_ref().is_ok_and(|line| line == "keeping"));
        }
        // However old its files look, nothing of a program that lives is touched.
        let before = files(&world.places);
        before
            .iter()
            .filter(|path| path.exists())
            .for_each(|path| age(path));
        assert_eq!(collect(&store).await, Collected::default(), "round {round}");
        child.kill().unwrap();
        child.wait().unwrap();

        for path in files(&world.places) {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            if !name.starts_with('.') {
                let sound = self::path(&store, &ArtifactId::new(&name)).await;
                assert!(sound.is_some(), "round {round}: {name}");
            }
        }
    }
    let parts = files(&world.places);
    age_all(&world.places);

    let collected = collect(&store).await;

    assert!(collected.files > 0, "{collected:?} of {parts:?}");
    assert_eq!(files(&world.places), Vec::<PathBuf>::new());
}
