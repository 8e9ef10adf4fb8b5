//! Which request has the keyboard, and where it goes from there.
//!
//! The one invariant: a request takes the keyboard by itself only from an empty composer that has rested, and never
//! again once it was left. Words typed at that moment go into the message, not into the box.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{gate::COMPOSER_STILL_MS, state::CameFrom, update::takes_composer};
use crate::{
    domain::{ids::RequestId, notice::Notice},
    engine::command::Command,
    ui::{
        Effect, Model, focus,
        focus::Pane,
        keymap::{Action, Scope},
        panes::{
            composer,
            conversation::{self, Scroll},
            typing,
        },
    },
};

/// Gives the oldest request the keyboard (the next one when one has it already).
pub fn focus_next(model: &mut Model) -> Vec<Effect> {
    match model.requests.neighbour(1) {
        Some(id) => go_to(model, id),
        None => {
            model.notify(Notice::info("nothing waits for you"));
            Vec::new()
        }
    }
}

/// Puts the open form off, or opens the one that was put off.
pub fn later(model: &mut Model) -> Vec<Effect> {
    if model.requests.form().is_some() {
        return put_off(model);
    }
    let form = model.requests.open().find(|waiting| !waiting.is_approval());
    match form.map(|waiting| waiting.id) {
        Some(id) => go_to(model, id),
        None => {
            model.notify(Notice::info("no question waits"));
            Vec::new()
        }
    }
}

/// Takes the keyboard from the box; answers nothing. A form keeps its place.
pub fn leave(model: &mut Model) {
    if let Some(id) = model.requests.focused.take() {
        model.requests.mark_left(id);
        model.requests.came_from = None;
        model.requests.gate.close();
    }
}

/// Ctrl+C: leaves the box; ends the turn that asks with a form, which is the only other way out of it.
pub fn interrupt(model: &mut Model) -> Vec<Effect> {
    if model.requests.focused.is_some() {
        return return_keyboard(model);
    }
    let asker = model.requests.form().map(|form| form.form.agent.clone());
    asker.map_or_else(Vec::new, |agent| {
        vec![Effect::Send(Command::Cancel { agent })]
    })
}

/// Gives a request the keyboard because the person wants it.
pub fn go_to(model: &mut Model, id: RequestId) -> Vec<Effect> {
    remember_origin(model);
    let effects = give_keyboard(model, id);
    model.requests.is_chosen = true;
    effects
}

fn remember_origin(model: &mut Model) {
    if model.requests.came_from.is_none() {
        model.requests.came_from = Some(CameFrom {
            pane: model.screen.focus,
            shown: model.conversation.shown.clone(),
            follows: model.conversation.looking().scroll == Scroll::Follow,
        });
    }
}

/// Gives a request the keyboard.
pub fn give_keyboard(model: &mut Model, id: RequestId) -> Vec<Effect> {
    let Some(waiting) = model.requests.open().find(|waiting| waiting.id == id) else {
        return Vec::new();
    };
    let is_approval = waiting.is_approval();
    let agent = waiting.agent().clone();
    let call = waiting.call().clone();
    let came_from = model.requests.came_from.take();
    let pane = if is_approval {
        Pane::Conversation
    } else {
        Pane::Composer
    };
    model.requests.focused = None;
    let mut effects = focus::focus(model, pane);
    let requests = &mut model.requests;
    requests.came_from = came_from;
    requests.gate.close();
    requests.is_chosen = false;
    requests.is_begun = false;
    if is_approval {
        requests.focused = Some(id);
    } else {
        requests.open_form = Some(id);
    }
    // A box is higher with the keyboard than without.
    if is_approval {
        effects.extend(conversation::show_call(model, agent, &call));
    }
    effects
}

/// What comes below a box that has the keyboard does not push it out of the pane.
pub fn keep_in_sight(model: &mut Model) {
    if model.conversation.looking().scroll == Scroll::Follow {
        show_box(model);
    }
}

/// Scrolls to the box that has the keyboard.
pub fn show_box(model: &mut Model) {
    let Some(approval) = model.requests.focused_approval() else {
        return;
    };
    let (agent, call) = (
        approval.request.agent.clone(),
        approval.request.call.clone(),
    );
    if agent == model.conversation.shown {
        conversation::show_call(model, agent, &call);
    }
}

