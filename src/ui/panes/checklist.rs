//! Pane 4: the shown agent's checklist.

use crossterm::event::{KeyEvent, MouseEvent};
use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
};

use crate::{
    engine::event::Event,
    ui::{Effect, Model, focus::Pane, keymap::Action, widgets::frame::Title},
};

/// What the pane remembers.
#[derive(Debug, Default)]
pub struct State {}

/// Takes an action.
pub fn update(_model: &mut Model, _action: Action) -> Vec<Effect> {
    Vec::new()
}

/// Whether keys type text here now.
pub fn takes_text(_model: &Model) -> bool {
    false
}

/// Takes a key that means no action.
pub fn input(_model: &mut Model, _key: KeyEvent) -> Vec<Effect> {
    Vec::new()
}

/// Takes pasted text.
pub fn paste(_model: &mut Model, _text: &str) -> Vec<Effect> {
    Vec::new()
}

/// Follows the engine.
pub fn apply(_model: &mut Model, _event: &Event) -> Vec<Effect> {
    Vec::new()
}

/// Takes the mouse over the content.
pub fn mouse(_model: &mut Model, _mouse: MouseEvent, _area: Rect) -> Vec<Effect> {
    Vec::new()
}

/// What stands in the upper border.
pub fn title(_model: &Model) -> Title {
    Title::of(Pane::Checklist)
}

/// Draws the content.
pub fn view(_model: &Model, _area: Rect, _buffer: &mut Buffer) {}

/// Where the cursor stands.
pub fn cursor(_model: &Model, _area: Rect) -> Option<Position> {
    None
}
