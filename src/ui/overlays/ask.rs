//! One question of the program itself with a few answers: trust this folder? leave while something runs?
//! The answer that changes nothing is selected, so a stray Enter does no harm.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
};

use super::{Overlay, surface, trust_words};
use crate::{
    domain::{ids::AgentId, notice::Notice, permission::Level},
    engine::command::{Command, Setting},
    text::{
        sanitize::clean_line,
        truncate::{floor_boundary, head},
        wrap::wrap,
    },
    ui::{
        Effect, Model, commands,
        keymap::Action,
        panes::requests::gate::Gate,
        theme::StyleName,
        view,
        widgets::{
            frame::Title,
            list::Selection,
            scrollbar::{self, Extent},
            text::put,
        },
    },
};

/// Columns of the box.
const WIDTH: u16 = 66;
/// So many texts that leaving would lose are named, each by so many columns of its first line.
const MOST_LOST: usize = 3;
const LOST_COLUMNS: usize = 48;
const LONGEST_LINE: usize = 1_024;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Whether the folder is trusted.
    Trust,
    /// Whether the folder is no longer trusted.
    Distrust,
    /// Whether agents may do everything that the person may.
    Unrestrict,
    /// Whether to leave although something runs.
    Quit,
}

/// The question and the selected answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// What is asked.
    pub subject: Subject,
    selection: Selection,
    /// The first row of the words, where they do not all fit.
    top: usize,
    /// When a key may answer, as with approvals.
    pub(super) gate: Gate,
}

impl State {
    /// Asks.
    pub fn new(subject: Subject) -> Self {
        Self {
            subject,
            selection: Selection::default(),
            top: 0,
            gate: Gate::default(),
        }
    }

    fn answers(&self, model: &Model) -> Vec<(char, &'static str)> {
        match self.subject {
            Subject::Trust => vec![
                ('n', "not now: work at level read"),
                ('t', "trust this folder"),
            ],
            Subject::Distrust => vec![('k', "keep trusting it"), ('s', "stop trusting it")],
            Subject::Unrestrict => vec![('k', "keep level workspace"), ('u', "unrestricted")],
            Subject::Quit if lost(model).is_empty() => {
                vec![('s', "stay"), ('l', "leave and stop everything")]
            }
            Subject::Quit => vec![
                ('s', "stay"),
                ('l', "leave and lose it"),
                ('c', "copy it to the clipboard, and stay"),
            ],
        }
    }

    fn words(&self, model: &Model) -> Vec<String> {
        match self.subject {
            Subject::Trust => trust_words::words(model),
            Subject::Distrust => vec![
                "You trust this folder. When you stop, the session only reads from now on, and the folder's own \
                 configuration is not loaded."
                    .to_owned(),
            ],
            Subject::Unrestrict => vec![
                "At level unrestricted no sandbox holds commands, and files are read and written wherever your account \
                 may. The floor, your rules and the mode still hold."
                    .to_owned(),
            ],
            Subject::Quit => leaving(model),
        }
    }
}

/// What leaving now would lose: whole texts, the oldest first.
fn lost(model: &Model) -> Vec<String> {
    let session = &model.session;
    let mut lost: Vec<String> = session.unstored.texts().map(str::to_owned).collect();
    let draft = model.composer.editor.text();
    if session.unstored.has_draft && !draft.is_empty() {
        lost.push(draft);
    }
    // What waits to be sent is kept where nothing is stored now.
    if !lost.is_empty() {
        let queue = session.queue.get(&AgentId::main());
        lost.extend(
            queue
                .into_iter()
                .flatten()
                .map(|queued| queued.text.clone()),
        );
    }
    lost
}

/// What leaving stops, and what it keeps or loses.
fn leaving(model: &Model) -> Vec<String> {
    let running = if model.session.is_busy() {
        "Something still runs. Leaving stops it: agents, commands, requests. "
    } else {
        ""
    };
    let lost = lost(model);
    if !lost.is_empty() {
        let mut words = vec![format!(
            "{running}This is not stored, and lost when you leave now:"
        )];
        words.extend(
            lost.iter()
                .take(MOST_LOST)
                .map(|text| format!("· {}", begin_of(text))),
        );
        let more = lost.len().saturating_sub(MOST_LOST);
        words.extend((more > 0).then(|| format!("· and {more} more")));
        words.push(
            "Free space where the sessions are stored, or make it writable, and it is stored by itself; `c` takes a \
             copy of all of it."
                .to_owned(),
        );
        return words;
    }
    let waiting = match model.session.unsent() {
        0 => String::new(),
        1 => "One message was not sent: it is kept in the draft. ".to_owned(),
        more => format!("{more} messages were not sent: they are kept in the draft. "),
    };
    vec![format!(
        "{running}{waiting}The conversation is stored and can be resumed."
    )]
}

