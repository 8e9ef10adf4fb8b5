//! Pane 4: the shown agent's checklist; the person may change it, and the agent is told at its next step.

use crossterm::event::{KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
    text::{Line, Span},
};

use super::{
    agents, goal,
    prompt::Prompt,
    side_list::{self, Entry},
};
use crate::{
    domain::{
        checklist::{Checklist, Item, ItemChange, ItemStatus},
        goal::Goal,
        ids::AgentId,
        notice::Notice,
    },
    engine::{
        command::{Command, PersonChecklistEdit},
        event::{Event, EventKind},
    },
    text::{figures::counted, sanitize::clean_line, wrap::wrap},
    ui::{
        Effect, Model,
        focus::Pane,
        keymap::Action,
        theme::StyleName,
        widgets::{frame::Title, list::Selection},
    },
};

/// What the pane remembers.
#[derive(Debug, Default)]
pub struct State {
    /// The selected item.
    pub selection: Selection,
    /// The text that is asked for, and what it is for: it stays for that agent whoever is looked at meanwhile.
    pub asked: Option<(For, Prompt)>,
    /// What the main agent's list leads to.
    pub goal: Option<Goal>,
}

/// What a text is for, and in whose checklist.
pub type For = (AgentId, Asked);

/// What a text is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// The words of a new item.
    New,
    /// Other words for this item.
    Words(u32),
    /// Why this item is put off.
    Defer(u32),
    /// Why this item is given up.
    GiveUp(u32),
}

/// Takes an action.
pub fn update(model: &mut Model, action: Action) -> Vec<Effect> {
    if model.checklist.asked.is_some() {
        return update_prompt(model, action);
    }
    let count = list(model).items.len();
    let page = side_list::page(model, Pane::Checklist);
    if model.checklist.selection.update(action, count, page) {
        return Vec::new();
    }
    if action == Action::Add {
        ask(model, Asked::New, Prompt::line("new item", ""));
        return Vec::new();
    }
    let Some(item) = selected(model) else {
        return Vec::new();
    };
    match action {
        Action::Toggle => tick(model, &item),
        Action::Edit | Action::Open => {
            let prompt = Prompt::line("edit", &item.text);
            ask(model, Asked::Words(item.id), prompt);
            Vec::new()
        }
        Action::Defer => {
            ask(
                model,
                Asked::Defer(item.id),
                Prompt::line("put off until", ""),
            );
            Vec::new()
        }
        Action::GiveUp => {
            ask(
                model,
                Asked::GiveUp(item.id),
                Prompt::line("give up because", ""),
            );
            Vec::new()
        }
        Action::MoveUp => shift(model, &item, -1),
        Action::MoveDown => shift(model, &item, 1),
        Action::Copy => vec![Effect::Copy(item.text)],
        _ => Vec::new(),
    }
}

/// Whether keys type text here now.
pub fn takes_text(model: &Model) -> bool {
    model.checklist.asked.is_some()
}

/// Takes a key that means no action.
pub fn input(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let width = model.screen.right_width();
    if let Some((_, prompt)) = model.checklist.asked.as_mut() {
        prompt.input(key, width);
    }
    Vec::new()
}

/// Takes pasted text.
pub fn paste(model: &mut Model, text: &str) -> Vec<Effect> {
    if let Some((_, prompt)) = model.checklist.asked.as_mut() {
        let left_out = prompt.editor.paste(text);
        model.left_out(left_out);
    }
    Vec::new()
}

/// Follows the engine.
pub fn apply(model: &mut Model, event: &Event) -> Vec<Effect> {
    if let EventKind::Opened(_) = event.kind {
        model.checklist = State::default();
    }
    goal::apply(&mut model.checklist.goal, event);
    Vec::new()
}

/// Takes the mouse over the content: a click selects.
pub fn mouse(model: &mut Model, mouse: MouseEvent, area: Rect) -> Vec<Effect> {
    let selected = model.checklist.selection.selected;
    match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => {
            let entries = entries(model, area.width);
            if let Some(at) = side_list::entry_at(&entries, selected, area, mouse.row) {
                model.checklist.selection.selected = at;
            }
            Vec::new()
        }
        MouseEventKind::ScrollUp => update(model, Action::Up),
        MouseEventKind::ScrollDown => update(model, Action::Down),
        _ => Vec::new(),
    }
}

/// What stands in the upper border.
pub fn title(model: &Model) -> Title {
    let title = agents::titled(model, Pane::Checklist);
    let list = list(model);
    let wanted = list
        .items
        .iter()
        .filter(|item| item.status != ItemStatus::Canceled)
        .count();
    if wanted == 0 {
        return title;
    }
    let title = title.note(format!("{} of {wanted}", list.completed_count()));
    match nudges(model) {
        0 => title,
        count => title.right(counted(count as usize, "nudge", "nudges")),
    }
}

/// Draws the content.
pub fn view(model: &Model, area: Rect, buffer: &mut Buffer) {
    let asked = model.checklist.asked.as_ref().map(|(_, prompt)| prompt);
    let above = Prompt::view_below(asked, model, area, buffer);
    let entries = entries(model, above.width);
    if entries.is_empty() {
        side_list::empty(model, above, "nothing planned yet", buffer);
        return;
    }
    let selected = model.checklist.selection.selected;
    side_list::view(model, Pane::Checklist, &entries, selected, above, buffer);
}

