//! The conversation of one agent, folded from its records.
//!
//! The fold is the only way into the window: a resumed agent and a running one hold the same messages. Every record
//! that the model sees is an entry of its own, so that it can be named, left out, pinned and kept past a compaction.
//! A request made from them is always paired: every call has exactly one result, right behind the message that called.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use super::{budget::Budget, left_out};
use crate::domain::{
    chat::{ChatMessage, ContentBlock, Role},
    ids::{CallId, Sequence},
    record::{Record, Speaker},
    tool::{CallStatus, ToolCall, ToolResult},
    window::{Compaction, Kept, WindowChange},
};

/// What the model is told about a call whose end nobody saw.
pub const INTERRUPTED: &str = "[interrupted, effects unknown: look before doing it again]";

/// The messages of one agent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conversation {
    entries: Vec<Entry>,
    /// What the messages take up.
    pub budget: Budget,
}

/// What one record put into the window.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its place in the log; `None` while it is not stored.
    pub sequence: Option<Sequence>,
    /// What it holds.
    pub body: Body,
    /// Whether the model gets a marker in its place.
    pub is_dropped: bool,
    /// Whether it outlives compactions.
    pub is_pinned: bool,
}

/// What an entry holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// Words in the user's role.
    Words {
        /// The words.
        text: String,
        /// Whether the person said them, or the parent: not the program.
        is_asked: bool,
    },
    /// What stands in place of what was compacted.
    Summary(String),
    /// A reply of the model.
    Reply(ChatMessage),
    /// What a tool answered.
    Result(ToolResult),
}

impl Conversation {
    /// Takes a record at its place in the log; those that the model does not see change nothing.
    pub fn apply(&mut self, sequence: Option<Sequence>, record: &Record) {
        match record {
            Record::ContextNote { text } => self.push_words(sequence, text.clone(), false),
            Record::Said { text, speaker, .. } => {
                let is_asked = *speaker != Speaker::Program;
                self.push_words(sequence, text.clone(), is_asked);
            }
            Record::PersonRan {
                command,
                result,
                shared: true,
            } => {
                let text = format!("[the person ran `{command}`]\n{}", result.text);
                self.push_words(sequence, text, false);
            }
            Record::Reply { message, usage, .. } => {
                if !message.blocks.is_empty() {
                    self.budget.replied(message);
                    self.push(sequence, Body::Reply(message.clone()));
                }
                self.budget.reported(usage);
            }
            Record::Result { result } => {
                self.budget.answered(&result.text, &result.attachments);
                self.push(sequence, Body::Result(result.clone()));
            }
            Record::WindowChanged {
                entries, change, ..
            } => self.change(entries, *change),
            Record::Compacted { compaction } => self.compact(sequence, compaction),
            _ => {}
        }
    }

    /// Takes an entry that a compaction had kept.
    pub fn apply_kept(&mut self, kept: &Kept, record: &Record) {
        let before = self.entries.len();
        self.apply(Some(kept.sequence), record);
        for entry in self.entries.iter_mut().skip(before) {
            entry.is_dropped = kept.is_dropped;
            entry.is_pinned = kept.is_pinned;
        }
    }

    fn push_words(&mut self, sequence: Option<Sequence>, text: String, is_asked: bool) {
        self.budget.said(&text);
        self.push(sequence, Body::Words { text, is_asked });
    }

    fn push(&mut self, sequence: Option<Sequence>, body: Body) {
        self.entries.push(Entry {
            sequence,
            body,
            is_dropped: false,
            is_pinned: false,
        });
    }

    fn change(&mut self, sequences: &[Sequence], change: WindowChange) {
        for entry in &mut self.entries {
            if !entry.sequence.is_some_and(|at| sequences.contains(&at)) {
                continue;
            }
            match change {
                WindowChange::Dropped => entry.is_dropped = entry.can_be_dropped(),
                WindowChange::Restored => entry.is_dropped = false,
                WindowChange::Pinned => entry.is_pinned = true,
                WindowChange::Unpinned => entry.is_pinned = false,
            }
        }
        self.weigh_again();
    }