/// The beginning of a text, on one line.
fn begin_of(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    let line = line.get(..floor_boundary(line, LONGEST_LINE.min(line.len())));
    head(&clean_line(line.unwrap_or_default()), LOST_COLUMNS).into_owned()
}

/// Takes an action.
pub fn update(model: &mut Model, state: &mut State, action: Action) -> Option<Vec<Effect>> {
    if action == Action::Open {
        let enter = KeyEvent::from(KeyCode::Enter);
        let admitted = state.gate.admits(enter, model.clock.elapsed_ms);
        return admitted.then(|| answer(model, state, state.selection.selected));
    }
    let by = match action {
        Action::PageDown => 1,
        Action::PageUp => -1,
        _ => 0,
    };
    if by != 0 {
        scroll(model, state, by);
        return None;
    }
    state
        .selection
        .update(action, state.answers(model).len(), 1);
    None
}

/// Takes a key: the letter of an answer, if it may answer.
pub fn input(model: &mut Model, state: &mut State, key: KeyEvent) -> Option<Vec<Effect>> {
    let letter = match key.code {
        KeyCode::Char(letter) if (key.modifiers - KeyModifiers::SHIFT).is_empty() => letter,
        KeyCode::Up | KeyCode::Left => return update(model, state, Action::Up),
        KeyCode::Down | KeyCode::Right => return update(model, state, Action::Down),
        KeyCode::PageUp => return update(model, state, Action::PageUp),
        KeyCode::PageDown => return update(model, state, Action::PageDown),
        _ => return None,
    };
    let place = state
        .answers(model)
        .iter()
        .position(|(known, _)| *known == letter.to_ascii_lowercase());
    match place {
        Some(place) if state.gate.admits(key, model.clock.elapsed_ms) => {
            Some(answer(model, state, place))
        }
        _ => {
            state.gate.note(key, model.clock.elapsed_ms);
            None
        }
    }
}

/// Takes the mouse: a click on an answer.
pub fn mouse(
    model: &mut Model,
    state: &mut State,
    mouse: MouseEvent,
    body: Rect,
) -> Option<Vec<Effect>> {
    match mouse.kind {
        MouseEventKind::ScrollUp => scroll(model, state, -1),
        MouseEventKind::ScrollDown => scroll(model, state, 1),
        MouseEventKind::Down(MouseButton::Left) => return click(model, state, mouse, body),
        _ => {}
    }
    None
}

fn click(model: &mut Model, state: &State, mouse: MouseEvent, body: Rect) -> Option<Vec<Effect>> {
    let area = outer(model, state, body);
    let answers = state.answers(model).len();
    let first = area.bottom().saturating_sub(answers as u16 + 1);
    let place = usize::from(mouse.row.checked_sub(first)?);
    let is_hit = place < answers && area.contains((mouse.column, mouse.row).into());
    let is_seen = state.gate.is_armed(model.clock.elapsed_ms);
    (is_hit && is_seen).then(|| answer(model, state, place))
}

/// A question was left without an answer: nothing is decided, and what waited for the decision goes on.
pub fn left(model: &mut Model, closed: &Overlay) {
    let is_trust = matches!(closed, Overlay::Ask(state) if state.subject == Subject::Trust);
    if is_trust && !model.session.settings.as_ref().is_some_and(|s| s.trusted) {
        let notice = Notice::info("not trusted for now: the session only reads");
        model.notify(notice.with_hint("/trust asks again"));
    }
    commands::welcome(model);
}

