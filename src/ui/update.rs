//! Routes messages: keys to the overlay, the focused box or form, the focused pane, or the whole screen; events to
//! every part that follows the engine. It routes and does nothing else.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::buffer::Buffer;

use super::{
    Clock, Effect, Message, Model, commands, focus,
    keymap::{Action, Chord, Resolution, Scope},
    message::{Done, Reload},
    overlays, panes, pointer, view,
};
use crate::{
    domain::notice::Notice,
    engine::event::{Event, EventKind},
};

/// Takes one message.
pub fn update(model: &mut Model, message: Message) -> Vec<Effect> {
    model.revision += u64::from(changes_screen(model, &message));
    let mut effects = take(model, message);
    effects.extend(panes::typing::follow_size(model));
    effects
}

fn take(model: &mut Model, message: Message) -> Vec<Effect> {
    match message {
        Message::Keys(keys) => keys_came(model, &keys),
        Message::Paste(text) => paste(model, &text),
        Message::Mouse(mouse) => pointer::update(model, mouse),
        Message::Resize(columns, rows) => {
            model.screen.columns = columns;
            model.screen.rows = rows;
            panes::requests::resized(model);
            Vec::new()
        }
        Message::Focus(has_focus) => {
            model.screen.has_focus = has_focus;
            Vec::new()
        }
        Message::Engine(event) => engine(model, &event),
        Message::Tick(clock) => {
            model.clock = clock;
            let mut effects = panes::composer::tick(model);
            effects.extend(panes::requests::tick(model));
            effects.extend(panes::typing::tick(model));
            effects
        }
        Message::Done(done) => ended(model, done),
        Message::Reload(reload) => reloaded(model, reload),
        Message::Painted(clock) => painted(model, clock),
    }
}

/// Time alone changes the screen only when something on it was waiting for that moment.
fn changes_screen(model: &Model, message: &Message) -> bool {
    match message {
        Message::Painted(_) => false,
        Message::Tick(clock) => model
            .next_tick_ms()
            .is_some_and(|wait| clock.elapsed_ms >= model.clock.elapsed_ms + wait),
        _ => true,
    }
}

/// The key that opened an overlay closes it; true when that was done.
fn close_same(model: &mut Model, action: Action) -> bool {
    let is_same = matches!(
        (model.overlay.top(), action),
        (Some(overlays::Overlay::Palette(_)), Action::Palette)
            | (Some(overlays::Overlay::Help(_)), Action::Help)
            | (Some(overlays::Overlay::Inbox), Action::Approvals)
            | (Some(overlays::Overlay::Sessions(_)), Action::Sessions)
            | (Some(overlays::Overlay::Jobs(_)), Action::Jobs)
    );
    if is_same {
        overlays::open::close(model);
    }
    is_same
}

fn painted(model: &mut Model, clock: Clock) -> Vec<Effect> {
    overlays::painted(model, clock.elapsed_ms);
    let mut effects = panes::requests::painted(model, clock);
    effects.extend(panes::conversation::painted(model));
    effects
}

fn ended(model: &mut Model, done: Done) -> Vec<Effect> {
    match done {
        Done::Highlighted(done) => return panes::conversation::highlighted(model, *done),
        Done::Edited(text) => panes::composer::edited(model, &text),
        Done::Copied(copied) => model.notify(copied_notice(copied)),
        Done::Refused(command) => {
            panes::refused(model, &command);
            let notice = Notice::error("the engine does not take commands now");
            model.notify(notice.with_hint("try again"));
        }
    }
    Vec::new()
}

fn copied_notice(copied: Result<usize, String>) -> Notice {
    match copied {
        Ok(lines) if lines > 1 => Notice::info(format!("copied {lines} lines")),
        Ok(_) => Notice::info("copied"),
        Err(reason) => Notice::error(format!("not copied: {reason}")),
    }
}

fn reloaded(model: &mut Model, reload: Reload) -> Vec<Effect> {
    match reload {
        Reload::Theme(theme) => model.theme = theme,
        Reload::Keymap(keymap) => model.keymap = keymap,
        Reload::Themes(names) => {
            let state = overlays::choices::themes(model, names);
            model.overlay.open(overlays::Overlay::Choose(state));
        }
        Reload::Keymaps(names) => {
            let state = overlays::choices::keymaps(model, names);
            model.overlay.open(overlays::Overlay::Choose(state));
        }
        Reload::Kept(text) => model.notify(Notice::info(text)),
        Reload::Failed(text) => model.notify(Notice::error(text)),
    }
    Vec::new()
}

