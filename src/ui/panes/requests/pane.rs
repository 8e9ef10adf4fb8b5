//! What waits for the person: approvals and question forms, one queue for the whole tree, oldest first.
//!
//! An approval box stands in the transcript of the agent that asks (drawn by `cells::approval`); a question form takes
//! the composer's place. Nothing typed before a box was painted can answer it.

use crossterm::event::KeyEvent;
use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
};

use crate::{
    domain::{approval::ApprovalRequest, question::QuestionForm},
    engine::event::Event,
    ui::{
        Clock, Effect, Model,
        keymap::{Action, Scope},
    },
};

/// What waits and what has the keyboard.
#[derive(Debug, Default)]
pub struct State {
    /// Approvals that wait, oldest first.
    pub approvals: Vec<ApprovalRequest>,
    /// Forms that wait, oldest first.
    pub forms: Vec<QuestionForm>,
}

/// How many approvals and how many forms wait.
pub fn waiting(model: &Model) -> (usize, usize) {
    (model.requests.approvals.len(), model.requests.forms.len())
}

/// The scope of the keys when a box or a form has the keyboard.
pub fn scope(_model: &Model) -> Option<Scope> {
    None
}

/// Gives the oldest request the keyboard (the next one when one has it already).
pub fn focus_next(_model: &mut Model) -> Vec<Effect> {
    Vec::new()
}

/// Puts the open form off, or opens the one that was put off.
pub fn later(_model: &mut Model) -> Vec<Effect> {
    Vec::new()
}

/// Takes the keyboard from the box or form; answers nothing.
pub fn leave(_model: &mut Model) {}

/// Takes an action while a box or form has the keyboard; `key` ended its chords.
pub fn update(_model: &mut Model, _action: Action, _key: KeyEvent) -> Vec<Effect> {
    Vec::new()
}

/// Takes a key that means no action while a box or form has the keyboard.
pub fn input(_model: &mut Model, _key: KeyEvent) -> Vec<Effect> {
    Vec::new()
}

/// In how many milliseconds the box or form looks different by itself: its keys begin to count.
pub fn next_tick_ms(_model: &Model) -> Option<u64> {
    None
}

/// Takes pasted text while a box or form has the keyboard.
pub fn paste(_model: &mut Model, _text: &str) -> Vec<Effect> {
    Vec::new()
}

/// Follows the engine.
pub fn apply(_model: &mut Model, _event: &Event) -> Vec<Effect> {
    Vec::new()
}

/// The frame on the screen shows the model as it now is, since this moment.
pub fn painted(_model: &mut Model, _clock: Clock) -> Vec<Effect> {
    Vec::new()
}

/// Whether a form stands in the composer's place now.
pub fn takes_composer(_model: &Model) -> bool {
    false
}

/// How many rows the form wants at this width.
pub fn wanted_rows(_model: &Model, _width: u16) -> u16 {
    1
}

/// Draws the form in the composer's place.
pub fn view(_model: &Model, _area: Rect, _buffer: &mut Buffer) {}

/// Where the cursor stands in the form.
pub fn cursor(_model: &Model, _area: Rect) -> Option<Position> {
    None
}
