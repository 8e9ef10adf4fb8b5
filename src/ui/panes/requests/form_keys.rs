//! The keys of a question form.
//!
//! Moving is free; whatever gives an answer, ticks or ends has to pass the gate.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{
    field::Field,
    form::{Form, Step},
    keyboard::{give_to_composer, is_text, put_off},
    update::{follow, form_admits},
};
use crate::ui::{
    Effect, Model,
    keymap::{Action, Chord, Scope},
    panes::{composer, conversation},
};

/// Takes an action.
pub fn update(model: &mut Model, action: Action, key: KeyEvent) -> Vec<Effect> {
    // Letters and arrows of a yes or no mean other things in lists; here they answer.
    if is_side_key(model, key) || is_stray(model, action, key) {
        return input(model, key);
    }
    match action {
        Action::Open | Action::Toggle | Action::Decline | Action::NewLine => {
            if form_admits(model, key) {
                return with_form(model, |form| answer(form, action));
            }
            held_back(model);
            give_to_composer(model, key)
        }
        Action::Back => with_form(model, Form::back),
        Action::NextRequest => step(model, |form| form.turn(1)),
        Action::PreviousRequest => step(model, |form| form.turn(-1)),
        Action::Up => step(model, |form| form.step(-1)),
        Action::Down => step(model, |form| form.step(1)),
        Action::PageUp | Action::PageDown | Action::HalfPageUp | Action::HalfPageDown => {
            conversation::update(model, action)
        }
        Action::ToComposer => put_off(model),
        _ => Vec::new(),
    }
}

/// Takes a key that means no action.
pub fn input(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let is_editing = model.requests.form().is_some_and(|form| form.editing);
    if !is_editing && matches!(key.code, KeyCode::Left | KeyCode::Right) {
        return step(model, Form::sideways);
    }
    if !form_admits_text(model, key, is_editing) {
        return give_to_composer(model, key);
    }
    if is_editing {
        let width =
            composer::view::text_width(model).saturating_sub(super::form_view::FIELD_INDENT);
        return with_form(model, |form| {
            form.settle();
            if let Some(editor) = form.editor() {
                editor.input(key, width);
            }
            Step::Stay
        });
    }
    match key.code {
        KeyCode::Char(c) if key.modifiers == KeyModifiers::NONE => {
            with_form(model, |form| form.character(c).unwrap_or(Step::Stay))
        }
        _ => Vec::new(),
    }
}

/// Letters and arrows that lead in and out of lists would end or leave a form by a slip; they do nothing here, unless
/// the keymap binds them for forms.
fn is_stray(model: &Model, action: Action, key: KeyEvent) -> bool {
    let leads = matches!(action, Action::Open | Action::Back | Action::ToComposer);
    let is_slip = is_text(key) || matches!(key.code, KeyCode::Left | KeyCode::Right);
    let is_meant = || {
        let chord = Chord::from_event(&key);
        model
            .keymap
            .bindings_of(Scope::Question)
            .any(|binding| binding.action == action && binding.sequence.0.first() == chord.as_ref())
    };
    leads && is_slip && key.modifiers.is_empty() && !is_meant()
}

/// A key that came too fast on another is not lost silently.
fn held_back(model: &mut Model) {
    if model.requests.is_begun
        && let Some(form) = model.requests.form_mut()
    {
        form.settle();
        form.hint = Some("that came too fast to be meant: press it once more");
    }
}

fn answer(form: &mut Form, action: Action) -> Step {
    match action {
        Action::Open => form.accept(),
        Action::Decline => form.decline(),
        Action::NewLine => {
            if let Some(editor) = form.editor() {
                editor.newline();
            }
            Step::Stay
        }
        _ => {
            form.toggle();
            Step::Stay
        }
    }
}

/// Words may repeat a letter as fast as they like once the form was begun.
fn form_admits_text(model: &mut Model, key: KeyEvent, is_editing: bool) -> bool {
    if is_editing && (model.requests.is_begun || model.requests.is_chosen) {
        return true;
    }
    form_admits(model, key)
}

fn is_side_key(model: &Model, key: KeyEvent) -> bool {
    let is_confirm = model
        .requests
        .form()
        .and_then(Form::shown)
        .is_some_and(|(_, field)| matches!(field, Field::Confirm { .. }));
    let is_side = matches!(
        key.code,
        KeyCode::Left | KeyCode::Right | KeyCode::Char('y' | 'o' | 'n')
    );
    is_confirm && is_side && key.modifiers == KeyModifiers::NONE
}

/// Moves inside the form. A key pressed before and after a move was pressed twice, not held.
fn step(model: &mut Model, go: impl FnOnce(&mut Form)) -> Vec<Effect> {
    model.requests.gate.settle();
    with_form(model, |form| {
        go(form);
        Step::Stay
    })
}

fn with_form(model: &mut Model, step: impl FnOnce(&mut Form) -> Step) -> Vec<Effect> {
    let led_to = match model.requests.form_mut() {
        Some(form) => step(form),
        None => Step::Stay,
    };
    follow(model, led_to)
}
