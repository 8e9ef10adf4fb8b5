//! What a driver stores: records, a reply that is still coming, and what could not be stored before.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use super::{driver::Driver, effect::Effect, input::Input, reply::Reply, waiting::Request};
use crate::{
    domain::{agent::AgentNode, notice::Notice, record::Record, usage::Usage},
    engine::{
        event::{EventKind, Queued},
        window::loading,
    },
    store::{DraftKey, StoreError},
};

/// What could not be stored is tried again at least this often.
const AGAIN_AFTER: Duration = Duration::from_secs(5);

/// What waits to be sent, kept for the next start.
#[derive(Default)]
pub(super) struct Unsent {
    /// The words, where they are not stored as they now are.
    due: Option<String>,
    /// The words as they are stored.
    stored: String,
}

impl Driver {
    /// Stores a record and folds it in. A log that cannot be written ends the turn: nothing is sent that is not
    /// stored, and no call runs whose beginning is not. The record is stored as soon as that is possible again.
    pub(super) async fn record(&mut self, record: Record) -> Vec<Effect> {
        match self.keep(record).await {
            Ok(()) => Vec::new(),
            Err(reason) => self.state.handle(Input::StoreFailed(reason)),
        }
    }

    /// As `record`, in the middle of a step: the turn ends with what the step does next, since `unstored` says why.
    pub(super) async fn keep(&mut self, mut record: Record) -> Result<(), String> {
        if let Record::Reply { usage, message, .. } = &mut record {
            self.request = Request::None;
            self.partial_due = None;
            self.reply_came(usage).await;
            self.meter.replied(message);
        }
        if let Record::CallStarted { call } = &record {
            self.meter.began(call);
        }
        if let Record::Result { result } = &record
            && self.meter.answered(result)
        {
            let agent = self.agent();
            let count = |node: &mut AgentNode| node.calls += 1;
            self.session().change_node(&agent, count).await;
        }
        let is_visible = matches!(
            record,
            Record::Reply { .. } | Record::Result { .. } | Record::Said { .. }
        );
        // What waited has its places in the log only then.
        let was_behind = self.log.is_behind();
        let stored = self.log.record(record.clone()).await;
        let at = stored.as_ref().ok().copied().flatten();
        self.window.conversation.apply(at, &record);
        self.window.is_loaded &= !was_behind || stored.is_err();
        if is_visible {
            self.tell_gauge().await;
        }
        match stored {
            Ok(_) => {
                self.tell_unstored().await;
                Ok(())
            }
            Err(error) => Err(self.not_stored(&error).await),
        }
    }

    /// Reads the window from the log where it is not at hand. What waits to be stored is not in the log yet.
    pub(super) async fn load_window(&mut self) {
        if self.window.is_loaded || self.log.is_behind() {
            return;
        }
        let session = Arc::clone(self.session());
        let agent = self.agent();
        if let Some(past) = session.recorder.past(&agent) {
            match loading::load(&session.store, &session.id, &agent, past.place()).await {
                Ok(conversation) => self.window.conversation = conversation,
                Err(error) => {
                    let reason = format!("the session cannot be read: {error}");
                    session.tell_notice(Notice::error(reason.clone())).await;
                    self.unstored = Some(reason);
                    return;
                }
            }
        }
        self.window.is_loaded = true;
    }

    async fn not_stored(&mut self, error: &StoreError) -> String {
        let reason = format!("the session cannot be stored: {error}");
        if self.unstored.replace(reason.clone()).is_none() {
            let notice = Notice::error(reason.clone()).with_hint(
                "free space or make the data directory writable, then say how to go on: what is not stored yet is \
                 kept in memory",
            );
            self.session().tell_notice(notice).await;
        }
        self.tell_unstored().await;
        self.store_due = error.is_passing().then(|| Instant::now() + AGAIN_AFTER);
        reason
    }

    /// Tells what is not stored, and that all of it is again.
    async fn tell_unstored(&mut self) {
        if let Some(unstored) = self.log.unstored_to_tell() {
            self.tell(EventKind::Unstored(unstored)).await;
        }
    }

    /// Tries to store what could not be stored before.
    pub(super) async fn catch_up(&mut self) {
        self.store_due = None;
        if !self.log.is_behind() {
            return;
        }
        let notice = match self.log.catch_up().await {
            Ok(_) => {
                self.window.is_loaded = false;
                self.tell_unstored().await;
                self.store_queue().await;
                Notice::info("what could not be stored is stored now")
            }
            Err(error) if error.is_passing() => {
                self.store_due = Some(Instant::now() + AGAIN_AFTER);
                return;
            }
            Err(error) => error.notice(),
        };
        self.session().tell_notice(notice).await;
    }

    /// What waits to be sent has changed. Words for a sub-agent are not kept: it ends with its call.
    pub(super) fn queue_changed(&mut self, queue: &[Queued]) {
        if !self.caller.agent.is_main() {
            return;
        }
        self.session().set_unsent(queue.len());
        let words: Vec<&str> = queue.iter().map(|queued| queued.text.as_str()).collect();
        self.unsent.due = Some(words.join("\n\n"));
    }

    /// Stores what waits to be sent. While the log is behind, what was stored stays: it may hold words that are said
    /// but stand in no log yet.
    pub(super) async fn store_queue(&mut self) {
        if self.log.is_behind() {
            return;
        }
        let Some(text) = self.unsent.due.take() else {
            return;
        };
        if text == self.unsent.stored {
            return;
        }
        let session = Arc::clone(self.session());
        let key = DraftKey::Queue(session.id.clone());
        match session.store.save_draft(key, text.clone()).await {
            Ok(()) => self.unsent.stored = text,
            Err(error) => {
                tracing::warn!(%error, "what waits to be sent is not stored");
                self.unsent.due = Some(text);
            }
        }
    }

    async fn reply_came(&mut self, usage: &mut Usage) {
        let model = self.session().profile().model;
        *usage = usage.priced(model.price.as_ref());
        self.meter.stepped(usage);
        let step = *usage;
        self.count_usage(&step).await;
    }

    /// Adds what a request used to what the agent and the session have used.
    pub(super) async fn count_usage(&mut self, step: &Usage) {
        let total = self.session().add_usage(step);
        self.tell(EventKind::Usage(total)).await;
        let agent = self.agent();
        self.session()
            .change_node(&agent, |node| node.usage.add(step))
            .await;
    }

    /// Stores what has come of the reply, so that a killed program loses at most a second of it.
    pub(super) async fn store_partial(&mut self) {
        self.partial_due = None;
        let Some(message) = self.state.partial().map(Reply::seen) else {
            return;
        };
        if message.blocks.is_empty() {
            return;
        }
        let agent = self.agent();
        if let Err(error) = self
            .session()
            .recorder
            .record_partial(&agent, Record::Partial { message })
            .await
        {
            self.session()
                .tell_notice(Notice::warning(format!(
                    "the reply is not being stored: {error}"
                )))
                .await;
        }
    }
}