fn engine(model: &mut Model, event: &Event) -> Vec<Effect> {
    // What was opened over another session goes with it. Before the first one, nothing that was opened is about any.
    if matches!(event.kind, EventKind::Opened(_)) && model.session.info.is_some() {
        model.overlay.clear();
    }
    model.session.apply(event, model.clock.elapsed_ms);
    let mut effects = panes::apply(model, event);
    panes::requests::keep_in_sight(model);
    effects.extend(overlays::apply(model, event));
    effects.extend(commands::apply(model, event));
    if event.kind == EventKind::Stopped {
        effects.push(Effect::Quit);
    }
    effects
}

fn paste(model: &mut Model, text: &str) -> Vec<Effect> {
    model.screen.pending.clear();
    if model.overlay.is_some() {
        return overlays::paste(model, text);
    }
    if panes::requests::scope(model).is_some() {
        return panes::requests::paste(model, text);
    }
    panes::paste(model, text)
}

fn keys_came(model: &mut Model, keys: &[KeyEvent]) -> Vec<Effect> {
    let mut effects = Vec::new();
    for key in keys.iter().filter(|key| key.kind != KeyEventKind::Release) {
        panes::requests::comes(model, keys.len() > 1);
        overlays::comes(model, keys.len() > 1);
        effects.extend(press(model, *key));
        panes::requests::noted(model, *key);
    }
    panes::typing::joined(effects)
}

fn press(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let Some(chord) = Chord::from_event(&key) else {
        return Vec::new();
    };
    if model.overlay.is_none()
        && model.screen.pending.is_empty()
        && panes::requests::is_typed_on(model, key)
    {
        return panes::requests::give_to_composer(model, key);
    }
    let scope = focus::scope(model);
    let mut pressed = std::mem::take(&mut model.screen.pending);
    if pressed.is_empty()
        && let Some(effects) = panes::requests::answering::in_full::press(model, key, chord)
    {
        return effects;
    }
    pressed.push(chord);
    model.notices.go_on(model.clock.elapsed_ms);
    match model.keymap.resolve(scope, &pressed) {
        Resolution::Action(action) => act(model, scope, action, key),
        Resolution::Pending => {
            model.screen.pending = pressed;
            Vec::new()
        }
        // The rest of a sequence that means nothing is dropped, as the beginning was.
        Resolution::Unbound if pressed.len() > 1 => Vec::new(),
        Resolution::Unbound => input(model, key),
    }
}

fn input(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    if model.overlay.is_some() {
        overlays::input(model, key)
    } else if panes::requests::scope(model).is_some() {
        panes::requests::input(model, key)
    } else {
        panes::input(model, key)
    }
}

/// Does an action that was called by name, as its key would here. One that finds nothing to do says so.
pub fn by_name(model: &mut Model, action: Action) -> Vec<Effect> {
    let before = frame(model);
    let key = KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE);
    let effects = act(model, focus::scope(model), action, key);
    if effects.is_empty() && frame(model) == before {
        let name = action.name().replace('_', " ");
        model.notify(Notice::info(format!("{name}: there is nothing to do here")));
    }
    effects
}

fn frame(model: &Model) -> Buffer {
    let mut buffer = Buffer::empty(model.screen.area());
    view::view(model, &mut buffer);
    buffer
}

/// Does an action where this scope has the keys; `key` ended its chords.
fn act(model: &mut Model, scope: Scope, action: Action, key: KeyEvent) -> Vec<Effect> {
    if action.scopes().contains(&Scope::Global) {
        let keeps = matches!(
            action,
            Action::Interrupt | Action::Redraw | Action::Suspend | Action::ToggleMouse
        );
        if !keeps && close_same(model, action) {
            return Vec::new();
        }
        let opened = model.overlay.opened();
        let effects = commands::update(model, action, "");
        // What such an action opens lies above what is open; one that opens nothing wants to be seen.
        if !keeps && model.overlay.opened() == opened {
            model.overlay.close_passing();
        }
        return effects;
    }
    if matches!(model.overlay.top(), Some(overlays::Overlay::Inbox)) {
        return overlays::inbox::update(model, action, key);
    }
    if model.overlay.is_some() {
        return overlays::update(model, action);
    }
    if panes::requests::scope(model) == Some(scope) {
        return panes::requests::update(model, action, key);
    }
    if action == Action::ToComposer {
        return focus::focus(model, focus::Pane::Composer);
    }
    let pane = model.screen.focus;
    // A side pane that has no step of its own to go back by leads to the message.
    let is_side = pane.is_right() && pane != focus::Pane::Agents;
    if action == Action::Back && is_side && panes::scope(model).is_none() {
        return focus::focus(model, focus::Pane::Composer);
    }
    panes::update(model, pane, action)
}
