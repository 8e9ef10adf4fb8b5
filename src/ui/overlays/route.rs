//! The overlay that is open, and its functions, one line each.

use crossterm::event::{KeyEvent, MouseEvent};
use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
};

use super::{
    ask, choices, endpoint, help, inbox, line, picker, picker_view,
    rules::{self, Next},
    viewer::{self, Source},
    viewer_view,
};
use crate::{
    engine::event::{Event, EventKind, Fetched},
    ui::{
        Effect, Model,
        keymap::{Action, Scope},
        panes::{
            composer,
            requests::{self, gate::Sight},
        },
        view,
    },
};

/// What floats above the panes.
#[derive(Debug)]
pub enum Overlay {
    /// Every command.
    Palette(picker::State),
    /// A choice of settings, themes, keymaps, profiles.
    Choose(picker::State),
    /// The sessions of this folder.
    Sessions(picker::State),
    /// What runs on in the background.
    Jobs(picker::State),
    /// The page of a first run.
    Start(picker::State),
    /// A form for a profile of one's own.
    Endpoint(endpoint::State),
    /// Keys.
    Help(help::State),
    /// A question of the program itself.
    Ask(ask::State),
    /// The title of the session.
    Line(line::State),
    /// Everything that waits for the person.
    Inbox,
    /// What decides about calls.
    Rules(rules::State),
    /// A whole output.
    Viewer(viewer::State),
}

impl Overlay {
    /// The scope of its keys.
    pub fn scope(&self) -> Scope {
        match self {
            Self::Palette(_)
            | Self::Choose(_)
            | Self::Sessions(_)
            | Self::Jobs(_)
            | Self::Start(_) => Scope::Field,
            // The letters of a question's answers are not looked up in the list's keys.
            Self::Endpoint(_) | Self::Line(_) | Self::Ask(_) => Scope::Field,
            Self::Help(state) => state.scope(),
            Self::Inbox => Scope::Approval,
            Self::Rules(state) if state.takes_text() => Scope::Field,
            Self::Rules(_) => Scope::Rules,
            Self::Viewer(state) => state.scope(),
        }
    }
}

/// Says how the next key came: nothing is answered by one that came with others.
pub fn comes(model: &mut Model, is_crowded: bool) {
    let now = model.clock.elapsed_ms;
    match model.overlay.top_mut() {
        Some(Overlay::Ask(state)) => state.gate.comes(is_crowded, now),
        Some(Overlay::Viewer(state)) => {
            if let Some(reading) = &mut state.reading {
                reading.comes(is_crowded, now);
            }
        }
        _ => {}
    }
}

/// The frame on the screen shows the open overlay since this moment; what lies beneath it is not seen.
pub fn painted(model: &mut Model, elapsed_ms: u64) {
    for overlay in model.overlay.iter_mut().rev().skip(1) {
        if let Overlay::Ask(state) = overlay {
            state.gate.close();
        }
    }
    let size = viewer::size(model);
    match model.overlay.top_mut() {
        Some(Overlay::Ask(state)) => state.gate.painted(Sight::Whole, elapsed_ms),
        Some(Overlay::Viewer(state)) => state.painted(size, elapsed_ms),
        _ => {}
    }
}

