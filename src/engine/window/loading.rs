//! Reads the window of an agent from its log: what its last compaction kept, and what came after.

use super::conversation::Conversation;
use crate::{
    domain::{
        ids::{AgentId, Sequence, SessionId},
        record::{Record, Stored},
        window::Kept,
    },
    store::{StoreError, StoreHandle},
};

/// Where an agent's window begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// With its first record.
    First(Sequence),
    /// With this compaction.
    Boundary(Sequence),
}

/// The window of an agent as its log has it.
pub async fn load(
    store: &StoreHandle,
    session: &SessionId,
    agent: &AgentId,
    place: Place,
) -> Result<Conversation, StoreError> {
    let (kept, from) = match place {
        Place::First(first) => (Vec::new(), first),
        Place::Boundary(at) => {
            let boundary = store.records_at(session, vec![at]).await?;
            (kept(store, session, boundary.first()).await?, at)
        }
    };
    let records = store.agent_records(session, agent, from).await?;
    Ok(fold(&kept, &records, place))
}

/// The records that a compaction kept.
async fn kept(
    store: &StoreHandle,
    session: &SessionId,
    boundary: Option<&Stored>,
) -> Result<Vec<Stored>, StoreError> {
    match boundary.map(|stored| &stored.record) {
        Some(Record::Compacted { compaction }) => {
            let at = compaction.kept.iter().map(|kept| kept.sequence).collect();
            store.records_at(session, at).await
        }
        _ => Ok(Vec::new()),
    }
}

/// The window, from what was kept and the records from its beginning on. Every other compaction among them was undone.
fn fold(kept: &[Stored], records: &[Stored], place: Place) -> Conversation {
    let mut conversation = Conversation::default();
    for stored in records {
        if let Record::Compacted { compaction } = &stored.record {
            if place != Place::Boundary(stored.sequence) {
                continue;
            }
            for (kept, record) in pairs(&compaction.kept, kept) {
                conversation.apply_kept(kept, record);
            }
        }
        conversation.apply(Some(stored.sequence), &stored.record);
    }
    conversation
}

