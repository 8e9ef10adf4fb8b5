//! The overlay that is open, and its functions, one line each.

use crossterm::event::{KeyEvent, MouseEvent};
use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
};

use super::viewer;
use crate::{
    engine::event::Event,
    ui::{
        Effect, Model,
        keymap::{Action, Scope},
    },
};

/// What floats above the panes.
#[derive(Debug)]
pub enum Overlay {
    /// A whole output.
    Viewer(viewer::State),
}

impl Overlay {
    /// The scope of its keys.
    pub fn scope(&self) -> Scope {
        match self {
            Self::Viewer(_) => Scope::Viewer,
        }
    }
}

/// An action for the open overlay.
pub fn update(model: &mut Model, action: Action) -> Vec<Effect> {
    if action == Action::Back {
        model.overlay = None;
    }
    Vec::new()
}

/// A key that means no action, for the open overlay's text.
pub fn input(_model: &mut Model, _key: KeyEvent) -> Vec<Effect> {
    Vec::new()
}

/// Pasted text for the open overlay.
pub fn paste(_model: &mut Model, _text: &str) -> Vec<Effect> {
    Vec::new()
}

/// The overlay follows the engine.
pub fn apply(_model: &mut Model, _event: &Event) -> Vec<Effect> {
    Vec::new()
}

/// The mouse while an overlay is open.
pub fn mouse(_model: &mut Model, _mouse: MouseEvent) -> Vec<Effect> {
    Vec::new()
}

/// Draws the overlay and returns where the cursor stands.
pub fn view(
    _model: &Model,
    _overlay: &Overlay,
    _area: Rect,
    _buffer: &mut Buffer,
) -> Option<Position> {
    None
}
