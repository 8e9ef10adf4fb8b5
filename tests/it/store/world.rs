//! A store in a temporary directory, and short ways to say things in it.

use std::path::PathBuf;

use quarterdeck::{
    domain::{
        chat::ChatMessage,
        ids::AgentId,
        notice::Notice,
        record::{Lane, Record, ReplyEnd, Speaker, Stored},
        session::SessionInfo,
        usage::Usage,
    },
    store::{StoreError, StoreHandle, StoreOptions, StorePlaces},
};
use rusqlite::Connection;

/// A directory with room for one store and a folder to work in.
pub(crate) struct World {
    _directory: tempfile::TempDir,
    pub(crate) places: StorePlaces,
    pub(crate) folder: PathBuf,
}

/// The version of the schema that the program makes: one for each of its migrations.
pub(crate) fn schema() -> i64 {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/store/migrations");
    std::fs::read_dir(folder).unwrap().count() as i64
}

impl World {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        let folder = root.join("project");
        std::fs::create_dir(&folder).unwrap();
        Self {
            places: StorePlaces::new(root.join("data"), root.join("state")),
            folder,
            _directory: directory,
        }
    }

    /// Opens the store and expects nothing to be said about it.
    pub(crate) async fn open(&self) -> StoreHandle {
        let (store, notices) = self.try_open().await.unwrap();
        assert_eq!(notices, []);
        store
    }

    pub(crate) async fn try_open(&self) -> Result<(StoreHandle, Vec<Notice>), StoreError> {
        StoreHandle::open(self.places.clone()).await
    }

    pub(crate) async fn open_with(&self, options: StoreOptions) -> StoreHandle {
        let (store, _) = StoreHandle::open_with(self.places.clone(), options)
            .await
            .unwrap();
        store
    }

    /// The database, past the store.
    pub(crate) fn database(&self) -> Connection {
        Connection::open(self.places.database()).unwrap()
    }

    /// A stored session with one message.
    pub(crate) async fn session(&self, store: &StoreHandle, words: &str) -> SessionInfo {
        let session = store.create_session(&self.folder).await.unwrap();
        say(store, &session, words).await;
        session
    }
}

pub(crate) fn said(text: &str) -> Record {
    Record::Said {
        speaker: Speaker::Person,
        lane: Lane::Steer,
        text: text.to_owned(),
    }
}

pub(crate) fn reply(text: &str) -> Record {
    Record::Reply {
        message: ChatMessage::assistant(text),
        end: ReplyEnd::Complete,
        usage: Usage::default(),
    }
}

pub(crate) fn partial(text: &str) -> Record {
    Record::Partial {
        message: ChatMessage::assistant(text),
    }
}

pub(crate) async fn say(store: &StoreHandle, session: &SessionInfo, words: &str) -> Stored {
    store
        .append(&session.id, &AgentId::main(), said(words))
        .await
        .unwrap()
}

/// The log as `sequence agent words`.
pub(crate) async fn log(store: &StoreHandle, session: &SessionInfo) -> Vec<String> {
    let records = store.all_records(&session.id).await.unwrap();
    records.iter().map(line).collect()
}

pub(crate) fn line(stored: &Stored) -> String {
    let words = match &stored.record {
        Record::Said { text, .. } => format!("said {text}"),
        Record::Reply { message, .. } => format!("reply {}", message.text()),
        Record::Partial { message } => format!("partial {}", message.text()),
        Record::StageDirection { text, .. } => format!("note {text}"),
        Record::Titled { title } => format!("titled {title}"),
        other => format!("{other:?}"),
    };
    format!("{} {} {words}", stored.sequence, stored.agent)
}
