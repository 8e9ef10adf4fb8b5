//! What is known of the heights of entries: rows of those that were drawn, and guesses for all of them.
//!
//! Nothing here says what is shown. Forgetting everything changes no cell, it only costs time. Positions are `usize`
//! everywhere: a transcript may have more rows than fit into 16 bits.

use std::{cell::RefCell, collections::HashMap};

use super::{
    entry::{Body, Entry, EntryKey},
    transcript::Transcript,
};
use crate::ui::{
    cells::{self, Scene},
    displays::DiffStyle,
    rows::Stack,
};

/// Entries whose rows are kept; of the others only the height.
const KEPT: usize = 256;

/// Heights and rows of a transcript's entries.
#[derive(Debug, Default)]
pub(super) struct Heights {
    known: RefCell<Known>,
}

#[derive(Debug, Default)]
struct Known {
    look: Look,
    /// Key of the first height.
    first: EntryKey,
    /// Guesses, whether measured or not: where the scroll bar stands must not depend on what was drawn before.
    guesses: Sums,
    /// Heights of those that were measured.
    heights: Vec<Option<usize>>,
    /// Entries whose guess is out of date.
    stale: Vec<EntryKey>,
    memo: HashMap<EntryKey, Memo>,
    /// Entries laid out so far.
    laid_out: usize,
}

/// What all rows depend on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Look {
    width: usize,
    diff: DiffStyle,
    keymap: usize,
}

#[derive(Debug)]
struct Memo {
    rows: Stack,
    /// Highlighting that is still to come changes the looks.
    highlighted: Option<u64>,
}

impl Heights {
    /// An entry changed.
    pub(super) fn touch(&mut self, key: EntryKey) {
        let known = self.known.get_mut();
        known.memo.remove(&key);
        if let Some(height) = known.place(key).and_then(|at| known.heights.get_mut(at)) {
            *height = None;
            if known.stale.last() != Some(&key) {
                known.stale.push(key);
            }
        }
    }

    /// Entries from this one on stand elsewhere now.
    pub(super) fn cut(&mut self, key: EntryKey) {
        let known = self.known.get_mut();
        if let Some(keep) = known.place(key) {
            known.keep_first(keep);
        }
    }

    /// Everything is void.
    pub(super) fn reset(&mut self) {
        *self.known.get_mut() = Known::default();
    }

    /// Forgets rows and heights.
    pub(super) fn forget(&self) {
        self.known.take();
    }
}

impl Known {
    fn place(&self, key: EntryKey) -> Option<usize> {
        usize::try_from(key - self.first).ok()
    }

    /// Forgets all but the first entries, rows and heights alike: what comes in their places is something else.
    fn keep_first(&mut self, count: usize) {
        if count < self.heights.len() {
            self.heights.truncate(count);
            self.guesses.truncate(count);
            let end = self.first + count as EntryKey;
            self.memo.retain(|key, _| *key < end);
        }
    }

    /// Brings guesses up to the transcript.
    fn follow(&mut self, transcript: &Transcript, scene: &Scene<'_>) {
        let look = Look {
            width: scene.width,
            diff: scene.diff,
            keymap: std::sync::Arc::as_ptr(&scene.model.keymap) as usize,
        };
        if self.look != look || self.first != transcript.first() {
            *self = Self {
                look,
                first: transcript.first(),
                laid_out: self.laid_out,
                ..Self::default()
            };
        }
        let guess = |key: EntryKey| {
            transcript.get(key).map_or(0, |entry| {
                entry.estimate(scene.width) + gap(transcript, key)
            })
        };
        let count = transcript.len();
        self.keep_first(count);
        for key in std::mem::take(&mut self.stale) {
            if let Some(at) = self.place(key) {
                self.guesses.set(at, guess(key));
            }
        }
        for index in self.heights.len()..count {
            self.guesses.push(guess(self.first + index as EntryKey));
            self.heights.push(None);
        }
    }

    fn set(&mut self, key: EntryKey, height: usize) {
        if let Some(known) = self.place(key).and_then(|at| self.heights.get_mut(at)) {
            *known = Some(height);
        }
    }

    fn keep(&mut self, key: EntryKey, memo: Memo) {
        if self.memo.len() >= KEPT {
            let reach = (KEPT / 3) as EntryKey;
            self.memo.retain(|kept, _| (*kept - key).abs() <= reach);
        }
        self.memo.insert(key, memo);
    }
}

impl Transcript {
    /// The rows of an entry without the gap above it.
    pub fn rows(&self, key: EntryKey, scene: &Scene<'_>) -> Stack {
        let Some(entry) = self.get(key) else {
            return Stack::default();
        };
        let mut known = self.heights.known.borrow_mut();
        known.follow(self, scene);
        let current = scene.highlights.revision();
        let is_moving = entry.is_moving();
        if !is_moving
            && let Some(memo) = known.memo.get(&key)
            && memo.highlighted.is_none_or(|seen| seen == current)
        {
            return memo.rows.clone();
        }
        let drawn = cells::draw(entry, scene);
        known.laid_out += 1;
        known.set(key, drawn.rows.len() + gap(self, key));
        if !is_moving {
            let memo = Memo {
                rows: drawn.rows.clone(),
                highlighted: drawn.unsettled.then_some(current),
            };
            known.keep(key, memo);
        }
        drawn.rows
    }

