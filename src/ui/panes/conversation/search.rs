//! Finding words in the shown transcript: in what was said, in calls and in their outputs.

use crossterm::event::KeyEvent;
use regex::Regex;

use super::{
    entry::{Entry, EntryKey, Fold},
    pane::{area, window},
    scroll::Scroll,
};
use crate::{
    text::find::words,
    ui::{Effect, Model, cells::default_fold, keymap::Action, widgets::field::Field},
};

/// A search.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    /// The words.
    pub field: Field,
    /// Whether they are being typed.
    pub is_typing: bool,
    /// Entries that hold them, oldest first.
    pub hits: Vec<EntryKey>,
    /// The hit that is looked at.
    pub at: Option<EntryKey>,
    /// Where the view was when the search began.
    begun: Scroll,
    pattern: Option<Regex>,
}

impl Search {
    /// Whether there is something to mark.
    pub(super) fn is_active(&self) -> bool {
        self.is_typing || self.pattern.is_some()
    }

    /// What is marked.
    pub(super) fn pattern(&self) -> Option<&Regex> {
        self.pattern.as_ref()
    }

    /// `3 of 12`, `no match`, or nothing while there are no words.
    pub(super) fn note(&self) -> String {
        if self.field.is_empty() {
            return String::new();
        }
        if self.hits.is_empty() {
            return "no match".to_owned();
        }
        let place = self
            .at
            .and_then(|at| self.hits.iter().position(|hit| *hit == at));
        match place {
            Some(place) => format!("{} of {}", place + 1, self.hits.len()),
            None => format!("{} entries", self.hits.len()),
        }
    }
}

/// Begins a search.
pub(super) fn begin(model: &mut Model) {
    let begun = model.conversation.looking().scroll;
    model.conversation.search = Search {
        is_typing: true,
        begun,
        ..Search::default()
    };
}

/// Whether keys type text here now.
pub fn takes_text(model: &Model) -> bool {
    model.conversation.search.is_typing
}

/// Takes a key that means no action.
pub fn input(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let search = &mut model.conversation.search;
    if search.is_typing && search.field.input(key) {
        find(model);
    }
    Vec::new()
}

/// Whether there are matches to go to.
pub fn has_matches(model: &Model) -> bool {
    !model.conversation.search.hits.is_empty()
}

/// Takes pasted text.
pub fn paste(model: &mut Model, text: &str) -> Vec<Effect> {
    if takes_text(model) {
        let left_out = model.conversation.search.field.insert(text);
        model.left_out(left_out);
        find(model);
    }
    Vec::new()
}

/// Takes an action while the words are being typed.
pub(super) fn typing(model: &mut Model, action: Action) {
    match action {
        Action::Open => {
            model.conversation.search.is_typing = false;
            if model.conversation.search.field.is_empty() {
                model.conversation.search = Search::default();
            }
        }
        Action::Back => {
            let begun = model.conversation.search.begun;
            model.conversation.search = Search::default();
            model.conversation.look().scroll = begun;
        }
        _ => {}
    }
}

/// Ends the search; false when there is none.
pub(super) fn end(model: &mut Model) -> bool {
    let was = model.conversation.search.is_active();
    model.conversation.search = Search::default();
    was
}

/// Finds the words anew and goes to the last hit at or above what is seen, as one reads backwards from the end.
fn find(model: &mut Model) {
    let state = &mut model.conversation;
    state.search.pattern = words(state.search.field.text());
    let hits = match state.search.pattern.clone() {
        None => Vec::new(),
        Some(pattern) => state
            .transcript()
            .iter()
            .filter(|(_, entry)| holds(entry, &pattern))
            .map(|(key, _)| key)
            .collect(),
    };
    model.conversation.search.hits = hits;
    let hits = &model.conversation.search.hits;
    let from = match model.conversation.search.begun {
        Scroll::Follow => EntryKey::MAX,
        Scroll::At(anchor) => anchor.key,
    };
    let hit = hits
        .iter()
        .rev()
        .find(|hit| **hit <= from)
        .or_else(|| hits.first())
        .copied();
    match hit {
        Some(hit) => go(model, hit),
        None => model.conversation.search.at = None,
    }
}

fn holds(entry: &Entry, pattern: &Regex) -> bool {
    let (line, text) = entry.texts();
    pattern.is_match(text) || pattern.is_match(&line)
}

/// Goes to the next hit, or the one before; round the ends.
pub(super) fn step(model: &mut Model, forward: bool) {
    let search = &model.conversation.search;
    let from = search
        .at
        .or(model.conversation.looking().focus)
        .unwrap_or(EntryKey::MAX);
    let hits = &search.hits;
    let hit = if forward {
        hits.iter().find(|hit| **hit > from).or(hits.first())
    } else {
        hits.iter().rev().find(|hit| **hit < from).or(hits.last())
    };
    if let Some(hit) = hit.copied() {
        go(model, hit);
    }
}

/// Looks at a hit: opens what hides it and shows its first matching row.
fn go(model: &mut Model, key: EntryKey) {
    model.conversation.search.at = Some(key);
    let area = area(model);
    let row = row_of(model, key);
    let row = match row {
        Some(row) => row,
        None => {
            unfold(model, key);
            row_of(model, key).unwrap_or(0)
        }
    };
    let scroll = window(model, area).showing_line(model.conversation.looking().scroll, key, row);
    let view = model.conversation.look();
    view.scroll = scroll;
    view.focus = Some(key);
}

/// The first row of an entry that holds the words, if a drawn row does.
fn row_of(model: &Model, key: EntryKey) -> Option<usize> {
    let pattern = model.conversation.search.pattern()?;
    let window = window(model, area(model));
    let rows = window.transcript.rows(key, &window.scene);
    rows.iter().position(|row| pattern.is_match(&row.text()))
}

fn unfold(model: &mut Model, key: EntryKey) {
    let agent = model.conversation.shown.clone();
    let Some(transcript) = model.conversation.transcripts.get_mut(&agent) else {
        return;
    };
    if let Some(entry) = transcript.change(key)
        && entry.fold.unwrap_or_else(|| default_fold(entry)) != Fold::Whole
    {
        entry.fold = Some(Fold::Whole);
    }
}