fn answer(model: &mut Model, state: &State, place: usize) -> Vec<Effect> {
    match (state.subject, place) {
        (Subject::Trust, 1) => vec![Effect::Send(Command::Configure(Setting::Trust(true)))],
        (Subject::Trust, _) => {
            vec![Effect::Send(Command::Configure(Setting::Trust(false)))]
        }
        (Subject::Distrust, 1) => vec![Effect::Send(Command::Configure(Setting::Trust(false)))],
        (Subject::Quit, 1) => vec![Effect::Send(Command::Shutdown)],
        (Subject::Quit, 2) => vec![Effect::Copy(lost(model).join("\n\n"))],
        (Subject::Unrestrict, 1) => {
            let level = Setting::Level(Level::Unrestricted);
            vec![Effect::Send(Command::Configure(level))]
        }
        (Subject::Distrust | Subject::Unrestrict | Subject::Quit, _) => Vec::new(),
    }
}

/// Shows earlier or later rows of the words; `by` is one screen of them.
fn scroll(model: &Model, state: &mut State, by: isize) {
    let body = view::body(&view::layout(model), model);
    let area = outer(model, state, body);
    let answers = state.answers(model).len() as u16;
    let height = usize::from(area.height.saturating_sub(answers + 2)).max(1);
    let lines = lines(model, state, area.width.saturating_sub(4), body).len();
    let step = by * height.saturating_sub(1).max(1) as isize;
    state.top = state
        .top
        .saturating_add_signed(step)
        .min(lines.saturating_sub(height));
}

/// The rows of the words; blank ones give way where there is little room.
fn lines(model: &Model, state: &State, width: u16, body: Rect) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in state.words(model) {
        let rows = wrap(&paragraph, usize::from(width));
        if rows.is_empty() {
            lines.push(String::new());
        }
        lines.extend(rows.iter().map(|row| row.of(&paragraph).to_owned()));
    }
    if lines.len() + state.answers(model).len() + 2 > usize::from(body.height) {
        lines.retain(|line| !line.is_empty());
    }
    lines
}

fn outer(model: &Model, state: &State, body: Rect) -> Rect {
    let width = WIDTH.min(body.width);
    let lines = lines(model, state, width.saturating_sub(4), body).len() as u16;
    let answers = state.answers(model).len() as u16;
    surface::centred(body, width, lines + answers + 3)
}

/// Draws the question.
pub fn view(model: &Model, state: &State, body: Rect, buffer: &mut Buffer) -> Option<Position> {
    let name = match state.subject {
        Subject::Trust => "Trust this folder?",
        Subject::Distrust => "Stop trusting this folder?",
        Subject::Unrestrict => "Lift every bound?",
        Subject::Quit => "Leave?",
    };
    let area = outer(model, state, body);
    let inside = surface::open(model, area, &Title::named(name), buffer);
    if inside.is_empty() {
        return None;
    }
    let answers = state.answers(model);
    let text_end = inside
        .bottom()
        .saturating_sub(answers.len() as u16)
        .max(inside.y);
    let lines = lines(model, state, inside.width, body);
    let height = usize::from(text_end - inside.y);
    let first = state.top.min(lines.len().saturating_sub(height));
    for (y, line) in (inside.y..text_end).zip(lines.iter().skip(first)) {
        let style = model.style(StyleName::Text);
        put(buffer, inside.x, y, inside.width, line, style);
    }
    let extent = Extent {
        first,
        shown: height,
        total: lines.len(),
    };
    let bar = Rect::new(area.right().saturating_sub(1), inside.y, 1, height as u16);
    scrollbar::view(extent, bar, buffer, model.style(StyleName::BorderFocused));
    if first + height < lines.len() && area.height > 2 {
        let more = format!(" ↓ {} more · PgDn ", lines.len() - first - height);
        let columns = crate::text::width::columns(&more) as u16;
        let x = area.right().saturating_sub(columns + 1).max(area.x + 1);
        let room = area.right().saturating_sub(x + 1);
        let style = model.style(StyleName::Warn);
        put(buffer, x, area.bottom() - 1, room, &more, style);
    }
    for (place, (letter, words)) in answers.iter().enumerate() {
        let y = text_end + place as u16;
        if y >= inside.bottom() {
            break;
        }
        let key = letter.to_string();
        let used = put(
            buffer,
            inside.x,
            y,
            inside.width,
            &key,
            model.style(StyleName::Key),
        );
        let x = inside.x + used + 2;
        let room = inside.right().saturating_sub(x);
        put(buffer, x, y, room, words, model.style(StyleName::Text));
        if place == state.selection.selected {
            let row = Rect::new(inside.x - 1, y, inside.width + 2, 1);
            buffer.set_style(
                row.intersection(buffer.area),
                model.style(StyleName::Selection),
            );
        }
    }
    None
}
