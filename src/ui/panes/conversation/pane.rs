//! Pane 1: the transcript.

use crossterm::event::{KeyEvent, MouseEvent};
use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
};

use crate::{
    domain::ids::AgentId,
    engine::event::Event,
    ui::{Effect, Model, focus::Pane, highlight, keymap::Action, widgets::frame::Title},
};

/// What the pane remembers.
#[derive(Debug)]
pub struct State {
    /// The agent whose transcript is shown; the other panes show its checklist and gauge.
    pub shown: AgentId,
}

impl Default for State {
    fn default() -> Self {
        Self {
            shown: AgentId::main(),
        }
    }
}

/// Shows the transcript of another agent.
pub fn show(model: &mut Model, agent: AgentId) -> Vec<Effect> {
    model.conversation.shown = agent;
    Vec::new()
}

/// Background work on syntax colours has ended.
pub fn highlighted(_model: &mut Model, _done: highlight::Highlighted) -> Vec<Effect> {
    Vec::new()
}

/// The frame on the screen shows the model as it now is: what drawing asked to be highlighted is due.
pub fn painted(_model: &mut Model) -> Vec<Effect> {
    Vec::new()
}

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
    Title::of(Pane::Conversation)
}

/// Draws the content.
pub fn view(_model: &Model, _area: Rect, _buffer: &mut Buffer) {}

/// Where the cursor stands.
pub fn cursor(_model: &Model, _area: Rect) -> Option<Position> {
    None
}
