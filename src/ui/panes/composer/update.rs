//! What keys, pastes and events do to the draft, and what is sent of it.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;

use super::{
    completion::{Files, Word},
    editor::Edited,
    returned,
    state::Aim,
    submission::Submission,
    view::{self, text_width},
};
use crate::{
    domain::{ids::AgentId, notice::Notice, record::Lane},
    engine::{
        command::{Command, Fetch},
        event::{Event, EventKind, Fetched},
    },
    ui::{
        Effect, Model, commands,
        focus::{self, Pane},
        keymap::Action,
        panes::{conversation, requests},
    },
};

/// How long a draft that could not be stored waits before that is tried again.
const SAVE_AGAIN_MS: u64 = 4_000;

/// Whether the draft is empty.
pub fn is_empty(model: &Model) -> bool {
    model.composer.editor.is_empty() && model.composer.search.is_none()
}

/// Empties the draft. Up brings it back, and the journal keeps it until something else is written or sent.
pub fn clear(model: &mut Model) -> Vec<Effect> {
    let composer = &mut model.composer;
    composer.list = None;
    if composer.search.take().is_some() {
        return Vec::new();
    }
    let effects = save_draft(model);
    model.composer.replace("");
    effects
}

/// Puts text at the cursor, as a paste does.
pub fn insert(model: &mut Model, text: &str) -> Vec<Effect> {
    paste(model, text)
}

/// Aims the next message at an agent and gives the composer the keyboard.
pub fn aim(model: &mut Model, agent: AgentId, lane: Lane) -> Vec<Effect> {
    model.composer.aim = Some(Aim { agent, lane });
    focus::focus(model, Pane::Composer)
}

/// Takes an action.
pub fn update(model: &mut Model, action: Action) -> Vec<Effect> {
    if model.composer.search.is_some()
        && let Some(effects) = update_search(model, action)
    {
        return effects;
    }
    match action {
        Action::Send => enter(model),
        Action::NewLine => {
            model.composer.editor.newline();
            changed(model)
        }
        Action::Queue => tab(model),
        Action::SendNow => submit(model, Some(Lane::Interrupt)),
        Action::TakeBack => returned::take_back(model),
        Action::OpenPaste => open_paste(model),
        Action::SearchHistory => {
            model.composer.list = None;
            model.composer.search = Some(model.composer.history.begin_search());
            focus::focus(model, Pane::Composer)
        }
        Action::Editor => vec![Effect::OpenEditor(model.composer.editor.text())],
        Action::Escape => escape(model),
        Action::PageUp | Action::PageDown => conversation::update(model, action),
        _ => Vec::new(),
    }
}

/// Takes a key that means no action.
pub fn input(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let width = text_width(model);
    if model.composer.search.is_some() {
        return input_search(model, key);
    }
    if let Some(list) = model.composer.list.as_mut()
        && key.modifiers == KeyModifiers::NONE
        && matches!(key.code, KeyCode::Up | KeyCode::Down)
        && !list.offers.is_empty()
    {
        list.step(if key.code == KeyCode::Up { -1 } else { 1 });
        return Vec::new();
    }
    match model.composer.editor.input(key, width) {
        Edited::Ignored => Vec::new(),
        Edited::Changed => changed(model),
        Edited::Moved => complete(model),
        Edited::AtTop => walk(model, true),
        Edited::AtBottom => walk(model, false),
    }
}

/// Takes pasted text. A line end in it never sends.
pub fn paste(model: &mut Model, text: &str) -> Vec<Effect> {
    if let Some(search) = model.composer.search.as_mut() {
        let left_out = search.query.paste(text);
        search.find();
        model.left_out(left_out);
        return Vec::new();
    }
    model.composer.editor.paste(text);
    model.composer.changed(model.clock.elapsed_ms);
    // A paste that ends in `@name` opens no list: it was not typed.
    model.composer.list = None;
    Vec::new()
}

