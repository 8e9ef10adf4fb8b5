//! What stands around a block of Markdown: quotes, lists and their items, and the decoration that they put in front
//! of its rows.
//!
//! Nesting costs a stack entry, and beyond half of the width it costs no more columns: hostile nesting is never drawn
//! narrower than half of the pane.

use crate::ui::{
    rows::{Paint, Piece},
    theme::StyleName,
};

enum Kind {
    Root,
    Quote,
    List {
        next: Option<u64>,
        loose: bool,
    },
    Item {
        marker: Vec<Piece>,
        columns: usize,
        shown: bool,
    },
}

/// An open container.
struct Frame {
    kind: Kind,
    /// Blocks in it so far.
    blocks: usize,
}

impl Frame {
    fn new(kind: Kind) -> Self {
        Self { kind, blocks: 0 }
    }
}

/// The open containers, the outermost first.
pub(super) struct Nesting {
    frames: Vec<Frame>,
    quotes: usize,
}

impl Default for Nesting {
    fn default() -> Self {
        Self {
            frames: vec![Frame::new(Kind::Root)],
            quotes: 0,
        }
    }
}

impl Nesting {
    /// A quote begins.
    pub(super) fn quote(&mut self) {
        self.quotes += 1;
        self.frames.push(Frame::new(Kind::Quote));
    }

    /// A list begins; a numbered one with this number.
    pub(super) fn list(&mut self, next: Option<u64>) {
        self.frames
            .push(Frame::new(Kind::List { next, loose: false }));
    }

    /// An item of the innermost list begins.
    pub(super) fn item(&mut self) {
        let Some(Frame {
            kind: Kind::List { next, .. },
            ..
        }) = self.frames.last_mut()
        else {
            return;
        };
        let marker = match next {
            Some(number) => {
                let text = format!("{number}. ");
                *number = number.saturating_add(1);
                text
            }
            None => "• ".to_owned(),
        };
        let columns = marker.chars().count();
        self.frames.push(Frame::new(Kind::Item {
            marker: vec![Piece::new(marker, StyleName::Marker)],
            columns,
            shown: false,
        }));
    }

    /// The innermost item is a task.
    pub(super) fn task(&mut self, done: bool) {
        if let Some(Frame {
            kind: Kind::Item {
                marker, columns, ..
            },
            ..
        }) = self.frames.last_mut()
        {
            let (mark, name) = if done {
                ("☑ ", StyleName::Good)
            } else {
                ("☐ ", StyleName::Marker)
            };
            *marker = vec![Piece::new(mark, name)];
            *columns = 2;
        }
    }

    /// The innermost container ends.
    pub(super) fn close(&mut self) {
        if let Some(Frame {
            kind: Kind::Quote, ..
        }) = self.frames.pop()
        {
            self.quotes -= 1;
        }
    }

    /// Look of words here when it is not the usual one.
    pub(super) fn paint(&self) -> Option<Paint> {
        (self.quotes > 0).then_some(Paint::of(StyleName::Quote))
    }

    /// A paragraph directly in an item makes its list a loose one: blank rows between items.
    pub(super) fn loosen(&mut self) {
        let mut last = self.frames.iter_mut().rev();
        if let (
            Some(Frame {
                kind: Kind::Item { .. },
                ..
            }),
            Some(Frame {
                kind: Kind::List { loose, .. },
                ..
            }),
        ) = (last.next(), last.next())
        {
            *loose = true;
        }
    }

    /// Whether the innermost container is an item of which nothing was drawn.
    pub(super) fn is_bare(&self) -> bool {
        matches!(
            self.frames.last(),
            Some(Frame {
                kind: Kind::Item { shown: false, .. },
                blocks: 0,
            })
        )
    }

    /// Counts a block of the innermost container; whether an empty row parts it from the one before.
    pub(super) fn open(&mut self) -> bool {
        let is_tight = self.is_tight();
        self.frames.last_mut().is_some_and(|frame| {
            frame.blocks += 1;
            frame.blocks > 1 && !is_tight
        })
    }

    fn is_tight(&self) -> bool {
        let mut frames = self.frames.iter().rev();
        let last = frames.next().map(|frame| &frame.kind);
        let list = match last {
            Some(Kind::Item { .. }) => frames.next().map(|frame| &frame.kind),
            other => other,
        };
        matches!(list, Some(Kind::List { loose: false, .. }))
    }

    /// Decoration of the next row and of those after it. Only so many containers are drawn as leave half of the width.
    pub(super) fn prefix(&self, width: usize) -> (Vec<Piece>, Vec<Piece>) {
        let (mut first, mut rest, mut taken) = (Vec::new(), Vec::new(), 0);
        for frame in &self.frames {
            let (here, after) = match &frame.kind {
                Kind::Quote => {
                    let bar = vec![Piece::new("▎ ", StyleName::Marker)];
                    (bar.clone(), bar)
                }
                Kind::Item {
                    marker, columns, ..
                } => (marker.clone(), vec![Piece::blank(*columns)]),
                Kind::Root | Kind::List { .. } => continue,
            };
            let more: usize = after.iter().map(Piece::columns).sum();
            if taken + more > width / 2 {
                break;
            }
            taken += more;
            if let Kind::Item { shown: true, .. } = frame.kind {
                first.extend(after.iter().cloned());
            } else {
                first.extend(here);
            }
            rest.extend(after);
        }
        (first, rest)
    }

    /// The markers of all open items were drawn.
    pub(super) fn mark_shown(&mut self) {
        for frame in self.frames.iter_mut().rev() {
            match &mut frame.kind {
                Kind::Item { shown: true, .. } => break,
                Kind::Item { shown, .. } => *shown = true,
                _ => {}
            }
        }
    }
}

/// Decoration of an empty row, without blanks at its end.
pub(super) fn trimmed(mut pieces: Vec<Piece>) -> Vec<Piece> {
    while pieces
        .last()
        .is_some_and(|piece| piece.text.trim().is_empty())
    {
        pieces.pop();
    }
    if let Some(last) = pieces.last_mut() {
        last.text.truncate(last.text.trim_end().len());
    }
    pieces
}
