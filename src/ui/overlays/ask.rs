//! One question of the program itself with a few answers: trust this folder? leave while something runs?
//! The answer that changes nothing is selected, so a stray Enter does no harm.

use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
};

use super::surface;
use crate::{
    engine::command::{Command, Setting},
    text::wrap::wrap,
    ui::{
        Effect, Model,
        keymap::Action,
        theme::StyleName,
        widgets::{frame::Title, list::Selection, text::put},
    },
};

/// Columns of the box.
const WIDTH: u16 = 66;
/// How long the question must have been seen before a key answers it, as with approvals.
const SEEN_MS: u64 = 300;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Whether the folder is trusted.
    Trust,
    /// Whether to leave although something runs.
    Quit,
}

/// The question and the selected answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// What is asked.
    pub subject: Subject,
    selection: Selection,
    since_ms: u64,
}

impl State {
    /// Asks now.
    pub fn new(subject: Subject, elapsed_ms: u64) -> Self {
        Self {
            subject,
            selection: Selection::default(),
            since_ms: elapsed_ms,
        }
    }

    fn answers(&self) -> [(char, &'static str); 2] {
        match self.subject {
            Subject::Trust => [
                ('n', "not now: work at level read"),
                ('t', "trust this folder"),
            ],
            Subject::Quit => [('s', "stay"), ('l', "leave and stop everything")],
        }
    }

    fn words(&self, model: &Model) -> Vec<String> {
        match self.subject {
            Subject::Trust => {
                let folder = model.session.info.as_ref().map(|info| {
                    crate::text::sanitize::clean_line(&info.cwd.to_string_lossy()).into_owned()
                });
                vec![
                    folder.unwrap_or_default(),
                    String::new(),
                    "You have not worked in this folder before. Files in it can tell the agent what to do. \
                     Until you trust it, the session only reads, and the project's own configuration is not loaded."
                        .to_owned(),
                ]
            }
            Subject::Quit => vec![
                "Something still runs. Leaving stops it: agents, commands, requests. \
                 The conversation is stored and can be resumed."
                    .to_owned(),
            ],
        }
    }
}

/// Takes an action.
pub fn update(model: &mut Model, state: &mut State, action: Action) -> Option<Vec<Effect>> {
    if action == Action::Open {
        return answer(model, state, state.selection.selected);
    }
    state.selection.update(action, 2, 1);
    None
}

/// Takes a key: the letter of an answer.
pub fn input(model: &mut Model, state: &mut State, key: KeyEvent) -> Option<Vec<Effect>> {
    let letter = match key.code {
        KeyCode::Char(letter) => letter,
        KeyCode::Up | KeyCode::Left => return update(model, state, Action::Up),
        KeyCode::Down | KeyCode::Right => return update(model, state, Action::Down),
        _ => return None,
    };
    let place = state
        .answers()
        .iter()
        .position(|(known, _)| *known == letter.to_ascii_lowercase())?;
    answer(model, state, place)
}

/// Takes the mouse: a click on an answer.
pub fn mouse(
    model: &mut Model,
    state: &mut State,
    mouse: MouseEvent,
    body: Rect,
) -> Option<Vec<Effect>> {
    if mouse.kind != MouseEventKind::Down(MouseButton::Left) {
        return None;
    }
    let area = outer(model, state, body);
    let first = area.bottom().saturating_sub(3);
    let place = usize::from(mouse.row.checked_sub(first)?);
    (place < 2 && area.contains((mouse.column, mouse.row).into()))
        .then(|| answer(model, state, place))?
}

/// `None` when it is too early: the question was not seen yet.
fn answer(model: &mut Model, state: &State, place: usize) -> Option<Vec<Effect>> {
    if model.clock.elapsed_ms.saturating_sub(state.since_ms) < SEEN_MS {
        return None;
    }
    model.overlay = None;
    Some(match (state.subject, place) {
        (Subject::Trust, 1) => vec![Effect::Send(Command::Configure(Setting::Trust(true)))],
        (Subject::Trust, _) => {
            model.session.asks_trust = false;
            vec![Effect::Send(Command::Configure(Setting::Trust(false)))]
        }
        (Subject::Quit, 1) => vec![Effect::Send(Command::Shutdown)],
        (Subject::Quit, _) => Vec::new(),
    })
}

fn lines(model: &Model, state: &State, width: u16) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in state.words(model) {
        let rows = wrap(&paragraph, usize::from(width));
        if rows.is_empty() {
            lines.push(String::new());
        }
        lines.extend(rows.iter().map(|row| row.of(&paragraph).to_owned()));
    }
    lines
}

fn outer(model: &Model, state: &State, body: Rect) -> Rect {
    let width = WIDTH.min(body.width);
    let lines = lines(model, state, width.saturating_sub(4)).len() as u16;
    surface::centred(body, width, lines + 5)
}

/// Draws the question.
pub fn view(model: &Model, state: &State, body: Rect, buffer: &mut Buffer) -> Option<Position> {
    let name = match state.subject {
        Subject::Trust => "Trust this folder?",
        Subject::Quit => "Leave?",
    };
    let area = outer(model, state, body);
    let inside = surface::open(model, area, &Title::named(name), buffer);
    if inside.is_empty() {
        return None;
    }
    let text_end = inside.bottom().saturating_sub(2);
    let lines = lines(model, state, inside.width);
    for (y, line) in (inside.y..text_end).zip(&lines) {
        put(
            buffer,
            inside.x,
            y,
            inside.width,
            line,
            model.style(StyleName::Text),
        );
    }
    for (place, (letter, words)) in state.answers().iter().enumerate() {
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
