//! Which part of a transcript is shown. The view is pinned to a line of an entry, never to a row number, so whatever
//! comes, goes or changes its height elsewhere, what is being read stays where it is.

use super::{entry::EntryKey, layout::gap, transcript::Transcript};
use crate::ui::{cells::Scene, rows::Stack};

/// Which part is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scroll {
    /// The end, whatever comes.
    #[default]
    Follow,
    /// From this line on.
    At(Anchor),
}

/// The line at the top of the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// The entry.
    pub key: EntryKey,
    /// The line of it, the gap above it included.
    pub line: usize,
    /// Columns at which `line` was counted.
    pub width: usize,
    /// Rows of the entry then.
    pub height: usize,
    /// The last entry when the view left the end, and its rows: what is beyond is new.
    pub seen: (EntryKey, usize),
}

/// One entry in the view.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    /// The entry.
    pub key: EntryKey,
    /// Rows of the view above its first shown row.
    pub top: usize,
    /// Its rows, without the gap.
    pub rows: Stack,
    /// Which of its rows is the first one shown.
    pub skip: usize,
    /// Empty rows above its first shown row that belong to it.
    pub gap: usize,
}

/// A transcript seen through a window of some rows.
#[derive(Clone, Copy)]
pub(super) struct Window<'a> {
    /// What is seen.
    pub transcript: &'a Transcript,
    /// How it is drawn.
    pub scene: Scene<'a>,
    /// Rows of the window.
    pub rows: usize,
}

impl Window<'_> {
    fn height(&self, key: EntryKey) -> usize {
        self.transcript.height(key, &self.scene)
    }

    /// The first shown line.
    pub(super) fn top(&self, scroll: Scroll) -> (EntryKey, usize) {
        match scroll {
            Scroll::Follow => self.bottom_top(),
            Scroll::At(anchor) => {
                let top = self.resolved(anchor);
                let last = self.bottom_top();
                if top > last { last } else { top }
            }
        }
    }

    /// The first shown line when the end is shown.
    fn bottom_top(&self) -> (EntryKey, usize) {
        self.up_from((self.transcript.last() + 1, 0), self.rows)
    }

    /// An anchor at the present width and height of its entry.
    fn resolved(&self, anchor: Anchor) -> (EntryKey, usize) {
        let key = self.transcript.clamped(anchor.key);
        let height = self.height(key);
        let line = if anchor.width == self.scene.width || anchor.height == 0 {
            anchor.line
        } else {
            anchor.line * height / anchor.height
        };
        (key, line.min(height.saturating_sub(1)))
    }

    /// The line so many rows above another one; the first line at most.
    fn up_from(&self, from: (EntryKey, usize), rows: usize) -> (EntryKey, usize) {
        let (mut key, mut line) = from;
        let mut left = rows;
        loop {
            if left <= line {
                return (key, line - left);
            }
            left -= line;
            if key <= self.transcript.first() {
                return (self.transcript.first(), 0);
            }
            key -= 1;
            line = self.height(key);
        }
    }

    /// The line so many rows below another one; one behind the last at most.
    fn down_from(&self, from: (EntryKey, usize), rows: usize) -> (EntryKey, usize) {
        let (mut key, mut line) = from;
        let mut left = rows;
        while key <= self.transcript.last() {
            let height = self.height(key);
            if line + left < height {
                return (key, line + left);
            }
            left -= height.saturating_sub(line).min(left);
            key += 1;
            line = 0;
        }
        (self.transcript.last() + 1, 0)
    }

    /// Moves the view down (or up, when negative).
    pub(super) fn moved(&self, scroll: Scroll, rows: isize) -> Scroll {
        let top = self.top(scroll);
        let to = if rows < 0 {
            self.up_from(top, rows.unsigned_abs())
        } else {
            self.down_from(top, rows.unsigned_abs())
        };
        self.pinned(scroll, to, rows >= 0)
    }

    /// Shows this line at the top; the end is followed when it is reached by going down.
    pub(super) fn pinned(&self, scroll: Scroll, to: (EntryKey, usize), may_follow: bool) -> Scroll {
        let last = self.bottom_top();
        let reaches_end = to >= last;
        if reaches_end && (may_follow || last == (self.transcript.first(), 0)) {
            return Scroll::Follow;
        }
        let (key, line) = if reaches_end { last } else { to };
        let seen = match scroll {
            Scroll::At(anchor) => self.seen(anchor.seen, (key, line)),
            Scroll::Follow => {
                let end = self.transcript.last();
                (end, self.height(end))
            }
        };
        Scroll::At(Anchor {
            key,
            line,
            width: self.scene.width,
            height: self.height(key),
            seen,
        })
    }

    /// Moves the view no more than needed to show an entry: its end when it fits, else its beginning.
    pub(super) fn showing(&self, scroll: Scroll, key: EntryKey) -> Scroll {
        let key = self.transcript.clamped(key);
        let top = self.top(scroll);
        let begin = (
            key,
            gap(self.transcript, key).min(self.height(key).saturating_sub(1)),
        );
        let height = self.height(key);
        if begin <= top {
            return self.pinned(scroll, begin, false);
        }
        let bottom = self.down_from(top, self.rows);
        if (key + 1, 0) <= bottom {
            return scroll;
        }
        let to = if height > self.rows {
            begin
        } else {
            self.up_from((key, height), self.rows)
        };
        self.pinned(scroll, to, true)
    }

    /// Shows a line of an entry, a third of the window above it.
    pub(super) fn showing_line(&self, scroll: Scroll, key: EntryKey, line: usize) -> Scroll {
        let line = line + gap(self.transcript, key);
        let top = self.top(scroll);
        let bottom = self.down_from(top, self.rows.saturating_sub(1));
        if (key, line) >= top && (key, line) < bottom {
            return scroll;
        }
        let to = self.up_from((key, line), self.rows / 3);
        self.pinned(scroll, to, true)
    }

    /// The entries in the window from top to bottom.
    pub(super) fn placed(&self, scroll: Scroll) -> Vec<Placed> {
        let (mut key, mut line) = self.top(scroll);
        let mut placed = Vec::new();
        let mut top = 0;
        while top < self.rows && key <= self.transcript.last() {
            let rows = self.transcript.rows(key, &self.scene);
            let gap = gap(self.transcript, key);
            let skip = line.saturating_sub(gap);
            let gap = gap.saturating_sub(line);
            let shown = rows.len().saturating_sub(skip) + gap;
            placed.push(Placed {
                key,
                top,
                rows,
                skip,
                gap,
            });
            top += shown;
            key += 1;
            line = 0;
        }
        placed
    }

    /// Entries that have come, or grown, below the window since they were last seen.
    pub(super) fn new_entries(&self, scroll: Scroll) -> usize {
        let Scroll::At(anchor) = scroll else {
            return 0;
        };
        let (seen, height) = anchor.seen;
        let (below, _) = self.down_from(self.top(scroll), self.rows);
        let fresh = (self.transcript.last() + 1 - below.max(seen + 1)).max(0) as usize;
        let has_grown = seen >= below && self.height(seen) > height;
        fresh + usize::from(has_grown)
    }

    /// The last entry that was seen whole, now that the view begins at this line.
    fn seen(&self, before: (EntryKey, usize), top: (EntryKey, usize)) -> (EntryKey, usize) {
        let (below, _) = self.down_from(top, self.rows);
        let whole = below - 1;
        if whole >= before.0 {
            (whole, self.height(whole))
        } else {
            before
        }
    }
}
