//! An answer to a box that took the keyboard by itself waits a moment: a letter may be the first one of a sentence that
//! was meant for the message. What is typed on goes there with it, any other key takes the answer back.

use crossterm::event::KeyEvent;

use super::super::{
    approval_keys,
    keyboard::{give_to_composer, is_text},
};
use crate::{
    domain::ids::RequestId,
    ui::{Effect, Model, keymap::Action},
};

/// How long an answer waits for a letter behind it: longer than between two letters of a slow typist.
pub const HOLD_MS: u64 = 300;

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Held {
    id: RequestId,
    action: Action,
    /// The letter.
    pub key: KeyEvent,
    until_ms: u64,
}

/// Keeps an answer back.
pub fn hold(model: &mut Model, action: Action, key: KeyEvent) {
    let requests = &mut model.requests;
    requests.held = requests.focused.map(|id| Held {
        id,
        action,
        key,
        until_ms: model.clock.elapsed_ms.saturating_add(HOLD_MS),
    });
}

/// Another key came; what it does when it goes on with a sentence.
pub fn goes_on(model: &mut Model, key: KeyEvent) -> Option<Vec<Effect>> {
    let held = model.requests.held?;
    if is_text(key) && is_still_asked(model, held) {
        return Some(give_to_composer(model, key));
    }
    model.requests.held = None;
    None
}

/// The letter that was kept back, when a text is pasted behind it.
pub fn take_back(model: &mut Model) -> Option<Vec<Effect>> {
    let held = model.requests.held.take()?;
    is_still_asked(model, held).then(|| give_to_composer(model, held.key))
}

/// Gives the answer when nothing came behind it.
pub fn due(model: &mut Model) -> Vec<Effect> {
    let now = model.clock.elapsed_ms;
    match model.requests.held.take_if(|held| held.until_ms <= now) {
        Some(held)
            if is_still_asked(model, held) && approval_keys::may_be_done(model, held.action) =>
        {
            approval_keys::answer(model, held.action)
        }
        _ => Vec::new(),
    }
}

/// In how many milliseconds it is given.
pub fn due_in_ms(model: &Model) -> Option<u64> {
    let held = model.requests.held?;
    Some(held.until_ms.saturating_sub(model.clock.elapsed_ms))
}

/// Whether the same thing is asked and nothing lies over it.
fn is_still_asked(model: &Model, held: Held) -> bool {
    let requests = &model.requests;
    requests.focused == Some(held.id)
        && !requests.is_chosen
        && requests.gate.is_seen()
        && model.overlay.is_none()
}