    fn compact(&mut self, sequence: Option<Sequence>, compaction: &Compaction) {
        let kept: HashSet<Sequence> = compaction.kept.iter().map(|kept| kept.sequence).collect();
        self.entries
            .retain(|entry| entry.sequence.is_some_and(|at| kept.contains(&at)));
        // What answers no call is not read again either.
        let calls = self.calls();
        self.entries.retain(
            |entry| !matches!(&entry.body, Body::Result(result) if !calls.contains(&result.call)),
        );
        self.push(sequence, Body::Summary(compaction.summary.clone()));
        self.entries.rotate_right(1);
        self.weigh_again();
    }

    /// What the provider reported was about another window: until it reports again, estimates stand.
    fn weigh_again(&mut self) {
        self.budget = Budget::default();
        for entry in &self.entries {
            entry.weigh(&mut self.budget);
        }
    }

    /// What stands in the window, in order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The messages for a request.
    pub fn request(&self) -> Arc<[ChatMessage]> {
        let results = self.results();
        let calls = self.calls_by_id();
        let mut request: Vec<ChatMessage> = Vec::with_capacity(self.entries.len() + 1);
        for entry in &self.entries {
            match &entry.body {
                Body::Words { text, .. } | Body::Summary(text) => push_words(&mut request, text),
                Body::Reply(message) => {
                    request.push(message.clone());
                    if message.calls().next().is_some() {
                        request.push(paired(message, &results, &calls));
                    }
                }
                // Stands behind its call.
                Body::Result(_) => {}
            }
        }
        request.into()
    }

    /// Calls that have no result, in order.
    pub fn unanswered(&self) -> Vec<CallId> {
        let answered = self.results();
        self.all_calls()
            .map(|call| &call.id)
            .filter(|id| !answered.contains_key(id))
            .cloned()
            .collect()
    }

    /// Ids of all calls.
    pub fn calls(&self) -> HashSet<CallId> {
        self.all_calls().map(|call| call.id.clone()).collect()
    }

    /// The calls by their ids.
    pub fn calls_by_id(&self) -> HashMap<&CallId, &ToolCall> {
        self.all_calls().map(|call| (&call.id, call)).collect()
    }

    /// The words of the last reply that has any.
    pub fn last_words(&self) -> Option<String> {
        self.replies()
            .rev()
            .map(ChatMessage::text)
            .find(|text| !text.trim().is_empty())
    }

    fn replies(&self) -> impl DoubleEndedIterator<Item = &ChatMessage> {
        self.entries.iter().filter_map(|entry| match &entry.body {
            Body::Reply(message) => Some(message),
            _ => None,
        })
    }

    fn all_calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.replies().flat_map(ChatMessage::calls)
    }

    fn results(&self) -> HashMap<&CallId, &Entry> {
        self.entries
            .iter()
            .filter_map(|entry| match &entry.body {
                Body::Result(result) => Some((&result.call, entry)),
                _ => None,
            })
            .collect()
    }
}

impl Entry {
    /// Only what a tool answered has a place where all of it can be had again.
    pub fn can_be_dropped(&self) -> bool {
        matches!(self.body, Body::Result(_))
    }

    /// As a compaction keeps it; a summary is never kept, and what is not stored has no place.
    pub fn kept(&self) -> Option<Kept> {
        let is_summary = matches!(self.body, Body::Summary(_));
        self.sequence.filter(|_| !is_summary).map(|sequence| Kept {
            sequence,
            is_dropped: self.is_dropped,
            is_pinned: self.is_pinned,
        })
    }

    /// What it takes up, estimated.
    pub fn tokens(&self) -> u64 {
        let mut budget = Budget::default();
        self.weigh(&mut budget);
        budget.estimate()
    }

    /// Adds what it takes up.
    fn weigh(&self, budget: &mut Budget) {
        match &self.body {
            Body::Words { text, .. } | Body::Summary(text) => budget.said(text),
            Body::Reply(message) => budget.replied(message),
            Body::Result(_) if self.is_dropped => budget.answered(left_out::LIKE_ANY, &[]),
            Body::Result(result) => budget.answered(&result.text, &result.attachments),
        }
    }
}

/// Words in a row are one message.
fn push_words(request: &mut Vec<ChatMessage>, text: &str) {
    if let Some(last) = request.last_mut()
        && last.role == Role::User
        && !holds_results(last)
    {
        last.blocks.push(ContentBlock::Text {
            text: text.to_owned(),
        });
        return;
    }
    request.push(ChatMessage::user(text));
}

