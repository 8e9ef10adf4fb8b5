//! What others call. Every method hands a job to the worker thread and waits for its answer.
//!
//! When a future of a changing call resolves, the change is durable against the end of this process. Dropping the
//! future does not undo the call. Nothing here blocks the runtime.

use std::{path::Path, sync::Arc, thread};

use tokio::sync::{mpsc, oneshot};

use super::{
    artifacts,
    error::StoreError,
    lock::SessionLock,
    open,
    places::{StoreOptions, StorePlaces},
    tables::{
        drafts::{self, DraftKey},
        folders, lasting, scratchpad, sessions,
    },
    worker::{Job, Worker},
};
use crate::domain::{
    configured::seen::{Remembered, Seen},
    ids::{AgentId, SessionId},
    notice::Notice,
    permission::{Grant, Rule},
    record::{Record, Stored},
    scratchpad::{ScratchpadEntry, ScratchpadInfo, ScratchpadOrigin},
    session::SessionInfo,
};

/// How many calls may wait for the worker; the next one waits for a place.
const CAPACITY: usize = 256;

/// The near end of the store. Cheap to clone.
#[derive(Clone, Debug)]
pub struct StoreHandle {
    jobs: mpsc::Sender<Job>,
    pub(super) places: Arc<StorePlaces>,
    pub(super) kept: Arc<artifacts::Kept>,
}

impl StoreHandle {
    /// Opens the database, making, migrating or rescuing it as needed; the notices say what was done.
    pub async fn open(places: StorePlaces) -> Result<(Self, Vec<Notice>), StoreError> {
        Self::open_with(places, StoreOptions::default()).await
    }

    /// Opens the database with a clock or patience of one's own.
    pub async fn open_with(
        places: StorePlaces,
        options: StoreOptions,
    ) -> Result<(Self, Vec<Notice>), StoreError> {
        let (sender, receiver) = mpsc::channel(CAPACITY);
        let (ready, opened) = oneshot::channel();
        let thread_places = places.clone();
        thread::Builder::new()
            .name("store".to_owned())
            .spawn(move || match open::open(thread_places, options) {
                Ok((worker, notices)) => {
                    // Nobody waits any more: the worker ends by itself since the sender is gone too.
                    let _ = ready.send(Ok(notices));
                    worker.run(receiver);
                }
                Err(error) => drop(ready.send(Err(error))),
            })
            .map_err(|error| StoreError::Failed(format!("cannot start its thread: {error}")))?;
        let notices = opened.await.map_err(|_| StoreError::Closed)??;
        let handle = Self {
            jobs: sender,
            places: Arc::new(places),
            kept: Arc::default(),
        };
        Ok((handle, notices))
    }

    /// Where the store keeps its files.
    pub fn places(&self) -> &StorePlaces {
        &self.places
    }

    // Sessions.

    /// A new session of this folder. It has no row, and is in no list, until something is stored in it.
    pub async fn create_session(&self, cwd: &Path) -> Result<SessionInfo, StoreError> {
        let cwd = cwd.to_owned();
        self.call(move |worker| Ok(sessions::create(worker, &cwd)))
            .await
    }

    /// Makes this program the one that writes the session, for as long as the lock lives.
    pub async fn open_session(
        &self,
        session: &SessionId,
    ) -> Result<(SessionLock, SessionInfo), StoreError> {
        let session = session.clone();
        self.call(move |worker| sessions::open(worker, &session))
            .await
    }

    /// What a list shows of one session.
    pub async fn session(&self, session: &SessionId) -> Result<SessionInfo, StoreError> {
        let session = session.clone();
        self.call(move |worker| sessions::info(worker, &session))
            .await
    }

    /// The latest session of a folder in which the person said something.
    pub async fn latest_session(&self, cwd: &Path) -> Result<Option<SessionInfo>, StoreError> {
        Ok(self.list_sessions(Some(cwd), 1).await?.pop())
    }

    /// The one session whose id is this, or begins with it.
    pub async fn find_session(&self, prefix: &str) -> Result<SessionInfo, StoreError> {
        let prefix = prefix.to_owned();
        self.call(move |worker| sessions::find(worker, &prefix))
            .await
    }

    /// Sessions in which the person said something, the latest first; of one folder or of all.
    pub async fn list_sessions(
        &self,
        cwd: Option<&Path>,
        limit: usize,
    ) -> Result<Vec<SessionInfo>, StoreError> {
        let cwd = cwd.map(Path::to_owned);
        self.call(move |worker| sessions::list(worker, cwd.as_deref(), limit))
            .await
    }

    /// Gives a session a title: a record of the main agent.
    pub async fn set_title(&self, session: &SessionId, title: &str) -> Result<Stored, StoreError> {
        let title = title.to_owned();
        self.append(session, &AgentId::main(), Record::Titled { title })
            .await
    }

    // Scratchpad.

    /// Entries of one agent, or of the whole session, by agent and name.
    pub async fn scratchpad_list(
        &self,
        session: &SessionId,
        agent: Option<&AgentId>,
    ) -> Result<Vec<ScratchpadInfo>, StoreError> {
        let (session, agent) = (session.clone(), agent.cloned());
        self.call(move |worker| scratchpad::list(worker, &session, agent.as_ref()))
            .await
    }