/// Follows the engine.
pub fn apply(model: &mut Model, event: &Event) -> Vec<Effect> {
    match &event.kind {
        EventKind::Opened(opened) => {
            let composer = &mut model.composer;
            composer.history.replace(&opened.prompts);
            if let Some(search) = &mut composer.search {
                search.renew(&composer.history);
            }
            composer.files = None;
            composer.list = None;
            composer.aim = None;
            composer.taking_back = None;
            // What is being written when another session opens stays; a journalled draft waits behind Up.
            if composer.editor.is_empty() {
                composer.editor.set_text(&opened.draft);
            } else {
                composer.history.add(&opened.draft);
            }
            Vec::new()
        }
        EventKind::Fetched(Fetched::Files(files)) => {
            model.composer.files = Some(Files::of(files.clone()));
            if model.composer.list.is_some() {
                model.composer.complete();
            }
            Vec::new()
        }
        EventKind::DraftUnstored(true) => {
            let again = model.clock.elapsed_ms.saturating_add(SAVE_AGAIN_MS);
            model.composer.unsaved_since_ms.get_or_insert(again);
            Vec::new()
        }
        EventKind::Queue(queued) => {
            returned::queue_changed(model, event, queued);
            Vec::new()
        }
        EventKind::Recorded(stored) => {
            returned::recorded(model, stored);
            Vec::new()
        }
        EventKind::AgentRemoved => {
            let is_gone = |aim: &Aim| aim.agent == event.agent;
            if model.composer.aim.as_ref().is_some_and(is_gone) {
                model.composer.aim = None;
            }
            Vec::new()
        }
        _ => Vec::new(),
    }
}

/// Takes the mouse over the content: a click puts the cursor there.
pub fn mouse(model: &mut Model, mouse: MouseEvent, area: Rect) -> Vec<Effect> {
    if let MouseEventKind::Down(MouseButton::Left) = mouse.kind {
        view::place_cursor(model, area, mouse.column, mouse.row);
    }
    Vec::new()
}

/// Time has passed: a draft that rests is journalled.
pub fn tick(model: &mut Model) -> Vec<Effect> {
    match next_tick_ms(model) {
        Some(0) => save_draft(model),
        _ => Vec::new(),
    }
}

/// In how many milliseconds [`tick`] has something to do.
pub fn next_tick_ms(model: &Model) -> Option<u64> {
    let due = model.composer.save_due_ms()?;
    Some(due.saturating_sub(model.clock.elapsed_ms))
}

/// Journals what the journal lacks.
pub fn save_draft(model: &mut Model) -> Vec<Effect> {
    if model.composer.unsaved_since_ms.take().is_none() {
        return Vec::new();
    }
    let text = model.composer.editor.text();
    vec![Effect::Send(Command::SaveDraft { text })]
}

fn changed(model: &mut Model) -> Vec<Effect> {
    model.composer.changed(model.clock.elapsed_ms);
    let mut effects = tick(model);
    effects.extend(complete(model));
    effects
}

fn complete(model: &mut Model) -> Vec<Effect> {
    if model.composer.complete() {
        return vec![Effect::Send(Command::Fetch(Fetch::Files))];
    }
    Vec::new()
}

fn walk(model: &mut Model, is_up: bool) -> Vec<Effect> {
    let composer = &mut model.composer;
    let shown = composer.editor.text();
    let found = if is_up {
        composer.history.older(&shown)
    } else {
        composer.history.newer(&shown)
    };
    if let Some(text) = found {
        composer.editor.set_text(&text);
        composer.list = None;
        composer.changed(model.clock.elapsed_ms);
    }
    Vec::new()
}

fn enter(model: &mut Model) -> Vec<Effect> {
    match model.composer.accept_offer() {
        Some(Word::File { .. }) => changed(model),
        // The name of a command is complete: it runs.
        Some(Word::Slash { .. }) | None => submit(model, None),
    }
}

fn tab(model: &mut Model) -> Vec<Effect> {
    if model.composer.list.is_some() {
        return match model.composer.accept_offer() {
            Some(Word::Slash { .. }) => {
                model.composer.editor.insert(" ");
                changed(model)
            }
            Some(Word::File { .. }) => changed(model),
            None => Vec::new(),
        };
    }
    let (agent, _) = target(model, None);
    if model.session.is_agent_busy(&agent) {
        return submit(model, Some(Lane::Queue));
    }
    Vec::new()
}