/// Where the cursor stands.
pub fn cursor(model: &Model, area: Rect) -> Option<Position> {
    model.checklist.asked.as_ref()?.1.cursor(area)
}

pub(super) fn list(model: &Model) -> &Checklist {
    static EMPTY: Checklist = Checklist {
        items: Vec::new(),
        last_id: 0,
    };
    model
        .session
        .checklists
        .get(&model.conversation.shown)
        .map_or(&EMPTY, |agent| &agent.list)
}

fn nudges(model: &Model) -> u32 {
    model
        .session
        .checklists
        .get(&model.conversation.shown)
        .map_or(0, |agent| agent.nudges)
}

fn selected(model: &Model) -> Option<Item> {
    let items = &list(model).items;
    let last = items.len().checked_sub(1)?;
    items
        .get(model.checklist.selection.selected.min(last))
        .cloned()
}

fn ask(model: &mut Model, asked: Asked, prompt: Prompt) {
    let agent = model.conversation.shown.clone();
    model.checklist.asked = Some(((agent, asked), prompt));
}

fn send(agent: AgentId, edit: PersonChecklistEdit) -> Vec<Effect> {
    vec![Effect::Send(Command::EditChecklist { agent, edit })]
}

fn change(agent: AgentId, id: u32, change: ItemChange) -> Vec<Effect> {
    send(agent, PersonChecklistEdit::Change { id, change })
}

fn tick(model: &mut Model, item: &Item) -> Vec<Effect> {
    let status = match item.status {
        ItemStatus::Completed => ItemStatus::Pending,
        _ => ItemStatus::Completed,
    };
    let to = ItemChange {
        status: Some(status),
        ..ItemChange::default()
    };
    change(model.conversation.shown.clone(), item.id, to)
}

fn shift(model: &mut Model, item: &Item, by: i32) -> Vec<Effect> {
    let last = list(model).items.len().saturating_sub(1);
    let at = model.checklist.selection.selected.min(last);
    let Some(target) = at.checked_add_signed(by as isize).filter(|to| *to <= last) else {
        return Vec::new();
    };
    model.checklist.selection.selected = target;
    let agent = model.conversation.shown.clone();
    send(agent, PersonChecklistEdit::Move { id: item.id, by })
}

fn update_prompt(model: &mut Model, action: Action) -> Vec<Effect> {
    match action {
        Action::Back => model.checklist.asked = None,
        Action::Open => return accept(model),
        _ => {}
    }
    Vec::new()
}

fn accept(model: &mut Model) -> Vec<Effect> {
    let Some(((agent, asked), prompt)) = model.checklist.asked.take() else {
        return Vec::new();
    };
    let Some(words) = prompt.words() else {
        let missing = match asked {
            Asked::New | Asked::Words(_) => "an item needs words",
            Asked::Defer(_) | Asked::GiveUp(_) => "the agent needs a reason",
        };
        model.notify(Notice::warning(missing));
        model.checklist.asked = Some(((agent, asked), prompt));
        return Vec::new();
    };
    let with_reason = |status| ItemChange {
        status: Some(status),
        reason: Some(words.clone()),
        text: None,
    };
    match asked {
        Asked::New => {
            if agent == model.conversation.shown {
                model.checklist.selection.selected = list(model).items.len();
            }
            let status = ItemStatus::Pending;
            send(
                agent,
                PersonChecklistEdit::Add {
                    text: words,
                    status,
                },
            )
        }
        Asked::Words(id) => {
            let text = Some(words);
            let to = ItemChange {
                text,
                ..ItemChange::default()
            };
            change(agent, id, to)
        }
        Asked::Defer(id) => change(agent, id, with_reason(ItemStatus::Deferred)),
        Asked::GiveUp(id) => change(agent, id, with_reason(ItemStatus::Canceled)),
    }
}

fn entries(model: &Model, width: u16) -> Vec<Entry> {
    list(model)
        .items
        .iter()
        .map(|item| entry(model, item, usize::from(width)))
        .collect()
}

fn entry(model: &Model, item: &Item, width: usize) -> Entry {
    let (glyph, glyph_style, style) = match item.status {
        ItemStatus::Completed => ("✓", StyleName::Good, StyleName::Dim),
        ItemStatus::InProgress => ("▶", StyleName::Accent, StyleName::Strong),
        ItemStatus::Pending => ("○", StyleName::Dim, StyleName::Text),
        ItemStatus::Deferred => ("◌", StyleName::Warn, StyleName::Dim),
        ItemStatus::Canceled => ("✗", StyleName::Dim, StyleName::Faint),
    };
    let words = match &item.reason {
        Some(reason) => format!("{} ({})", clean_line(&item.text), clean_line(reason)),
        None => clean_line(&item.text).into_owned(),
    };
    let rows = wrap(&words, width.saturating_sub(2).max(1))
        .iter()
        .enumerate()
        .map(|(number, row)| {
            let lead = if number == 0 { glyph } else { " " };
            Line::from(vec![
                Span::styled(format!("{lead} "), model.style(glyph_style)),
                Span::styled(row.of(&words).to_owned(), model.style(style)),
            ])
        })
        .collect();
    Entry {
        rows,
        right: String::new(),
    }
}
