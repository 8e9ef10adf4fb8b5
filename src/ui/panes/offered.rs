//! What can be called by name where the keys go now. Only what would do something is offered: a command that says
//! nothing and does nothing is none. Single steps of a selection have keys and are no commands.
//!
//! Answers are not among them: they are given to the box or form that is seen, by its own keys.

use super::{
    agents, checklist,
    composer::{self, update::target},
    conversation::{self, Body, Entry, Fold},
    requests::{self, approval::Mode},
    scratchpad, typing,
};
use crate::{
    domain::display::Display,
    ui::{
        Model,
        cells::default_fold,
        commands,
        focus::{self, Pane},
        keymap::{Action, Scope},
        layout::Screen,
        overlays::{Overlay, inbox, rules},
        view,
    },
};

/// The commands, those of the whole screen first.
pub fn offered(model: &Model) -> Vec<Action> {
    let here = focus::scope(model);
    let is_of = |action: &Action, scope: &Scope| action.scopes().contains(scope);
    let global = Action::ALL
        .iter()
        .filter(|action| is_of(action, &Scope::Global) && is_global(model, **action));
    let local = Action::ALL.iter().filter(|action| {
        let scopes = here.chain().iter();
        let mut near = scopes.filter(|scope| **scope != Scope::Global);
        near.any(|scope| is_of(action, scope)) && is_local(model, **action)
    });
    global.chain(local).copied().collect()
}

/// Whether an action of the whole screen does something now.
fn is_global(model: &Model, action: Action) -> bool {
    let screen = &model.screen;
    let is_elsewhere = |pane: Pane| {
        screen.focus != pane
            || screen.hidden.contains(&pane)
            || model.overlay.is_some()
            || model.requests.focused.is_some()
    };
    match action {
        // It is what is open.
        Action::Palette => false,
        _ if is_open(model, action) => false,
        Action::TypeInto => typing::has_any(model),
        Action::Approvals => requests::scope(model).is_none() || model.requests.open().count() > 1,
        Action::FocusConversation => is_elsewhere(Pane::Conversation),
        Action::FocusComposer => is_elsewhere(Pane::Composer),
        Action::FocusAgents => is_elsewhere(Pane::Agents),
        Action::FocusChecklist => is_elsewhere(Pane::Checklist),
        Action::FocusScratchpad => is_elsewhere(Pane::Scratchpad),
        Action::FocusContext => is_elsewhere(Pane::Context),
        Action::HidePane => screen.focus.is_right(),
        Action::ResetLayout => {
            !screen.hidden.is_empty()
                || screen.extra_rows.values().any(|rows| *rows != 0)
                || screen.right_columns.is_some()
                || screen.zoomed.is_some()
        }
        Action::WidenRight => changes_layout(model, |screen| {
            screen.right_columns = Some(screen.right_width().saturating_add(2));
        }),
        Action::NarrowRight => changes_layout(model, |screen| {
            screen.right_columns = Some(screen.right_width().saturating_sub(2));
        }),
        Action::Taller => changes_layout(model, |screen| grow(screen, 1)),
        Action::Shorter => changes_layout(model, |screen| grow(screen, -1)),
        _ => true,
    }
}

/// Whether it would open what is open already.
fn is_open(model: &Model, action: Action) -> bool {
    let title = match action {
        Action::Notices => "Notices",
        Action::Cost => "Cost",
        Action::ChooseLevel => "Level",
        Action::ChooseMode => "Mode",
        Action::ChooseNetwork => "Network",
        Action::ChooseProfile => "Profile",
        Action::ChooseTheme => "Theme",
        Action::ChooseKeymap => "Keymap",
        _ => "",
    };
    match model.overlay.top() {
        Some(Overlay::Viewer(state)) => state.title == title,
        Some(Overlay::Choose(state)) => state.title() == title,
        Some(Overlay::Line(_)) => action == Action::Title,
        _ => false,
    }
}

fn grow(screen: &mut Screen, by: i16) {
    let rows = screen.extra_rows.entry(screen.focus).or_default();
    *rows = rows.saturating_add(by);
}

fn changes_layout(model: &Model, change: impl Fn(&mut Screen)) -> bool {
    let mut screen = model.screen.clone();
    change(&mut screen);
    view::layout_of(model, &screen) != view::layout(model)
}

/// Whether an action of what has the keys does something now.
fn is_local(model: &Model, action: Action) -> bool {
    match model.overlay.top() {
        Some(Overlay::Viewer(state)) => state.offers(model, action),
        Some(Overlay::Help(state)) => state.offers(action),
        Some(Overlay::Rules(state)) => rules::offers(state, action, model.clock.now_ms),
        Some(Overlay::Inbox) => match action {
            Action::Open | Action::NextRequest | Action::PreviousRequest => {
                inbox::offers(model, action)
            }
            _ => of_request(model, action),
        },
        Some(_) => false,
        None if requests::scope(model).is_some() => of_request(model, action),
        None => match model.screen.focus {
            Pane::Conversation => of_conversation(model, action),
            Pane::Composer => of_composer(model, action),
            Pane::Agents => of_agents(model, action),
            Pane::Checklist => of_checklist(model, action),
            Pane::Scratchpad => of_scratchpad(model, action),
            Pane::Context => leads_out(action) || action == Action::Open,
        },
    }
}

