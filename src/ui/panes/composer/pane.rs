//! The pane around the editor: actions, keys, events, drawing.

use crossterm::event::{KeyEvent, MouseEvent};
use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
};

use crate::{
    domain::{ids::AgentId, record::Lane},
    engine::event::Event,
    ui::{Effect, Model, focus::Pane, keymap::Action, widgets::frame::Title},
};

/// What the pane remembers.
#[derive(Debug, Default)]
pub struct State {}

/// How many rows the draft wants at this width.
pub fn wanted_rows(_model: &Model, _width: u16) -> u16 {
    1
}

/// Whether the draft is empty.
pub fn is_empty(_model: &Model) -> bool {
    true
}

/// Empties the draft; it stays in the history.
pub fn clear(_model: &mut Model) -> Vec<Effect> {
    Vec::new()
}

/// Puts text at the cursor, as a paste does.
pub fn insert(model: &mut Model, text: &str) -> Vec<Effect> {
    paste(model, text)
}

/// Aims the next message at an agent and gives the composer the keyboard.
pub fn aim(model: &mut Model, _agent: AgentId, _lane: Lane) -> Vec<Effect> {
    crate::ui::focus::focus(model, Pane::Composer)
}

/// Takes an action.
pub fn update(_model: &mut Model, _action: Action) -> Vec<Effect> {
    Vec::new()
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
    Title::of(Pane::Composer)
}

/// Draws the content.
pub fn view(_model: &Model, _area: Rect, _buffer: &mut Buffer) {}

/// Where the cursor stands.
pub fn cursor(_model: &Model, _area: Rect) -> Option<Position> {
    None
}
