//! Pane 5: the scratchpad: names, sizes, ages, origins; notes can be read, written, renamed, copied, deleted.

use crossterm::event::{KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
    text::{Line, Span},
};

use super::{
    composer::chips::size_words,
    prompt::Prompt,
    side_list::{self, Entry},
};
use crate::{
    domain::{
        ids::AgentId,
        notice::Notice,
        scratchpad::{ScratchpadEntry, ScratchpadInfo, ScratchpadOrigin},
    },
    engine::{
        command::{Command, Fetch, ScratchpadEdit},
        event::{Event, EventKind, Fetched},
    },
    text::{figures::counted, sanitize::clean_line, truncate::head, width::pad},
    ui::{
        Effect, Model,
        focus::Pane,
        keymap::{Action, Scope},
        overlays::viewer::{self, Source},
        theme::StyleName,
        widgets::{frame::Title, list::Selection},
    },
};

/// Columns of a size and of an age at the right end.
const SIZE_COLUMNS: usize = 7;
/// From this width on the origin is shown.
const ORIGIN_WIDTH: usize = 38;

/// What the pane remembers.
#[derive(Debug, Default)]
pub struct State {
    /// The selected entry.
    pub selection: Selection,
    /// The text that is asked for, and what it is for.
    pub asked: Option<(Asked, Prompt)>,
    /// The entry whose content was fetched, and what for.
    pub fetching: Option<(Address, Purpose)>,
    /// The entry that the next `delete` deletes.
    pub deleting: Option<Address>,
}

/// Owner and name of an entry.
pub type Address = (AgentId, String);

/// What a text is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// The name of a new entry.
    Name,
    /// The content of this entry.
    Content(Address),
    /// Another name for this entry.
    Rename(Address),
}

/// What a content is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// It is edited.
    Edit,
    /// It goes to the clipboard.
    Copy,
}

/// Takes an action.
pub fn update(model: &mut Model, action: Action) -> Vec<Effect> {
    if model.scratchpad.asked.is_some() {
        return update_prompt(model, action);
    }
    let deleting = model.scratchpad.deleting.take();
    let count = model.session.scratchpad.len();
    let page = side_list::page(model, Pane::Scratchpad);
    if model.scratchpad.selection.update(action, count, page) {
        return Vec::new();
    }
    if action == Action::Add {
        model.scratchpad.asked = Some((Asked::Name, Prompt::line("name of the new note", "")));
        return Vec::new();
    }
    let Some(address) = selected(model) else {
        return Vec::new();
    };
    match action {
        Action::Open => {
            let (agent, name) = address;
            viewer::open(model, name.clone(), Source::Scratchpad(agent, name))
        }
        Action::Edit => fetch(model, address, Purpose::Edit),
        Action::Copy => fetch(model, address, Purpose::Copy),
        Action::Rename => {
            let prompt = Prompt::line("new name", &address.1);
            model.scratchpad.asked = Some((Asked::Rename(address), prompt));
            Vec::new()
        }
        Action::Delete if deleting.as_ref() == Some(&address) => {
            let (agent, name) = address;
            send(agent, ScratchpadEdit::Delete { name })
        }
        Action::Delete => {
            model.scratchpad.deleting = Some(address);
            Vec::new()
        }
        _ => Vec::new(),
    }
}

/// Whether keys type text here now.
pub fn takes_text(model: &Model) -> bool {
    model.scratchpad.asked.is_some()
}

/// Takes a key that means no action.
pub fn input(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let width = model.screen.right_width();
    model.scratchpad.deleting = None;
    if let Some((_, prompt)) = model.scratchpad.asked.as_mut() {
        prompt.input(key, width);
    }
    Vec::new()
}

/// Takes pasted text.
pub fn paste(model: &mut Model, text: &str) -> Vec<Effect> {
    if let Some((_, prompt)) = model.scratchpad.asked.as_mut() {
        let left_out = prompt.editor.paste(text);
        model.left_out(left_out);
    }
    Vec::new()
}