fn pairs<'a>(
    kept: &'a [Kept],
    known: &'a [Stored],
) -> impl Iterator<Item = (&'a Kept, &'a Record)> {
    kept.iter().filter_map(|kept| {
        let stored = known
            .iter()
            .find(|stored| stored.sequence == kept.sequence)?;
        Some((kept, &stored.record))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::{
        domain::{
            chat::{ChatMessage, ContentBlock, Role},
            ids::CallId,
            record::{Lane, ReplyEnd, Speaker},
            tool::{CallStatus, ToolCall, ToolResult},
            usage::Usage,
            window::{Compaction, CompactionBy, WindowChange},
        },
        engine::{session::ledger::Ledger, window::conversation::Entry},
    };

    /// What happens, as far as the window is concerned.
    #[derive(Clone, Debug)]
    enum Happens {
        Said,
        Called,
        Changed(WindowChange, prop::sample::Index),
        /// Keeps these of the entries.
        Compacted(Vec<bool>),
        Undone,
    }

    fn happens() -> impl Strategy<Value = Happens> {
        let change = prop::sample::select(vec![
            WindowChange::Dropped,
            WindowChange::Restored,
            WindowChange::Pinned,
            WindowChange::Unpinned,
        ]);
        prop_oneof![
            3 => Just(Happens::Said),
            3 => Just(Happens::Called),
            3 => (change, any::<prop::sample::Index>()).prop_map(|(change, at)| Happens::Changed(change, at)),
            2 => prop::collection::vec(any::<bool>(), 12).prop_map(Happens::Compacted),
            1 => Just(Happens::Undone),
        ]
    }

    /// An agent at work: its log, the window as it stands in memory, and what the log says.
    #[derive(Default)]
    struct Working {
        log: Vec<Stored>,
        window: Conversation,
        ledger: Ledger,
    }

    impl Working {
        fn happen(&mut self, record: Record) {
            let stored = Stored {
                sequence: Sequence(self.log.len() as u64 + 1),
                at_ms: 0,
                agent: AgentId::main(),
                record,
            };
            self.ledger.take(&stored);
            if let Record::CompactionUndone { .. } = &stored.record {
                self.log.push(stored);
                self.window = self.read();
                return;
            }
            self.window.apply(Some(stored.sequence), &stored.record);
            self.log.push(stored);
        }

        /// The window as the log has it.
        fn read(&self) -> Conversation {
            let past = self.ledger.main();
            let place = past.place();
            let from = match place {
                Place::First(at) | Place::Boundary(at) => at,
            };
            let kept = match (place, self.log.get(from.0 as usize - 1)) {
                (Place::Boundary(_), Some(stored)) => match &stored.record {
                    Record::Compacted { compaction } => compaction.kept.clone(),
                    _ => Vec::new(),
                },
                _ => Vec::new(),
            };
            let kept: Vec<Stored> = kept
                .iter()
                .map(|kept| self.log[kept.sequence.0 as usize - 1].clone())
                .collect();
            let after = self.log.iter().filter(|stored| stored.sequence >= from);
            fold(&kept, &after.cloned().collect::<Vec<_>>(), place)
        }

        fn step(&mut self, step: Happens) {
            let number = self.log.len();
            match step {
                Happens::Said => self.happen(Record::Said {
                    speaker: Speaker::Person,
                    lane: Lane::Steer,
                    text: format!("words {number}"),
                }),
                Happens::Called => {
                    let id = CallId::new(format!("c{number}"));
                    let call = ToolCall {
                        id: id.clone(),
                        name: "file_read".to_owned(),
                        arguments: json!({"path": "a"}),
                        malformed: None,
                    };
                    self.happen(Record::Reply {
                        message: ChatMessage {
                            role: Role::Assistant,
                            blocks: vec![ContentBlock::ToolCall(call)],
                            provider: None,
                        },
                        end: ReplyEnd::ToolCalls,
                        usage: Usage::default(),
                    });
                    let result = ToolResult::plain(id, CallStatus::Done, "a line\n".repeat(200));
                    self.happen(Record::Result { result });
                }
                Happens::Changed(change, at) => {
                    if self.log.is_empty() {
                        return;
                    }
                    let at = at.index(self.log.len()) as u64 + 1;
                    self.happen(Record::WindowChanged {
                        entries: vec![Sequence(at)],
                        change,
                        speaker: Speaker::Person,
                    });
                }
                Happens::Compacted(keeps) => {
                    let kept = self.window.entries().iter().zip(keeps);
                    let kept = kept
                        .filter(|(_, keep)| *keep)
                        .filter_map(|(entry, _)| entry.kept());
                    let compaction = Compaction {
                        summary: format!("summary {number}"),
                        kept: kept.collect(),
                        by: CompactionBy::Cut,
                        before: 0,
                        after: 0,
                        usage: Usage::default(),
                    };
                    self.happen(Record::Compacted { compaction });
                }
                Happens::Undone => {
                    if let Some(boundary) = self.ledger.main().boundaries.last().copied() {
                        self.happen(Record::CompactionUndone { boundary });
                    }
                }
            }
        }
    }

    proptest! {
        #[test]
        fn a_window_that_is_read_is_the_window_that_was_left(
            steps in prop::collection::vec(happens(), 0..40)
        ) {
            let mut working = Working::default();
            for step in steps {
                working.step(step);

                let read = if working.log.is_empty() { Conversation::default() } else { working.read() };
                prop_assert_eq!(read.entries(), working.window.entries());
                prop_assert_eq!(read.request(), working.window.request());
                prop_assert_eq!(read.budget.estimate(), working.window.budget.estimate());
            }
        }
    }

    #[test]
    fn undoing_a_compaction_brings_back_what_stood_there() {
        let mut working = Working::default();
        for step in [Happens::Said, Happens::Called, Happens::Said] {
            working.step(step);
        }
        let before: Vec<Entry> = working.window.entries().to_vec();

        working.step(Happens::Compacted(vec![false; 12]));
        let compacted = working.window.entries().len();
        working.step(Happens::Undone);

        assert_eq!(compacted, 1);
        assert_eq!(working.window.entries(), before);
    }
}