    /// One entry, or `None`.
    pub async fn scratchpad_read(
        &self,
        session: &SessionId,
        agent: &AgentId,
        name: &str,
    ) -> Result<Option<ScratchpadEntry>, StoreError> {
        let (session, agent, name) = (session.clone(), agent.clone(), name.to_owned());
        self.call(move |worker| scratchpad::read(worker, &session, &agent, &name))
            .await
    }

    /// Writes an entry whole.
    pub async fn scratchpad_write(
        &self,
        session: &SessionId,
        agent: &AgentId,
        name: &str,
        content: String,
        origin: ScratchpadOrigin,
    ) -> Result<ScratchpadInfo, StoreError> {
        let (session, agent, name) = (session.clone(), agent.clone(), name.to_owned());
        self.call(move |worker| scratchpad::write(worker, &session, agent, name, &content, origin))
            .await
    }

    /// Deletes an entry; says whether there was one.
    pub async fn scratchpad_delete(
        &self,
        session: &SessionId,
        agent: &AgentId,
        name: &str,
    ) -> Result<bool, StoreError> {
        let (session, agent, name) = (session.clone(), agent.clone(), name.to_owned());
        self.call(move |worker| scratchpad::delete(worker, &session, &agent, &name))
            .await
    }

    /// Gives an entry another name, which must be free.
    pub async fn scratchpad_rename(
        &self,
        session: &SessionId,
        agent: &AgentId,
        name: &str,
        to: &str,
    ) -> Result<(), StoreError> {
        let (session, agent) = (session.clone(), agent.clone());
        let (name, to) = (name.to_owned(), to.to_owned());
        self.call(move |worker| scratchpad::rename(worker, &session, &agent, &name, &to))
            .await
    }

    // Drafts, prompts, trust.

    /// Journals the composer's text; an empty text deletes the draft.
    pub async fn save_draft(&self, key: DraftKey, text: String) -> Result<(), StoreError> {
        self.call(move |worker| drafts::save(worker, &key, &text))
            .await
    }

    /// The journalled text; empty when there is none.
    pub async fn draft(&self, key: DraftKey) -> Result<String, StoreError> {
        self.call(move |worker| drafts::draft(worker, &key)).await
    }

    /// Remembers a prompt of a folder; one that repeats the last is not kept twice.
    pub async fn add_prompt(&self, cwd: &Path, text: String) -> Result<(), StoreError> {
        let cwd = cwd.to_owned();
        self.call(move |worker| folders::add_prompt(worker, &cwd, &text))
            .await
    }

    /// The latest prompts of a folder, oldest first.
    pub async fn prompts(&self, cwd: &Path, limit: usize) -> Result<Vec<String>, StoreError> {
        let cwd = cwd.to_owned();
        self.call(move |worker| folders::prompts(worker, &cwd, limit))
            .await
    }

    /// What the person said of a folder; `None` when they were not asked yet.
    pub async fn trust(&self, folder: &Path) -> Result<Option<Remembered>, StoreError> {
        let folder = folder.to_owned();
        self.call(move |worker| folders::trust(worker, &folder))
            .await
    }

    /// Remembers the person's answer for a folder, and what they had seen of its own files.
    pub async fn set_trust(
        &self,
        folder: &Path,
        trusted: bool,
        seen: Seen,
    ) -> Result<(), StoreError> {
        let folder = folder.to_owned();
        self.call(move |worker| folders::set_trust(worker, &folder, trusted, &seen))
            .await
    }

    /// What the person allowed or forbade in this folder and everywhere, the oldest first.
    pub async fn grants(&self, folder: &Path) -> Result<Vec<Grant>, StoreError> {
        let folder = folder.to_owned();
        self.call(move |worker| lasting::grants(worker, &folder, worker.options.clock.now_ms()))
            .await
    }

    /// Keeps a grant for the folder or everywhere, as its scope says.
    pub async fn add_grant(&self, folder: &Path, grant: &Grant) -> Result<(), StoreError> {
        let (folder, grant) = (folder.to_owned(), grant.clone());
        self.call(move |worker| {
            let now_ms = worker.options.clock.now_ms();
            lasting::add(worker, &folder, &grant, now_ms)
        })
        .await
    }

    /// Takes back what has this rule in the folder and everywhere.
    pub async fn remove_grants(&self, folder: &Path, rule: &Rule) -> Result<(), StoreError> {
        let (folder, rule) = (folder.to_owned(), rule.clone());
        self.call(move |worker| lasting::remove(worker, &folder, &rule))
            .await
    }

    /// Ends the worker once the calls before this one are done, empties the write-ahead log and closes the file.
    /// Later calls fail with [`StoreError::Closed`].
    pub async fn close(&self) -> Result<(), StoreError> {
        let (reply, closed) = oneshot::channel();
        self.jobs
            .send(Job::Close(reply))
            .await
            .map_err(|_| StoreError::Closed)?;
        closed.await.map_err(|_| StoreError::Closed)
    }

    pub(super) async fn call<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut Worker) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (reply, answer) = oneshot::channel();
        let run = Box::new(move |worker: &mut Worker| {
            let outcome = job(worker);
            // The caller may have gone; what was done stays done.
            let _ = reply.send(outcome);
        });
        self.jobs
            .send(Job::Run(run))
            .await
            .map_err(|_| StoreError::Closed)?;
        match answer.await {
            Ok(outcome) => outcome,
            Err(_) if self.jobs.is_closed() => Err(StoreError::Closed),
            Err(_) => Err(StoreError::Failed("a call broke off".to_owned())),
        }
    }
}

#[cfg(test)]
#[path = "handle_tests.rs"]
mod tests;