    /// Rows of an entry with the gap above it, measured if need be.
    pub fn height(&self, key: EntryKey, scene: &Scene<'_>) -> usize {
        let Some(entry) = self.get(key) else {
            return 0;
        };
        {
            let mut known = self.heights.known.borrow_mut();
            known.follow(self, scene);
            let height = known.place(key).and_then(|at| *known.heights.get(at)?);
            if let Some(height) = height
                && !entry.is_moving()
            {
                return height;
            }
        }
        self.rows(key, scene).len() + gap(self, key)
    }

    /// Rows above an entry and of all entries, as guessed.
    pub fn extent(&self, key: EntryKey, scene: &Scene<'_>) -> (usize, usize) {
        let mut known = self.heights.known.borrow_mut();
        known.follow(self, scene);
        let at = known.place(key).unwrap_or(0);
        (known.guesses.before(at), known.guesses.before(self.len()))
    }

    /// How often an entry was laid out: what a frame costs beyond drawing.
    pub fn laid_out(&self) -> usize {
        self.heights.known.borrow().laid_out
    }

    /// Forgets rows and heights; the next frame makes them again.
    pub fn forget(&self) {
        self.heights.forget();
        for (_, entry) in self.iter() {
            if let Body::Reply { document, .. } = &entry.body {
                document.forget();
            }
        }
    }
}

/// Empty rows above an entry: what belongs together stands together.
pub(super) fn gap(transcript: &Transcript, key: EntryKey) -> usize {
    let (Some(above), Some(entry)) = (transcript.get(key - 1), transcript.get(key)) else {
        return 0;
    };
    usize::from(!stands_close(above, entry))
}

fn stands_close(above: &Entry, entry: &Entry) -> bool {
    let is_work = |entry: &Entry| {
        matches!(
            entry.body,
            Body::Call(_) | Body::Draft { .. } | Body::Reasoning { .. }
        )
    };
    match &entry.body {
        Body::Call(_) | Body::Draft { .. } | Body::Reasoning { .. } => is_work(above),
        Body::Stage { .. } => matches!(above.body, Body::Stage { .. }),
        Body::Said { .. } | Body::Reply { .. } | Body::Recap { .. } => false,
    }
}

/// Sums over a growing list of numbers, each change and question in logarithmic time (a Fenwick tree).
#[derive(Debug, Default)]
pub(super) struct Sums {
    values: Vec<usize>,
    /// Place `i` (from 1) holds the sum of the `i & -i` values that end there.
    tree: Vec<usize>,
}

impl Sums {
    /// Appends a value.
    pub(super) fn push(&mut self, value: usize) {
        let place = self.values.len() + 1;
        let span = place & place.wrapping_neg();
        let sum = self.before(place - 1) - self.before(place - span) + value;
        self.values.push(value);
        self.tree.push(sum);
    }

    /// Keeps only the first values.
    pub(super) fn truncate(&mut self, count: usize) {
        self.values.truncate(count);
        self.tree.truncate(count);
    }

    /// Changes a value.
    pub(super) fn set(&mut self, index: usize, value: usize) {
        let Some(old) = self.values.get_mut(index) else {
            return;
        };
        let before = std::mem::replace(old, value);
        let mut place = index + 1;
        while let Some(sum) = self.tree.get_mut(place - 1) {
            *sum = *sum + value - before;
            place += place & place.wrapping_neg();
        }
    }

    /// The sum of the values before this one.
    pub(super) fn before(&self, index: usize) -> usize {
        let mut place = index.min(self.tree.len());
        let mut sum = 0;
        while place > 0 {
            sum += self.tree.get(place - 1).copied().unwrap_or(0);
            place &= place - 1;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sums_are_those_of_a_plain_list(
            values in proptest::collection::vec(0usize..50, 1..80),
            changes in proptest::collection::vec((0usize..80, 0usize..50), 0..40),
            cut in 0usize..80,
        ) {
            let mut sums = Sums::default();
            let mut plain = Vec::new();
            for value in values {
                sums.push(value);
                plain.push(value);
            }
            for (index, value) in changes {
                sums.set(index, value);
                if let Some(place) = plain.get_mut(index) {
                    *place = value;
                }
            }
            sums.truncate(cut);
            plain.truncate(cut);
            sums.push(7);
            plain.push(7);

            for index in 0..=plain.len() {
                prop_assert_eq!(sums.before(index), plain[..index].iter().sum::<usize>());
            }
        }
    }
}
