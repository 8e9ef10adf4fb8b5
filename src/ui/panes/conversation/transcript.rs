//! One agent's entries. Records make them, live events fill them in between; both lead to the same entries, so a
//! resumed session looks as it did.
//!
//! A reply that is still coming stands in `live`, behind everything stored. When its record comes, the stored entries
//! take the very places (and folds) of the live ones.

use std::collections::HashMap;

use serde_json::Value;

use super::{
    entry::{Body, Call, CallStage, Entry, EntryKey},
    layout::Heights,
};
use crate::{
    domain::{
        approval::ApprovalRequest,
        ids::{CallId, RequestId},
        question::QuestionForm,
        record::Stored,
        tool::ToolCall,
    },
    engine::event::{CallState, Delta},
    ui::markdown::Document,
};

/// One agent's entries.
#[derive(Debug, Default)]
pub struct Transcript {
    pub(super) entries: Vec<Entry>,
    /// Key of the first entry.
    pub(super) first: EntryKey,
    pub(super) live: Vec<Entry>,
    /// Whether `live` came from a stored part of a reply and not from the stream.
    pub(super) live_is_partial: bool,
    pub(super) calls: HashMap<CallId, EntryKey>,
    pub(super) requests: HashMap<RequestId, EntryKey>,
    /// Records about entries that are not known yet, oldest first.
    pub(super) orphans: Vec<Stored>,
    /// Whether the first reply known here may finish a part that stands in an earlier page.
    pub(super) starts_inside_turn: bool,
    pub(super) saw_turn_start: bool,
    /// Whether a script answers.
    pub(super) is_script: bool,
    /// What is known of the heights.
    pub(super) heights: Heights,
}

impl Transcript {
    /// Number of entries.
    pub fn len(&self) -> usize {
        self.entries.len() + self.live.len()
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Key of the first entry.
    pub fn first(&self) -> EntryKey {
        self.first
    }

    /// Key of the last entry; one before the first when there is none.
    pub fn last(&self) -> EntryKey {
        self.first + self.len() as EntryKey - 1
    }

    /// The key nearest to this one that names an entry.
    pub fn clamped(&self, key: EntryKey) -> EntryKey {
        key.min(self.last()).max(self.first)
    }

    /// Key behind the last stored entry: of the first one that is still coming.
    pub(super) fn stored_end(&self) -> EntryKey {
        self.first + self.entries.len() as EntryKey
    }

    fn index(&self, key: EntryKey) -> Option<usize> {
        usize::try_from(key - self.first).ok()
    }

    /// An entry.
    pub fn get(&self, key: EntryKey) -> Option<&Entry> {
        let index = self.index(key)?;
        match index.checked_sub(self.entries.len()) {
            None => self.entries.get(index),
            Some(live) => self.live.get(live),
        }
    }

    /// An entry to be changed; what was measured of it is void.
    pub fn change(&mut self, key: EntryKey) -> Option<&mut Entry> {
        let index = self.index(key)?;
        self.heights.touch(key);
        match index.checked_sub(self.entries.len()) {
            None => self.entries.get_mut(index),
            Some(live) => self.live.get_mut(live),
        }
    }

    /// All entries with their keys.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (EntryKey, &Entry)> {
        let first = self.first;
        let stored = self.entries.iter().enumerate();
        let offset = self.entries.len();
        let live = self
            .live
            .iter()
            .enumerate()
            .map(move |(index, entry)| (offset + index, entry));
        stored
            .chain(live)
            .map(move |(index, entry)| (first + index as EntryKey, entry))
    }

    /// Appends a stored entry in front of what is still coming, and returns its key.
    pub(super) fn push(&mut self, entry: Entry) -> EntryKey {
        let key = self.stored_end();
        self.heights.cut(key);
        self.entries.push(entry);
        key
    }

