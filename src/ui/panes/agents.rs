//! Pane 3: the tree of agents.

use crossterm::event::MouseEvent;
use ratatui::{buffer::Buffer, layout::Rect};

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
    Title::of(Pane::Agents)
}

/// Draws the content.
pub fn view(_model: &Model, _area: Rect, _buffer: &mut Buffer) {}
