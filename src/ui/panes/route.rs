//! From a pane's name to its functions, one line each.

use crossterm::event::{KeyEvent, MouseEvent};
use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
};

use super::{
    agents, checklist, composer, context_gauge, conversation, requests, scratchpad, typing,
};
use crate::{
    engine::{command::Command, event::Event},
    ui::{
        Effect, Model,
        focus::Pane,
        keymap::{Action, Scope},
        widgets::frame::Title,
    },
};

/// An action for a pane.
pub fn update(model: &mut Model, pane: Pane, action: Action) -> Vec<Effect> {
    match pane {
        Pane::Conversation => conversation::update(model, action),
        Pane::Composer => composer::update(model, action),
        Pane::Agents => agents::update(model, action),
        Pane::Checklist => checklist::update(model, action),
        Pane::Scratchpad => scratchpad::update(model, action),
        Pane::Context => context_gauge::update(model, action),
    }
}

/// The scope of the focused pane when it is not the pane's own: `Field` while the pane takes text, `Terminal` while a
/// program does.
pub fn scope(model: &Model) -> Option<Scope> {
    if typing::is_on(model) {
        return Some(Scope::Terminal);
    }
    let takes_text = match model.screen.focus {
        Pane::Conversation => conversation::takes_text(model),
        Pane::Checklist => checklist::takes_text(model),
        Pane::Scratchpad => scratchpad::takes_text(model),
        Pane::Composer | Pane::Agents | Pane::Context => false,
    };
    takes_text.then_some(Scope::Field)
}

/// A key that means no action, for the focused pane's text.
pub fn input(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    match model.screen.focus {
        Pane::Conversation if typing::is_on(model) => typing::input(model, key),
        Pane::Conversation => conversation::input(model, key),
        Pane::Composer => composer::input(model, key),
        Pane::Checklist => checklist::input(model, key),
        Pane::Scratchpad => scratchpad::input(model, key),
        Pane::Agents | Pane::Context => Vec::new(),
    }
}

/// Pasted text for the focused pane; the composer takes what the others have no field for.
pub fn paste(model: &mut Model, text: &str) -> Vec<Effect> {
    match model.screen.focus {
        Pane::Conversation if typing::is_on(model) => typing::paste(model, text),
        Pane::Conversation if conversation::takes_text(model) => conversation::paste(model, text),
        Pane::Checklist if checklist::takes_text(model) => checklist::paste(model, text),
        Pane::Scratchpad if scratchpad::takes_text(model) => scratchpad::paste(model, text),
        _ => composer::paste(model, text),
    }
}

/// Every pane follows the engine.
pub fn apply(model: &mut Model, event: &Event) -> Vec<Effect> {
    let mut effects = conversation::apply(model, event);
    effects.extend(typing::apply(model, event));
    effects.extend(composer::apply(model, event));
    effects.extend(requests::apply(model, event));
    effects.extend(agents::apply(model, event));
    effects.extend(checklist::apply(model, event));
    effects.extend(scratchpad::apply(model, event));
    effects
}

/// The engine did not take a command: what was said goes back to where it was said.
pub fn refused(model: &mut Model, command: &Command) {
    typing::refused(model, command);
    composer::refused(model, command);
    requests::refused(model, command);
}

/// The mouse over a pane's content.
pub fn mouse(model: &mut Model, pane: Pane, mouse: MouseEvent, area: Rect) -> Vec<Effect> {
    match pane {
        Pane::Conversation => conversation::mouse(model, mouse, area),
        Pane::Composer => composer::mouse(model, mouse, area),
        Pane::Agents => agents::mouse(model, mouse, area),
        Pane::Checklist => checklist::mouse(model, mouse, area),
        Pane::Scratchpad => scratchpad::mouse(model, mouse, area),
        Pane::Context => Vec::new(),
    }
}

/// What stands in a pane's upper border.
pub fn title(model: &Model, pane: Pane) -> Title {
    match pane {
        Pane::Conversation => conversation::title(model),
        Pane::Composer => composer::title(model),
        Pane::Agents => agents::title(model),
        Pane::Checklist => checklist::title(model),
        Pane::Scratchpad => scratchpad::title(model),
        Pane::Context => context_gauge::title(model),
    }
}

/// Draws a pane's content.
pub fn view(model: &Model, pane: Pane, area: Rect, buffer: &mut Buffer) {
    match pane {
        Pane::Conversation => conversation::view(model, area, buffer),
        Pane::Composer if requests::takes_composer(model) => requests::view(model, area, buffer),
        Pane::Composer => composer::view(model, area, buffer),
        Pane::Agents => agents::view(model, area, buffer),
        Pane::Checklist => checklist::view(model, area, buffer),
        Pane::Scratchpad => scratchpad::view(model, area, buffer),
        Pane::Context => context_gauge::view(model, area, buffer),
    }
}

/// Where the terminal's cursor stands when this pane has the keys.
pub fn cursor(model: &Model, pane: Pane, area: Rect) -> Option<Position> {
    match pane {
        Pane::Conversation => conversation::cursor(model, area),
        Pane::Composer if requests::takes_composer(model) => requests::cursor(model, area),
        Pane::Composer => composer::cursor(model, area),
        Pane::Checklist => checklist::cursor(model, area),
        Pane::Scratchpad => scratchpad::cursor(model, area),
        Pane::Agents | Pane::Context => None,
    }
}