/// Follows the engine.
pub fn apply(model: &mut Model, event: &Event) -> Vec<Effect> {
    match &event.kind {
        EventKind::Opened(_) => {
            model.scratchpad = State::default();
            Vec::new()
        }
        EventKind::Fetched(Fetched::Scratchpad { agent, name, entry }) => {
            fetched(model, (agent, name), entry.as_ref())
        }
        _ => Vec::new(),
    }
}

/// Takes the mouse over the content: a click selects, a second one on the same entry opens it.
pub fn mouse(model: &mut Model, mouse: MouseEvent, area: Rect) -> Vec<Effect> {
    let selected = model.scratchpad.selection.selected;
    match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => {
            let entries = entries(model, area.width);
            let Some(at) = side_list::entry_at(&entries, selected, area, mouse.row) else {
                return Vec::new();
            };
            model.scratchpad.selection.selected = at;
            if at == selected && !takes_text(model) {
                return update(model, Action::Open);
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
    let title = Title::of(Pane::Scratchpad);
    let entries = &model.session.scratchpad;
    if entries.is_empty() {
        return title;
    }
    let bytes: u64 = entries.iter().map(|entry| entry.bytes).sum();
    let count = counted(entries.len(), "entry", "entries");
    title.note(format!("{count} · {}", size_words(bytes as usize)))
}

/// Draws the content.
pub fn view(model: &Model, area: Rect, buffer: &mut Buffer) {
    let asked = model.scratchpad.asked.as_ref().map(|(_, prompt)| prompt);
    let above = Prompt::view_below(asked, model, area, buffer);
    let entries = entries(model, above.width);
    if entries.is_empty() {
        side_list::empty(model, above, "no notes yet", buffer);
        return;
    }
    let selected = model.scratchpad.selection.selected;
    side_list::view(model, Pane::Scratchpad, &entries, selected, above, buffer);
}

/// Where the cursor stands.
pub fn cursor(model: &Model, area: Rect) -> Option<Position> {
    model.scratchpad.asked.as_ref()?.1.cursor(area)
}

pub(super) fn selected(model: &Model) -> Option<Address> {
    let entries = &model.session.scratchpad;
    let last = entries.len().checked_sub(1)?;
    let entry = entries.get(model.scratchpad.selection.selected.min(last))?;
    Some((entry.agent.clone(), entry.name.clone()))
}

fn send(agent: AgentId, edit: ScratchpadEdit) -> Vec<Effect> {
    vec![Effect::Send(Command::EditScratchpad { agent, edit })]
}

fn fetch(model: &mut Model, address: Address, purpose: Purpose) -> Vec<Effect> {
    let (agent, name) = address.clone();
    model.scratchpad.fetching = Some((address, purpose));
    vec![Effect::Send(Command::Fetch(Fetch::Scratchpad {
        agent,
        name,
    }))]
}

fn fetched(
    model: &mut Model,
    of: (&AgentId, &String),
    entry: Option<&ScratchpadEntry>,
) -> Vec<Effect> {
    let is_wanted = |(address, _): &mut (Address, Purpose)| of == (&address.0, &address.1);
    let Some((address, purpose)) = model.scratchpad.fetching.take_if(is_wanted) else {
        return Vec::new();
    };
    let Some(entry) = entry else {
        model.notify(Notice::warning(format!(
            "{} is gone",
            clean_line(&address.1)
        )));
        return Vec::new();
    };
    match purpose {
        Purpose::Copy => vec![Effect::Copy(entry.content.clone())],
        Purpose::Edit => {
            let prompt = Prompt::text(content_label(model, &address.1), &entry.content);
            model.scratchpad.asked = Some((Asked::Content(address), prompt));
            Vec::new()
        }
    }
}

fn content_label(model: &Model, name: &str) -> String {
    let name = clean_line(name);
    match model.keymap.key(Scope::Field, Action::Open) {
        Some(key) => format!("{name} · {key} saves"),
        None => name.into_owned(),
    }
}

fn update_prompt(model: &mut Model, action: Action) -> Vec<Effect> {
    match action {
        Action::Back => model.scratchpad.asked = None,
        Action::NewLine => {
            if let Some((_, prompt)) = model.scratchpad.asked.as_mut() {
                prompt.editor.newline();
            }
        }
        Action::Open => return accept(model),
        _ => {}
    }
    Vec::new()
}

fn accept(model: &mut Model) -> Vec<Effect> {
    let Some((asked, prompt)) = model.scratchpad.asked.take() else {
        return Vec::new();
    };
    match asked {
        Asked::Content((agent, name)) => {
            let content = prompt.editor.text();
            send(agent, ScratchpadEdit::Write { name, content })
        }
        Asked::Name => match free_name(model, &prompt) {
            Ok(name) => {
                let label = content_label(model, &name);
                let address = (model.conversation.shown.clone(), name);
                model.scratchpad.asked = Some((Asked::Content(address), Prompt::text(label, "")));
                Vec::new()
            }
            Err(problem) => refuse(model, (Asked::Name, prompt), problem),
        },
        Asked::Rename((agent, name)) => match free_name(model, &prompt) {
            Ok(to) => send(agent, ScratchpadEdit::Rename { name, to }),
            Err(problem) => refuse(model, (Asked::Rename((agent, name)), prompt), problem),
        },
    }
}

fn free_name(model: &Model, prompt: &Prompt) -> Result<String, &'static str> {
    let name = prompt.words().ok_or("a note needs a name")?;
    let is_taken = model
        .session
        .scratchpad
        .iter()
        .any(|entry| entry.name == name && entry.agent == model.conversation.shown);
    if is_taken {
        return Err("there is a note of this name");
    }
    Ok(name)
}

fn refuse(model: &mut Model, asked: (Asked, Prompt), problem: &'static str) -> Vec<Effect> {
    model.notify(Notice::warning(problem));
    model.scratchpad.asked = Some(asked);
    Vec::new()
}

fn entries(model: &Model, width: u16) -> Vec<Entry> {
    model
        .session
        .scratchpad
        .iter()
        .map(|info| entry(model, info, usize::from(width)))
        .collect()
}

fn entry(model: &Model, info: &ScratchpadInfo, width: usize) -> Entry {
    let name = if info.agent.is_main() {
        clean_line(&info.name).into_owned()
    } else {
        format!(
            "{}/{}",
            clean_line(info.agent.as_str()),
            clean_line(&info.name)
        )
    };
    let address = (info.agent.clone(), info.name.clone());
    if model.scratchpad.deleting == Some(address) {
        let key = model.keymap.key(Scope::Scratchpad, Action::Delete);
        let words = format!("{} again deletes {name}", key.unwrap_or_default());
        let line = Line::styled(words, model.style(StyleName::Warn));
        return Entry {
            rows: vec![line],
            right: String::new(),
        };
    }
    let age = age_words(&model.clock.age(info.updated_ms));
    let size = size_words(info.bytes as usize);
    let right = format!("{size:>SIZE_COLUMNS$}  {age:>SIZE_COLUMNS$}");
    let room = width.saturating_sub(right.len() + 1);
    let mut spans = Vec::new();
    let is_wide = width >= ORIGIN_WIDTH;
    let name_room = if is_wide {
        room.saturating_sub(8)
    } else {
        room
    };
    let name = pad(&head(&name, name_room), name_room).into_owned();
    spans.push(Span::styled(name, model.style(StyleName::Text)));
    if is_wide {
        let origin = format!(" {}", origin_words(&info.origin));
        spans.push(Span::styled(origin, model.style(StyleName::Faint)));
    }
    Entry {
        rows: vec![Line::from(spans)],
        right,
    }
}

fn age_words(age: &str) -> String {
    if age == "now" {
        return age.to_owned();
    }
    format!("{age} ago")
}

fn origin_words(origin: &ScratchpadOrigin) -> &'static str {
    match origin {
        ScratchpadOrigin::Agent => "agent",
        ScratchpadOrigin::Spill { .. } => "output",
        ScratchpadOrigin::Person => "you",
        ScratchpadOrigin::Inherited => "lent",
    }
}