/// Whom a message would go to now, and how.
pub fn target(model: &Model, lane: Option<Lane>) -> (AgentId, Lane) {
    match &model.composer.aim {
        Some(aim) => (aim.agent.clone(), lane.unwrap_or(aim.lane)),
        None => (model.conversation.shown.clone(), lane.unwrap_or_default()),
    }
}

fn submit(model: &mut Model, lane: Option<Lane>) -> Vec<Effect> {
    let text = model.composer.editor.text();
    let (agent, lane) = target(model, lane);
    let command = match Submission::of(&text) {
        Submission::Nothing => return Vec::new(),
        Submission::Unknown(name) => {
            let notice = Notice::warning(format!("there is no command /{name}"))
                .with_hint("a blank before the slash sends it as words");
            model.notify(notice);
            return Vec::new();
        }
        Submission::Act { line } => {
            let mut effects = sent(model, &text);
            effects.extend(commands::slash(model, &line).unwrap_or_default());
            return effects;
        }
        Submission::Shell { command, shared } => Command::RunShell {
            command,
            shared,
            attended: false,
        },
        Submission::Words(text) => Command::Send { agent, text, lane },
    };
    let is_shown = match &command {
        Command::Send { agent, .. } => *agent == model.conversation.shown,
        _ => model.conversation.shown.is_main(),
    };
    if is_shown {
        conversation::follow(model);
    }
    let mut effects = vec![Effect::Send(command)];
    effects.extend(sent(model, &text));
    effects
}

fn sent(model: &mut Model, text: &str) -> Vec<Effect> {
    let composer = &mut model.composer;
    composer.history.add(text);
    composer.editor.set_text("");
    composer.list = None;
    composer.aim = None;
    composer.unsaved_since_ms = None;
    vec![Effect::Send(Command::SaveDraft {
        text: String::new(),
    })]
}

fn open_paste(model: &mut Model) -> Vec<Effect> {
    if model.composer.editor.open_chip() {
        return changed(model);
    }
    model.notify(Notice::info(
        "no pasted text that fits stands at the cursor",
    ));
    Vec::new()
}

/// One step back: the list, the aim, another agent's transcript, at last the turn.
fn escape(model: &mut Model) -> Vec<Effect> {
    let shown = model.conversation.shown.clone();
    if model.composer.list.take().is_some() || model.composer.aim.take().is_some() {
        return Vec::new();
    }
    if !shown.is_main() {
        return conversation::show(model, AgentId::main());
    }
    // A turn that waits for the person is not ended by a second Esc that was meant for the box or form.
    if requests::waits_for(model, &shown) {
        return Vec::new();
    }
    if commands::can_stop(model) {
        return vec![Effect::Send(Command::Cancel { agent: shown })];
    }
    Vec::new()
}

fn update_search(model: &mut Model, action: Action) -> Option<Vec<Effect>> {
    let search = model.composer.search.as_mut()?;
    match action {
        Action::SearchHistory => search.select(search.selected + 1),
        Action::Escape => model.composer.search = None,
        Action::Send | Action::Queue => {
            let chosen = search.chosen().map(str::to_owned);
            model.composer.search = None;
            if let Some(text) = chosen {
                model.composer.replace(&text);
                model.composer.changed(model.clock.elapsed_ms);
            }
        }
        _ => return None,
    }
    Some(Vec::new())
}

fn input_search(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let Some(search) = model.composer.search.as_mut() else {
        return Vec::new();
    };
    match search.query.input(key, usize::MAX) {
        Edited::AtTop => search.select(search.selected + 1),
        Edited::AtBottom => search.select(search.selected.saturating_sub(1)),
        Edited::Changed => {
            search.selected = 0;
            search.find();
        }
        Edited::Ignored | Edited::Moved => {}
    }
    Vec::new()
}