fn leads_out(action: Action) -> bool {
    matches!(action, Action::Back | Action::ToComposer)
}

fn of_request(model: &Model, action: Action) -> bool {
    let several = model.requests.open().count() > 1;
    match (model.requests.focused_approval(), model.requests.form()) {
        (Some(approval), _) if approval.mode == Mode::Answer => match action {
            Action::NextRequest | Action::PreviousRequest => several,
            Action::Details | Action::Explain | Action::Copy => true,
            _ => leads_out(action),
        },
        (None, Some(form)) => match action {
            Action::NextRequest | Action::PreviousRequest => form.fields.len() > 1,
            _ => leads_out(action),
        },
        _ => false,
    }
}

fn of_conversation(model: &Model, action: Action) -> bool {
    let conversation = &model.conversation;
    let transcript = conversation.transcript();
    let focused = conversation.focused().map(|(_, entry)| entry);
    let opens = |entry: &Entry| match &entry.body {
        Body::Call(_) | Body::Reasoning { .. } => true,
        Body::Reply { document, .. } => document.is_cut(),
        _ => false,
    };
    match action {
        Action::Open => focused.map_or(!transcript.is_empty(), opens),
        Action::Fold => focused.map_or(!transcript.is_empty(), folds),
        Action::FoldAll => conversation::shows(model, folds_with_all),
        Action::DiffStyle => conversation::shows(model, shows_diff),
        Action::Search => true,
        Action::NextMatch | Action::PreviousMatch => conversation::has_matches(model),
        Action::Copy | Action::CopyMarkdown => focused.is_some(),
        Action::CopyCode => focused.is_some_and(|entry| match &entry.body {
            Body::Reply { document, .. } => !document.code_blocks().is_empty(),
            _ => false,
        }),
        Action::PreviousPrompt => conversation::prompt_beside(model, false).is_some(),
        Action::NextPrompt => conversation::prompt_beside(model, true).is_some(),
        _ => leads_out(action),
    }
}

/// Whether there is something to fold.
fn folds(entry: &Entry) -> bool {
    match &entry.body {
        Body::Call(call) => call.result.is_some() || !call.output.is_empty(),
        Body::Reasoning { .. } => true,
        _ => false,
    }
}

/// Whether it is seen that everything is folded, or unfolded again.
fn folds_with_all(entry: &Entry) -> bool {
    folds(entry) && (entry.fold == Some(Fold::Line) || default_fold(entry) != Fold::Line)
}

fn shows_diff(entry: &Entry) -> bool {
    let Body::Call(call) = &entry.body else {
        return false;
    };
    let display = call.result.as_ref().map(|result| &result.display);
    display.is_some_and(|display| matches!(display, Display::Diff { .. }))
}

fn of_composer(model: &Model, action: Action) -> bool {
    let composer = &model.composer;
    let (agent, _) = target(model, None);
    let has_words = !composer::is_empty(model);
    if composer.search.is_some() {
        return matches!(action, Action::Send | Action::Escape);
    }
    match action {
        Action::Send | Action::SendNow => has_words,
        Action::Queue => {
            composer.list.is_some() || (has_words && model.session.is_agent_busy(&agent))
        }
        Action::TakeBack => {
            let queue = model.session.queue.get(&agent);
            queue.is_some_and(|queue| !queue.is_empty())
        }
        Action::OpenPaste => composer.editor.chip_beside().is_some(),
        Action::NewLine | Action::SearchHistory | Action::Editor => true,
        Action::Escape => {
            let shown = &model.conversation.shown;
            let can_stop = commands::can_stop(model) && !requests::waits_for(model, shown);
            composer.list.is_some() || composer.aim.is_some() || !shown.is_main() || can_stop
        }
        _ => false,
    }
}

fn of_agents(model: &Model, action: Action) -> bool {
    let Some(agent) = agents::selected(model) else {
        return leads_out(action);
    };
    match action {
        Action::Open => agent != model.conversation.shown,
        Action::CancelAgent => model.session.is_agent_busy(&agent),
        Action::Steer | Action::Cut | Action::Copy | Action::AgentScope => true,
        _ => leads_out(action),
    }
}

fn of_checklist(model: &Model, action: Action) -> bool {
    let last = checklist::list(model).items.len().checked_sub(1);
    let at = last.map(|last| model.checklist.selection.selected.min(last));
    match action {
        Action::Add => true,
        Action::MoveUp => at.is_some_and(|at| at > 0),
        Action::MoveDown => at.is_some() && at < last,
        Action::Open
        | Action::Toggle
        | Action::Edit
        | Action::Defer
        | Action::GiveUp
        | Action::Copy => at.is_some(),
        _ => leads_out(action),
    }
}

fn of_scratchpad(model: &Model, action: Action) -> bool {
    match action {
        Action::Add => true,
        Action::Open | Action::Edit | Action::Rename | Action::Delete | Action::Copy => {
            scratchpad::selected(model).is_some()
        }
        _ => leads_out(action),
    }
}
