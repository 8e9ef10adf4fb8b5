//! Actions of the whole screen, with the words behind them when they come as a slash command.

use super::{
    Effect, Model, focus,
    focus::Pane,
    keymap::{Action, action},
    panes, pointer,
};
use crate::{
    domain::{ids::AgentId, notice::Notice},
    engine::{
        command::{Command, SessionCommand, Setting},
        event::{Event, EventKind},
    },
};

/// Within this time a second Ctrl+C leaves.
pub const QUIT_WINDOW_MS: u64 = 1_000;

/// Runs `/name words`; `None` when there is no such command.
pub fn slash(model: &mut Model, line: &str) -> Option<Vec<Effect>> {
    let line = line.strip_prefix('/')?;
    let (name, words) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let action = action::by_slash(name)?;
    Some(if action.scopes().contains(&super::keymap::Scope::Global) {
        update(model, action, words.trim())
    } else {
        focus::focus(model, Pane::Composer);
        panes::update(model, Pane::Composer, action)
    })
}

/// Does an action of the whole screen. `words` is empty unless it came as a slash command with words.
pub fn update(model: &mut Model, action: Action, words: &str) -> Vec<Effect> {
    match action {
        Action::FocusConversation => focus::focus(model, Pane::Conversation),
        Action::FocusComposer => focus::focus(model, Pane::Composer),
        Action::FocusAgents => focus::focus(model, Pane::Agents),
        Action::FocusChecklist => focus::focus(model, Pane::Checklist),
        Action::FocusScratchpad => focus::focus(model, Pane::Scratchpad),
        Action::FocusContext => focus::focus(model, Pane::Context),
        Action::NextPane => step(model, 1),
        Action::PreviousPane => step(model, Pane::ALL.len() - 1),
        Action::Zoom
        | Action::HidePane
        | Action::ResetLayout
        | Action::WidenRight
        | Action::NarrowRight
        | Action::Taller
        | Action::Shorter => arrange(model, action),
        Action::Approvals => panes::requests::focus_next(model),
        Action::Later => panes::requests::later(model),
        Action::Interrupt => interrupt(model),
        Action::CancelTurn => cancel(model),
        Action::NewSession => vec![Effect::Send(Command::Session(SessionCommand::New))],
        Action::Title if !words.is_empty() => {
            let title = SessionCommand::Title(words.to_owned());
            vec![Effect::Send(Command::Session(title))]
        }
        Action::ToggleMouse => {
            model.screen.has_mouse = !model.screen.has_mouse;
            vec![Effect::CaptureMouse(model.screen.has_mouse)]
        }
        Action::Redraw => vec![Effect::Redraw],
        Action::Suspend => vec![Effect::Suspend],
        Action::Quit => quit(model),
        Action::Trust => {
            let trusted = model.session.settings.as_ref().is_some_and(|s| s.trusted);
            vec![Effect::Send(Command::Configure(Setting::Trust(!trusted)))]
        }
        _ => Vec::new(),
    }
}

/// What of an event concerns the whole screen.
pub fn apply(model: &mut Model, event: &Event) -> Vec<Effect> {
    match &event.kind {
        EventKind::Notice(notice) => {
            model.notify(notice.clone());
            Vec::new()
        }
        _ => Vec::new(),
    }
}

fn step(model: &mut Model, by: usize) -> Vec<Effect> {
    let shown: Vec<Pane> = Pane::ALL
        .into_iter()
        .filter(|pane| !model.screen.hidden.contains(pane))
        .collect();
    let here = shown.iter().position(|pane| *pane == model.screen.focus);
    let by = if by == 1 {
        1
    } else {
        shown.len().saturating_sub(1)
    };
    let next = (here.unwrap_or(0) + by) % shown.len().max(1);
    match shown.get(next) {
        Some(pane) => focus::focus(model, *pane),
        None => Vec::new(),
    }
}

fn arrange(model: &mut Model, action: Action) -> Vec<Effect> {
    let pane = model.screen.focus;
    let right = model.screen.right_width();
    match action {
        Action::Zoom => {
            model.screen.zoomed = match model.screen.zoomed {
                Some(_) => None,
                None => Some(pane),
            };
        }
        Action::HidePane => {
            if !matches!(pane, Pane::Conversation | Pane::Composer) {
                model.screen.zoomed = None;
                focus::focus(model, Pane::Composer);
                model.screen.hidden.insert(pane);
            }
        }
        Action::ResetLayout => {
            model.screen.hidden.clear();
            model.screen.extra_rows.clear();
            model.screen.right_columns = None;
            model.screen.zoomed = None;
        }
        Action::WidenRight => model.screen.right_columns = Some(right.saturating_add(2)),
        Action::NarrowRight => model.screen.right_columns = Some(right.saturating_sub(2)),
        Action::Taller => pointer::grow(model, pane, 1),
        _ => pointer::grow(model, pane, -1),
    }
    Vec::new()
}

/// One rung per press: what is open is closed, a draft is cleared, a turn is stopped, and only then, twice within a
/// second, the program is left.
fn interrupt(model: &mut Model) -> Vec<Effect> {
    if model.overlay.take().is_some() {
        return Vec::new();
    }
    if panes::requests::scope(model).is_some() {
        return panes::requests::interrupt(model);
    }
    if !panes::composer::is_empty(model) {
        return panes::composer::clear(model);
    }
    if model.session.is_agent_busy(&shown_agent(model)) {
        return cancel(model);
    }
    let now = model.clock.elapsed_ms;
    if model
        .screen
        .quit_armed_until
        .is_some_and(|until| now < until)
    {
        return quit(model);
    }
    model.screen.quit_armed_until = Some(now + QUIT_WINDOW_MS);
    Vec::new()
}

fn cancel(model: &mut Model) -> Vec<Effect> {
    let agent = shown_agent(model);
    if !model.session.is_agent_busy(&agent) {
        model.notify(Notice::info("nothing is running here"));
        return Vec::new();
    }
    vec![Effect::Send(Command::Cancel { agent })]
}

fn shown_agent(model: &Model) -> AgentId {
    model.conversation.shown.clone()
}

fn quit(_model: &mut Model) -> Vec<Effect> {
    vec![Effect::Send(Command::Shutdown)]
}
