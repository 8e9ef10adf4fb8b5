//! The lines, the cursor and the undo steps of a text being edited, all of which are tui-textarea's, with a number that
//! moves whenever the text may have changed.
//!
//! tui-textarea is named in this file and in `editor`, and nowhere else.

use std::ops::{Deref, DerefMut};

use tui_textarea::{CursorMove, TextArea};

/// A text with a cursor.
#[derive(Clone, Debug)]
pub(super) struct Buffer {
    area: TextArea<'static>,
    revision: u64,
}

impl Buffer {
    /// An empty text.
    pub(super) fn new() -> Self {
        let mut area = TextArea::default();
        area.set_undo_coalescing(true);
        Self { area, revision: 0 }
    }

    /// Moves whenever the text may have changed.
    pub(super) fn revision(&self) -> u64 {
        self.revision
    }

    /// Moves the cursor; the text stays as it is.
    pub(super) fn go(&mut self, to: CursorMove) {
        self.area.move_cursor(to);
    }
}

impl Deref for Buffer {
    type Target = TextArea<'static>;

    fn deref(&self) -> &Self::Target {
        &self.area
    }
}

impl DerefMut for Buffer {
    /// Whoever can change the text is taken to do it.
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.revision += 1;
        &mut self.area
    }
}