/// An action for the open overlay.
pub fn update(model: &mut Model, action: Action) -> Vec<Effect> {
    let Some(mut overlay) = model.overlay.take() else {
        return Vec::new();
    };
    let outcome = match &mut overlay {
        Overlay::Palette(state)
        | Overlay::Choose(state)
        | Overlay::Sessions(state)
        | Overlay::Jobs(state)
        | Overlay::Start(state) => pick(model, state, action),
        Overlay::Endpoint(state) => fill(state, action),
        Overlay::Line(state) => match action {
            Action::Open => Some(state.accept()),
            Action::Back => Some(Vec::new()),
            _ => None,
        },
        Overlay::Ask(_) if action == Action::Back => Some(Vec::new()),
        Overlay::Help(state) => {
            let is_left = !state.update(model, action);
            is_left.then(Vec::new)
        }
        Overlay::Ask(state) => ask::update(model, state, action),
        // Its keys come to it with the key itself.
        Overlay::Inbox => None,
        Overlay::Rules(state) => match rules::update(model, state, action) {
            Next::Close => Some(Vec::new()),
            Next::Stay(effects) => {
                model.overlay.put_back(overlay);
                return effects;
            }
            Next::Show(title, text) => {
                model.overlay.put_back(overlay);
                return viewer::open(model, title, Source::Text(text.into()));
            }
        },
        Overlay::Viewer(state) => match viewer::update(model, state, action) {
            // Text that went into the message closes the viewer; everything else leaves it open.
            Some(effects) if action != Action::Quote => {
                model.overlay.put_back(overlay);
                return effects;
            }
            Some(effects) => Some(effects),
            None => Some(Vec::new()),
        },
    };
    settle(model, overlay, outcome, action == Action::Back)
}

/// Puts the overlay back while it stays open (`None`); else it is closed, or lies beneath the form that it opened.
fn settle(
    model: &mut Model,
    overlay: Overlay,
    outcome: Option<Vec<Effect>>,
    is_left: bool,
) -> Vec<Effect> {
    let Some(effects) = outcome else {
        model.overlay.put_back(overlay);
        return Vec::new();
    };
    let is_list = matches!(overlay, Overlay::Start(_) | Overlay::Choose(_));
    if is_list && matches!(model.overlay.top(), Some(Overlay::Endpoint(_))) {
        model.overlay.put_below_top(overlay);
    } else if is_left {
        ask::left(model, &overlay);
    } else if matches!(overlay, Overlay::Endpoint(_)) {
        // The profile is on its way: the lists that led here have done their work.
        model.overlay.close_choices();
    }
    effects
}

/// `None` while the picker stays open.
fn pick(model: &mut Model, state: &picker::State, action: Action) -> Option<Vec<Effect>> {
    match action {
        Action::Back => Some(Vec::new()),
        Action::Open => {
            let choice = state.chosen()?.clone();
            Some(choices::choose(model, choice))
        }
        _ => None,
    }
}

fn fill(state: &mut endpoint::State, action: Action) -> Option<Vec<Effect>> {
    match action {
        Action::Back => Some(Vec::new()),
        Action::Open => state.accept(),
        Action::NextRequest => {
            state.turn(1);
            None
        }
        Action::PreviousRequest => {
            state.turn(3);
            None
        }
        _ => None,
    }
}

/// A key that means no action, for the open overlay's text.
pub fn input(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    match model.overlay.take() {
        Some(Overlay::Ask(mut state)) => {
            let outcome = ask::input(model, &mut state, key);
            if outcome.is_none() && requests::is_text(key) {
                model.overlay.put_back(Overlay::Ask(state));
                return composer::input(model, key);
            }
            return settle(model, Overlay::Ask(state), outcome, false);
        }
        Some(overlay) => model.overlay.put_back(overlay),
        None => {}
    }
    match model.overlay.top_mut() {
        Some(
            Overlay::Palette(state)
            | Overlay::Choose(state)
            | Overlay::Sessions(state)
            | Overlay::Jobs(state)
            | Overlay::Start(state),
        ) => state.input(key),
        Some(Overlay::Endpoint(state)) => state.input(key),
        Some(Overlay::Line(state)) => state.input(key),
        Some(Overlay::Rules(state)) => rules::input(state, key),
        Some(Overlay::Viewer(state)) => state.input(key),
        Some(Overlay::Help(state)) => state.input(key),
        Some(Overlay::Ask(_) | Overlay::Inbox) | None => {}
    }
    Vec::new()
}