fn holds_results(message: &ChatMessage) -> bool {
    matches!(message.blocks.first(), Some(ContentBlock::ToolResult(_)))
}

/// One result for each call, in call order.
fn paired(
    message: &ChatMessage,
    results: &HashMap<&CallId, &Entry>,
    calls: &HashMap<&CallId, &ToolCall>,
) -> ChatMessage {
    let answer = |call: &ToolCall| match results.get(&call.id) {
        Some(Entry {
            body: Body::Result(result),
            is_dropped,
            ..
        }) => {
            if *is_dropped {
                left_out::marker(result, calls.get(&result.call).copied())
            } else {
                result.clone()
            }
        }
        _ => ToolResult::plain(call.id.clone(), CallStatus::Interrupted, INTERRUPTED),
    };
    ChatMessage {
        role: Role::User,
        blocks: message
            .calls()
            .map(|call| ContentBlock::ToolResult(answer(call)))
            .collect(),
        provider: None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::domain::{
        record::{Lane, ReplyEnd, Speaker},
        tool::ToolCall,
        usage::Usage,
    };

    fn said(text: &str) -> Record {
        Record::Said {
            speaker: Speaker::Person,
            lane: Lane::Steer,
            text: text.to_owned(),
        }
    }

    fn calls(ids: &[&str]) -> Record {
        Record::Reply {
            message: ChatMessage {
                role: Role::Assistant,
                blocks: ids
                    .iter()
                    .map(|id| {
                        ContentBlock::ToolCall(ToolCall {
                            id: CallId::new(id),
                            name: "file_read".to_owned(),
                            arguments: json!({}),
                            malformed: None,
                        })
                    })
                    .collect(),
                provider: None,
            },
            end: ReplyEnd::ToolCalls,
            usage: Usage::default(),
        }
    }

    fn result(id: &str) -> Record {
        Record::Result {
            result: ToolResult::plain(CallId::new(id), CallStatus::Done, id),
        }
    }

    fn fold(records: &[Record]) -> Conversation {
        let mut conversation = Conversation::default();
        for record in records {
            conversation.apply(None, record);
        }
        conversation
    }

    fn shape(messages: &[ChatMessage]) -> Vec<String> {
        messages
            .iter()
            .map(|message| {
                let blocks: Vec<String> = message
                    .blocks
                    .iter()
                    .map(|block| match block {
                        ContentBlock::Text { text } => format!("text {text}"),
                        ContentBlock::Reasoning { text } => format!("reasoning {text}"),
                        ContentBlock::ToolCall(call) => format!("call {}", call.id),
                        ContentBlock::ToolResult(result) => {
                            format!("result {} {:?}", result.call, result.status)
                        }
                    })
                    .collect();
                format!("{:?}: {}", message.role, blocks.join(", "))
            })
            .collect()
    }

    #[test]
    fn results_stand_behind_their_calls_in_call_order() {
        let conversation = fold(&[
            said("go"),
            calls(&["a", "b"]),
            result("b"),
            result("a"),
            said("and?"),
        ]);

        assert_eq!(
            shape(&conversation.request()),
            [
                "User: text go",
                "Assistant: call a, call b",
                "User: result a Done, result b Done",
                "User: text and?",
            ]
        );
    }

    #[test]
    fn a_call_without_result_is_answered_as_interrupted() {
        let conversation = fold(&[said("go"), calls(&["a", "b"]), result("b"), said("go on")]);

        assert_eq!(
            shape(&conversation.request()),
            [
                "User: text go",
                "Assistant: call a, call b",
                "User: result a Interrupted, result b Done",
                "User: text go on",
            ]
        );
        assert_eq!(conversation.unanswered(), [CallId::new("a")]);
    }

    #[test]
    fn notes_and_words_in_a_row_are_one_message() {
        let conversation = fold(&[
            Record::ContextNote {
                text: "note".to_owned(),
            },
            said("one"),
            said("two"),
        ]);

        assert_eq!(
            shape(&conversation.request()),
            ["User: text note, text one, text two"]
        );
    }
}