    /// Takes out a stored entry; those behind it move up.
    pub(super) fn remove(&mut self, key: EntryKey) -> Option<Entry> {
        let index = self.index(key).filter(|at| *at < self.entries.len())?;
        self.heights.cut(key);
        let keys = self.calls.values_mut().chain(self.requests.values_mut());
        for behind in keys.filter(|behind| **behind > key) {
            *behind -= 1;
        }
        Some(self.entries.remove(index))
    }

    /// The person runs a command line: its output is shown as it comes.
    pub(super) fn person_runs(&mut self, id: &CallId, command: &str, shared: bool, now_ms: i64) {
        if self.calls.contains_key(id) {
            return;
        }
        let mut call = Call::by_person(id.clone(), command, shared);
        call.stage = CallStage::Running;
        call.started_ms = Some(now_ms);
        let key = self.push(Entry::stored(now_ms, Body::Call(Box::new(call))));
        self.calls.insert(id.clone(), key);
    }

    /// Whether a command line of the person's runs.
    pub fn runs_for_person(&self) -> bool {
        self.entries.iter().rev().any(|entry| match &entry.body {
            Body::Call(call) => call.by_person.is_some() && call.stage == CallStage::Running,
            _ => false,
        })
    }

    /// Takes out what is still coming; nothing that was known of it holds for what comes in its place.
    pub(super) fn take_live(&mut self) -> Vec<Entry> {
        self.heights.cut(self.stored_end());
        self.live_is_partial = false;
        std::mem::take(&mut self.live)
    }

    /// The call about which the person is asked with this number.
    pub(super) fn asked(&mut self, request: RequestId) -> Option<&mut Call> {
        let key = *self.requests.get(&request)?;
        match &mut self.change(key)?.body {
            Body::Call(call) => Some(call),
            _ => None,
        }
    }

    /// A running call calls a tool.
    pub(super) fn inner_called(&mut self, at: i64, call: &ToolCall) {
        let inner = Call {
            is_inner: true,
            ..Call::new(call.clone())
        };
        let key = self.push(Entry::stored(at, Body::Call(Box::new(inner))));
        self.calls.insert(call.id.clone(), key);
    }

    /// The call of this id.
    pub(super) fn call(&mut self, id: &CallId) -> Option<&mut Call> {
        let key = *self.calls.get(id)?;
        match &mut self.change(key)?.body {
            Body::Call(call) => Some(call),
            _ => None,
        }
    }

    /// The call of this id, to be read; the person's own are found as well when they have ended.
    pub(super) fn find_call(&self, id: &CallId) -> Option<&Call> {
        let known = self.calls.get(id).and_then(|key| self.get(*key));
        let is_it = |entry: &&Entry| matches!(&entry.body, Body::Call(call) if call.call.id == *id);
        let entry = known.or_else(|| self.entries.iter().rev().find(is_it))?;
        match &entry.body {
            Body::Call(call) => Some(call),
            _ => None,
        }
    }

    /// Key of the call of this id.
    pub fn key_of(&self, call: &CallId) -> Option<EntryKey> {
        self.calls.get(call).copied()
    }

    /// A call that is asked about before its reply is known here (it comes with the request).
    pub(super) fn adopt(&mut self, id: &CallId, name: &str, arguments: &Value, at_ms: i64) {
        if self.calls.contains_key(id) {
            return;
        }
        let call = Call::new(ToolCall {
            id: id.clone(),
            name: name.to_owned(),
            arguments: arguments.clone(),
            malformed: None,
        });
        let key = self.push(Entry::stored(at_ms, Body::Call(Box::new(call))));
        self.calls.insert(id.clone(), key);
    }

    /// Takes a piece of a reply or of an output that is still coming.
    pub fn delta(&mut self, delta: &Delta) {
        match delta {
            Delta::ReplyStarted => {
                self.take_live();
            }
            Delta::Text(text) => self.stream_text(text),
            Delta::Reasoning(text) => self.stream_reasoning(text),
            Delta::CallDraft { slot, name, bytes } => self.stream_draft(*slot, name, *bytes),
            Delta::Output { call, text } => {
                if let Some(call) = self.call(call) {
                    call.push_output(text);
                }
            }
        }
    }

