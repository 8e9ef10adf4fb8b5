//! What a cell may look at.

use std::path::Path;

use crate::ui::{
    Model,
    displays::{Amount, Canvas, DiffStyle},
    highlight::Highlights,
    keymap::{Action, Scope},
    panes::header,
};

/// What a cell may look at.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// The screen's state: clock, keys, requests that wait.
    pub model: &'a Model,
    /// Colours of code as far as they are known.
    pub highlights: &'a Highlights,
    /// How changes are shown.
    pub diff: DiffStyle,
    /// Columns.
    pub width: usize,
    /// Rows of the pane: what must be seen at once is no higher if that can be.
    pub rows: usize,
}

impl<'a> Scene<'a> {
    /// The first key of an action where this scope has the keys; empty when there is none.
    pub fn key(&self, scope: Scope, action: Action) -> String {
        self.model.keymap.key(scope, action).unwrap_or_default()
    }

    /// The key that opens an output.
    pub fn open_key(&self) -> String {
        self.key(Scope::Conversation, Action::Open)
    }

    /// A canvas for a display with so many columns less.
    pub fn canvas(&self, less: usize, amount: Amount, open_key: &'a str) -> Canvas<'a> {
        Canvas {
            width: self.width.saturating_sub(less).max(1),
            amount,
            diff: self.diff,
            highlights: self.highlights,
            open_key,
            reveal: false,
            wraps: false,
        }
    }

    /// A path below the working directory without that directory.
    pub fn shortened<'path>(&self, path: &'path str) -> &'path str {
        let cwd = self.model.session.info.as_ref().map(|info| &info.cwd);
        cwd.and_then(|cwd| Path::new(path).strip_prefix(cwd).ok())
            .and_then(Path::to_str)
            .filter(|rest| !rest.is_empty())
            .unwrap_or(path)
    }

    /// A path with the home folder as `~`.
    pub fn at_home(&self, path: &str) -> String {
        header::folder(Path::new(path), &self.model.screen.home)
    }
}
