//! What the composer remembers: the draft, earlier messages, the open list, whom the next message is for.
//!
//! The one invariant: words leave the draft only by being sent, by the person's own deletion, or into the history.

use super::{
    completion::{Files, Offer, Word},
    editor::Editor,
    history::{History, Search},
};
use crate::domain::{
    ids::{AgentId, QueuedId},
    record::Lane,
};

/// How long after the last change the draft is journalled.
const DRAFT_PAUSE_MS: u64 = 400;
/// How long the journal may lack a change while words keep coming.
const DRAFT_LAG_MS: u64 = 1_500;

/// What the pane remembers.
#[derive(Debug, Default)]
pub struct State {
    /// The draft.
    pub editor: Editor,
    /// Earlier messages.
    pub history: History,
    /// The search in earlier messages, while it is open.
    pub search: Option<Search>,
    /// The list of completions, while it is open.
    pub list: Option<List>,
    /// Whom the next message is for and how, when it is not the shown agent.
    pub aim: Option<Aim>,
    /// A waiting message that was asked back; its words are put in when the engine lets it go.
    pub taking_back: Option<TakingBack>,
    /// Paths below the working directory, as last fetched; `None` until they came.
    pub files: Option<Files>,
    /// When a key or a paste last changed the draft.
    pub typed_ms: Option<u64>,
    /// Since when the journal lacks what is in the draft.
    pub unsaved_since_ms: Option<u64>,
}

/// A waiting message that was asked back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakingBack {
    /// For whom it waits.
    pub agent: AgentId,
    /// Its number.
    pub id: QueuedId,
    /// The words.
    pub text: String,
}

/// Whom a message is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aim {
    /// The agent.
    pub agent: AgentId,
    /// When it is to be read.
    pub lane: Lane,
}

/// An open list of completions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// The word that it is for.
    pub word: Word,
    /// The rows, the best first.
    pub offers: Vec<Offer>,
    /// The selected row.
    pub selected: usize,
}

impl State {
    /// Notes that the person changed the draft.
    pub fn changed(&mut self, now_ms: u64) {
        self.typed_ms = Some(now_ms);
        self.unsaved_since_ms.get_or_insert(now_ms);
    }

    /// When the draft is to be journalled; `None` when the journal has it.
    pub fn save_due_ms(&self) -> Option<u64> {
        let since = self.unsaved_since_ms?;
        let rests = self
            .typed_ms
            .unwrap_or(since)
            .saturating_add(DRAFT_PAUSE_MS);
        // What is tried again later counts from then on.
        Some(rests.min(since.saturating_add(DRAFT_LAG_MS)).max(since))
    }

    /// Whether somebody is writing: there is a draft, or there was a key within `still_ms`.
    pub fn is_in_use(&self, now_ms: u64, still_ms: u64) -> bool {
        !self.editor.is_empty()
            || self.search.is_some()
            || self
                .typed_ms
                .is_some_and(|typed| now_ms.saturating_sub(typed) < still_ms)
    }

    /// Puts the draft aside into the history and shows other words in its place.
    pub fn replace(&mut self, text: &str) {
        self.history.add(&self.editor.text());
        self.editor.set_text(text);
    }

    /// Brings the list in line with the word at the cursor. Says whether the files are needed and unknown.
    pub fn complete(&mut self) -> bool {
        let word = Word::at_cursor(&self.editor.before_cursor(), self.editor.is_on_first_line());
        let Some(word) = word else {
            self.list = None;
            return false;
        };
        let is_file = matches!(word, Word::File { .. });
        let is_new = !matches!(
            (&self.list, &word),
            (
                Some(List {
                    word: Word::File { .. },
                    ..
                }),
                Word::File { .. }
            )
        );
        let selected = match &self.list {
            Some(list) if list.word == word => list.selected,
            _ => 0,
        };
        let offers = word.offers(self.files.as_mut());
        self.list = Some(List {
            word,
            selected: selected.min(offers.len().saturating_sub(1)),
            offers,
        });
        is_file && is_new
    }

    /// Puts the selected completion in; `None` when nothing is offered.
    pub fn accept_offer(&mut self) -> Option<Word> {
        let list = self.list.take()?;
        let offer = list.offers.get(list.selected)?;
        let start = match &list.word {
            Word::Slash { .. } => 0,
            Word::File { start, .. } => *start,
        };
        self.editor.replace_back_to(start, &offer.insert);
        Some(list.word)
    }
}

impl List {
    /// Goes up or down; the ends meet.
    pub fn step(&mut self, by: isize) {
        let count = self.offers.len().max(1) as isize;
        self.selected = (self.selected as isize + by).rem_euclid(count) as usize;
    }
}
