//! What the person does to a window: leaves out, pins, puts back, takes a compaction back.

use std::sync::Arc;

use crate::{
    domain::{
        ids::Sequence,
        notice::Notice,
        record::{Record, Speaker},
        window::{WindowChange, WindowEdit},
    },
    engine::turn::{driver::Driver, input::Input},
};

impl Driver {
    /// Does what an input means for the window, before the machine hears of it. Whether it is to hear of it.
    pub(in crate::engine::turn) async fn take_for_window(&mut self, input: &Input) -> bool {
        match input {
            Input::Summarized { number, usage, .. } => {
                self.summary_cost(usage).await;
                return self.window.room.awaits(*number);
            }
            Input::WindowEdited(WindowEdit::Change(entries, change)) => {
                self.change_window(entries, *change).await;
            }
            Input::WindowEdited(WindowEdit::Uncompact) => self.uncompact().await,
            _ => {}
        }
        true
    }

    async fn change_window(&mut self, entries: &[Sequence], change: WindowChange) {
        let stands = |at: &Sequence| {
            let found = self.window.conversation.entries().iter();
            found.into_iter().any(|entry| {
                entry.sequence == Some(*at)
                    && (change != WindowChange::Dropped || entry.can_be_dropped())
            })
        };
        let entries: Vec<Sequence> = entries.iter().filter(|at| stands(at)).copied().collect();
        if entries.is_empty() {
            let text = "that stands in the window no longer, or only outputs can be left out";
            self.session().tell_notice(Notice::warning(text)).await;
            return;
        }
        let speaker = Speaker::Person;
        let changed = Record::WindowChanged {
            entries,
            change,
            speaker,
        };
        let _ = self.keep(changed).await;
        self.tell_gauge().await;
        self.tell_window().await;
    }

    async fn uncompact(&mut self) {
        let session = Arc::clone(self.session());
        let past = session
            .recorder
            .past(&self.caller.agent)
            .unwrap_or_default();
        let why_not = match past.boundaries.last() {
            _ if self.window.room.until.is_some() || self.state.is_summarizing() => {
                Some("room is being made: stop it first")
            }
            None => Some("there is no compaction to undo"),
            Some(boundary) => {
                let boundary = *boundary;
                let _ = self.keep(Record::CompactionUndone { boundary }).await;
                self.window.is_loaded = false;
                self.load_window().await;
                // It is full again: that was wanted.
                self.window.room.is_answered = true;
                self.tell_gauge().await;
                None
            }
        };
        if let Some(why) = why_not {
            session.tell_notice(Notice::warning(why)).await;
        }
    }
}
