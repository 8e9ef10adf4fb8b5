//! Pane 6: how full the context window is.

use ratatui::{buffer::Buffer, layout::Rect};

use crate::ui::{Effect, Model, focus::Pane, keymap::Action, widgets::frame::Title};

/// What the pane remembers.
#[derive(Debug, Default)]
pub struct State {}

/// Takes an action.
pub fn update(_model: &mut Model, _action: Action) -> Vec<Effect> {
    Vec::new()
}

/// What stands in the upper border.
pub fn title(_model: &Model) -> Title {
    Title::of(Pane::Context)
}

/// Draws the content.
pub fn view(_model: &Model, _area: Rect, _buffer: &mut Buffer) {}