/// The request that may take the keyboard by itself.
pub fn candidate(model: &Model) -> Option<RequestId> {
    // Whoever has just answered goes on answering, wherever the keyboard went meanwhile.
    let goes_on = model.screen.focus == Pane::Conversation && model.requests.answered_ms.is_some();
    let is_free = (model.screen.focus == Pane::Composer || goes_on)
        && model.overlay.is_none()
        && !typing::is_on(model)
        && model.requests.focused.is_none()
        && !takes_composer(model);
    if !is_free {
        return None;
    }
    let waiting = model.requests.open().find(|waiting| {
        waiting.may_take && (!waiting.is_approval() || *waiting.agent() == model.conversation.shown)
    })?;
    Some(waiting.id)
}

/// Gives the oldest request the keyboard, unless somebody is writing or was on purpose elsewhere.
pub fn offer(model: &mut Model) -> Vec<Effect> {
    let now = model.clock.elapsed_ms;
    let is_in_use =
        model.composer.is_in_use(now, COMPOSER_STILL_MS) || model.composer.aim.is_some();
    match candidate(model) {
        Some(id) if !is_in_use => {
            // A paint alone changes nothing on the screen, so this has to say that something did.
            model.revision += 1;
            remember_origin(model);
            give_keyboard(model, id)
        }
        _ => Vec::new(),
    }
}

/// A request is over: the keyboard goes on to the next one, or back to where the person was.
pub fn after(model: &mut Model, id: RequestId) -> Vec<Effect> {
    let requests = &mut model.requests;
    let had_keyboard = requests.focused == Some(id) || requests.open_form == Some(id);
    if !had_keyboard {
        return Vec::new();
    }
    requests.focused = requests.focused.filter(|focused| *focused != id);
    requests.open_form = requests.open_form.filter(|open| *open != id);
    requests.gate.close();
    let next = requests
        .open()
        .find(|waiting| waiting.may_take)
        .map(|waiting| (waiting.id, waiting.agent().clone()));
    match next {
        Some((next, _)) if requests.is_chosen => go_to(model, next),
        Some((next, agent)) if agent == model.conversation.shown => give_keyboard(model, next),
        _ => {
            let followed = model.requests.came_from.as_ref();
            let follows = followed.is_some_and(|from| from.follows);
            let effects = back_to_origin(model);
            // Only the box had moved what is looked at.
            if follows {
                conversation::follow(model);
            }
            effects
        }
    }
}

fn back_to_origin(model: &mut Model) -> Vec<Effect> {
    let came_from = model.requests.came_from.take();
    let pane = came_from.as_ref().map_or(Pane::Composer, |from| from.pane);
    let mut effects = focus::focus(model, pane);
    if let Some(from) = came_from
        && from.shown != model.conversation.shown
    {
        effects.extend(conversation::show(model, from.shown));
    }
    effects
}

/// Takes the keyboard from the box and puts it where the person was.
pub fn return_keyboard(model: &mut Model) -> Vec<Effect> {
    if let Some(id) = model.requests.focused.take() {
        model.requests.mark_left(id);
    }
    model.requests.gate.close();
    back_to_origin(model)
}

/// Puts the open form off; the composer stands in its place again.
pub fn put_off(model: &mut Model) -> Vec<Effect> {
    let Some(id) = model.requests.open_form.take() else {
        return Vec::new();
    };
    model.requests.mark_left(id);
    model.requests.came_from = None;
    let key = model.keymap.key(Scope::Composer, Action::Later);
    let notice = Notice::info("the question waits");
    model.notify(match key {
        Some(key) => notice.with_hint(format!("{key} opens it again")),
        None => notice,
    });
    Vec::new()
}

/// Goes to the next or the previous request.
pub fn cycle(model: &mut Model, by: isize) -> Vec<Effect> {
    match model.requests.neighbour(by) {
        Some(id) if Some(id) != model.requests.focused => go_to(model, id),
        _ => Vec::new(),
    }
}

/// A plain character in a box that took the keyboard by itself was meant for the message: it goes there, and so
/// does the keyboard.
pub fn give_to_composer(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    if !is_text(key) || model.requests.is_chosen || model.requests.is_begun {
        return Vec::new();
    }
    let begun = model.requests.gate.take_first();
    let first = model.requests.held.take().map(|held| held.key).or(begun);
    model.requests.focused = None;
    model.requests.open_form = None;
    model.requests.gate.close();
    let mut effects = focus::focus(model, Pane::Composer);
    for key in first.into_iter().chain([key]) {
        effects.extend(composer::input(model, key));
    }
    effects
}

/// Whether a key types a character.
pub fn is_text(key: KeyEvent) -> bool {
    matches!(key.code, KeyCode::Char(_))
        && !key
            .modifiers
            .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
}
