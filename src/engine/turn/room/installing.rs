//! Has a summary written and puts it in place of what was said.

use std::sync::Arc;

use super::summarizing::{self, Written};
use crate::{
    config::profiles::PRACTICE,
    domain::{
        model_info::ModelInfo,
        notice::Severity,
        record::Record,
        usage::Usage,
        window::{Compaction, CompactionBy},
    },
    engine::{
        turn::{driver::Driver, input::Input},
        window::{
            compaction::{self, Standing},
            conversation::{Body, Entry},
            retelling,
        },
    },
};

/// Tokens of a conversation that are retold when the size of the window is unknown.
const RETOLD: u64 = 50_000;
/// What a request that must fit keeps free of the window: half.
const SHARE: u64 = 2;

impl Driver {
    pub(super) fn summarize(&mut self, focus: String) {
        let focus = self
            .end_checkpoint()
            .filter(|_| focus.is_empty())
            .unwrap_or(focus);
        let profile = self.session().profile();
        let room = retold(&profile.model);
        let transcript = retelling::transcript(self.summarised(), room);
        let agent = self.agent();
        self.waits.summary = self.session().cancel.child_token();
        let stop = self.waits.summary.clone();
        let number = self.window.room.ask();
        self.work.spawn(async move {
            let written = if is_practice(&profile.model) {
                Written::nothing("the practice model writes no summaries")
            } else {
                tokio::select! {
                    () = stop.cancelled() => Written::nothing("stopped"),
                    written = summarizing::write(profile, agent, transcript, focus) => written,
                }
            };
            Input::Summarized {
                number,
                summary: written.summary,
                usage: written.usage,
            }
        });
    }

    /// What the summary is to stand for.
    fn summarised(&self) -> &[Entry] {
        let entries = self.window.conversation.entries();
        let until = self.window.room.until.map(|(until, _)| until);
        until
            .and_then(|until| entries.get(..until))
            .unwrap_or(entries)
    }

    /// What a request for a summary used.
    pub(super) async fn summary_cost(&mut self, usage: &Usage) {
        let model = self.session().profile().model;
        let priced = usage.priced(model.price.as_ref());
        self.window.room.usage = priced;
        self.count_usage(&priced).await;
    }

    pub(super) async fn take_summary(&mut self, summary: Result<String, String>) {
        let by_model = match summary {
            Ok(summary) => self.install(&summary, CompactionBy::Summarizer).await,
            Err(why) => Err(why),
        };
        let Err(why) = by_model else {
            return;
        };
        self.stage(Severity::Warning, format!("no summary by the model: {why}"))
            .await;
        let window = self.session().profile().model.context_window;
        let room = compaction::verbatim(window) / SHARE;
        let cut = retelling::cut(self.summarised(), room);
        if let Err(why) = self.install(&cut, CompactionBy::Cut).await {
            self.stage(Severity::Warning, format!("no room was made: {why}"))
                .await;
        }
        self.window.room.until = None;
    }

    /// Puts a summary in place of what was said, when it saves something.
    pub(super) async fn install(&mut self, summary: &str, by: CompactionBy) -> Result<(), String> {
        let session = Arc::clone(self.session());
        let full = self.gauge().used;
        let conversation = &self.window.conversation;
        let all = conversation.entries().len();
        let (until, keeps_recent) = self.window.room.until.unwrap_or((all, true));
        let window = session.profile().model.context_window;
        let choice = compaction::choose(conversation, until, window, keeps_recent);
        let mut kept = choice.kept;
        // What the person said while the summary was written is not in it.
        let later = conversation.entries().get(until..).unwrap_or_default();
        kept.extend(
            later
                .iter()
                .filter(|entry| is_asked(entry))
                .filter_map(Entry::kept),
        );
        let past = session
            .recorder
            .past(&self.caller.agent)
            .unwrap_or_default();
        let standing = Standing {
            checklist: session.checklist(&self.caller.agent),
            goal: session.goal().filter(|_| self.caller.agent.is_main()),
            files: compaction::known_files(conversation.entries(), &past.seen),
        };
        let before = conversation.budget.estimate();
        let mut compaction = Compaction {
            summary: compaction::text(summary, &choice.quotes, &standing),
            kept,
            by,
            before: full,
            after: 0,
            usage: std::mem::take(&mut self.window.room.usage),
        };
        let mut shorter = conversation.clone();
        shorter.apply(
            None,
            &Record::Compacted {
                compaction: compaction.clone(),
            },
        );
        let after = shorter.budget.estimate();
        if summary.trim().is_empty() {
            return Err("it is empty".to_owned());
        }
        if let Some(fault) = compaction::fault(before, after) {
            return Err(fault.to_owned());
        }
        compaction.after = self.overhead() + after;
        let _ = self.keep(Record::Compacted { compaction }).await;
        self.window.room.until = None;
        // What the agent was told of its surroundings went too.
        self.prompt.forget();
        self.note_environment().await;
        self.tell_gauge().await;
        Ok(())
    }
}

/// The practice model says what its script says, whatever it is asked.
pub(super) fn is_practice(model: &ModelInfo) -> bool {
    model.backend == PRACTICE
}

fn is_asked(entry: &Entry) -> bool {
    matches!(entry.body, Body::Words { is_asked: true, .. })
}

/// How much of a conversation a request for a summary may hold.
fn retold(model: &ModelInfo) -> u64 {
    model.context_window.map_or(RETOLD, |window| window / SHARE)
}