/// Pasted text for the open overlay; over a question of the program it is for the message.
pub fn paste(model: &mut Model, text: &str) -> Vec<Effect> {
    let now = model.clock.elapsed_ms;
    if let Some(Overlay::Ask(state)) = model.overlay.top_mut() {
        state.gate.type_on(now);
        return composer::paste(model, text);
    }
    let left_out = match model.overlay.top_mut() {
        Some(
            Overlay::Palette(state)
            | Overlay::Choose(state)
            | Overlay::Sessions(state)
            | Overlay::Jobs(state)
            | Overlay::Start(state),
        ) => state.paste(text),
        Some(Overlay::Endpoint(state)) => state.paste(text),
        Some(Overlay::Line(state)) => state.paste(text),
        Some(Overlay::Rules(state)) => rules::paste(state, text),
        Some(Overlay::Viewer(state)) => state.paste(text),
        Some(Overlay::Help(state)) => state.paste(text),
        Some(Overlay::Ask(_) | Overlay::Inbox) | None => 0,
    };
    model.left_out(left_out);
    Vec::new()
}

/// The overlays follow the engine.
pub fn apply(model: &mut Model, event: &Event) -> Vec<Effect> {
    let rows = match &event.kind {
        EventKind::Fetched(Fetched::Sessions(sessions)) => choices::session_rows(model, sessions),
        EventKind::Fetched(Fetched::Jobs(jobs)) => choices::job_rows(model, jobs),
        _ => Vec::new(),
    };
    let mut effects = Vec::new();
    for overlay in model.overlay.iter_mut() {
        match (overlay, &event.kind) {
            (Overlay::Sessions(state), EventKind::Fetched(Fetched::Sessions(_))) => {
                state.found(rows.clone(), "there is no other session here");
            }
            (Overlay::Jobs(state), EventKind::Fetched(Fetched::Jobs(_))) => {
                state.found(rows.clone(), "nothing runs in the background");
            }
            (Overlay::Rules(state), _) => rules::apply(state, event),
            (Overlay::Viewer(state), _) => {
                effects.extend(state.apply(event, &model.conversation));
            }
            _ => {}
        }
    }
    effects.extend(inbox::settle(model));
    effects
}

/// The mouse while an overlay is open.
pub fn mouse(model: &mut Model, mouse: MouseEvent) -> Vec<Effect> {
    let body = view::body(&view::layout(model), model);
    if matches!(model.overlay.top(), Some(Overlay::Inbox)) {
        return inbox::mouse(model, mouse, body);
    }
    let Some(mut overlay) = model.overlay.take() else {
        return Vec::new();
    };
    let outcome = match &mut overlay {
        Overlay::Palette(state)
        | Overlay::Choose(state)
        | Overlay::Sessions(state)
        | Overlay::Jobs(state)
        | Overlay::Start(state) => {
            if state.mouse(mouse, body) {
                pick(model, state, Action::Open)
            } else {
                None
            }
        }
        Overlay::Ask(state) => ask::mouse(model, state, mouse, body),
        Overlay::Help(state) => {
            state.mouse(model, mouse);
            None
        }
        Overlay::Rules(state) => {
            rules::mouse(model, state, mouse);
            None
        }
        Overlay::Viewer(state) => {
            state.mouse(mouse, viewer::size(model));
            None
        }
        Overlay::Endpoint(_) | Overlay::Line(_) | Overlay::Inbox => None,
    };
    settle(model, overlay, outcome, false)
}

/// Draws the overlay and returns where the cursor stands.
pub fn view(model: &Model, overlay: &Overlay, area: Rect, buffer: &mut Buffer) -> Option<Position> {
    match overlay {
        Overlay::Palette(state)
        | Overlay::Choose(state)
        | Overlay::Sessions(state)
        | Overlay::Jobs(state)
        | Overlay::Start(state) => picker_view::view(model, state, area, buffer),
        Overlay::Endpoint(state) => endpoint::view(model, state, area, buffer),
        Overlay::Help(state) => help::view(model, state, area, buffer),
        Overlay::Ask(state) => ask::view(model, state, area, buffer),
        Overlay::Line(state) => line::view(model, state, area, buffer),
        Overlay::Inbox => inbox::view(model, area, buffer),
        Overlay::Rules(state) => rules::view(model, state, area, buffer),
        Overlay::Viewer(state) => viewer_view::view(model, state, area, buffer),
    }
}