    fn stream_text(&mut self, text: &str) {
        let key = self.last();
        if let Some(Entry {
            body:
                Body::Reply {
                    document,
                    streaming: true,
                    ..
                },
            ..
        }) = self.live.last_mut()
        {
            document.push(text);
            self.heights.touch(key);
            return;
        }
        self.end_streams();
        let is_labelled = self.label_is_due();
        self.live.push(Entry::coming(Body::Reply {
            document: Document::new(text),
            is_labelled,
            streaming: true,
        }));
    }

    fn stream_reasoning(&mut self, more: &str) {
        let key = self.last();
        if let Some(Entry {
            body:
                Body::Reasoning {
                    text,
                    streaming: true,
                },
            ..
        }) = self.live.last_mut()
        {
            text.push_str(more);
            self.heights.touch(key);
            return;
        }
        self.end_streams();
        self.live.push(Entry::coming(Body::Reasoning {
            text: more.to_owned(),
            streaming: true,
        }));
    }

    fn stream_draft(&mut self, slot: usize, name: &str, bytes: usize) {
        let known = self
            .live
            .iter_mut()
            .find_map(|entry| match &mut entry.body {
                Body::Draft {
                    slot: at,
                    name,
                    bytes,
                } if *at == slot => Some((name, bytes)),
                _ => None,
            });
        if let Some((known_name, known_bytes)) = known {
            name.clone_into(known_name);
            *known_bytes = bytes;
            return;
        }
        self.end_streams();
        self.live.push(Entry::coming(Body::Draft {
            slot,
            name: name.to_owned(),
            bytes,
        }));
    }

    /// The latest words or thoughts are complete: something else comes behind them.
    fn end_streams(&mut self) {
        let key = self.last();
        if let Some(entry) = self.live.last_mut() {
            match &mut entry.body {
                Body::Reply { streaming, .. } | Body::Reasoning { streaming, .. } => {
                    *streaming = false;
                    self.heights.touch(key);
                }
                _ => {}
            }
        }
    }

    /// A call changed its state.
    pub fn call_state(&mut self, id: &CallId, state: CallState, now_ms: i64) {
        let Some(call) = self.call(id) else { return };
        if call.stage == CallStage::Done {
            return;
        }
        call.stage = match state {
            CallState::Judging => CallStage::Judging,
            CallState::Asking => CallStage::Asking,
            CallState::Waiting => CallStage::Waiting,
            CallState::Running | CallState::Attended => {
                call.started_ms.get_or_insert(now_ms);
                CallStage::Running
            }
        };
    }

    /// A person is asked for permission. Told twice (as an event and as a record), kept once.
    pub fn approval_asked(&mut self, request: &ApprovalRequest) -> bool {
        let Some(key) = self.calls.get(&request.call).copied() else {
            return false;
        };
        self.requests.insert(request.id, key);
        let Some(call) = self.call(&request.call) else {
            return false;
        };
        if call.stage != CallStage::Done {
            call.stage = CallStage::Asking;
        }
        match call
            .approvals
            .iter_mut()
            .find(|(known, _)| known.id == request.id)
        {
            // What is asked may have changed meanwhile.
            Some((known, None)) => known.clone_from(request),
            Some(_) => {}
            None => call.approvals.push((request.clone(), None)),
        }
        true
    }

    /// A person is asked questions.
    pub fn question_asked(&mut self, form: &QuestionForm) -> bool {
        let Some(key) = self.calls.get(&form.call).copied() else {
            return false;
        };
        self.requests.insert(form.id, key);
        let Some(call) = self.call(&form.call) else {
            return false;
        };
        if call.question.is_none() {
            call.question = Some((form.clone(), None));
        }
        if call.stage != CallStage::Done {
            call.stage = CallStage::Asking;
        }
        true
    }

    /// Something about a request to the person changed elsewhere: its entry must be drawn anew.
    pub fn touch_request(&mut self, id: RequestId) {
        if let Some(key) = self.requests.get(&id) {
            self.heights.touch(*key);
        }
    }
}
