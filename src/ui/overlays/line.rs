//! One line to fill in: the title of the session.

use crossterm::event::KeyEvent;
use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
};

use super::surface;
use crate::{
    engine::command::{Command, SessionCommand},
    ui::{
        Effect, Model,
        theme::StyleName,
        widgets::{field::Field, frame::Title},
    },
};

/// The line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    field: Field,
}

impl State {
    /// The session's present title to change.
    pub fn title(model: &Model) -> Self {
        let title = model.session.info.as_ref().map(|info| info.title.clone());
        Self {
            field: Field::new(title.unwrap_or_default()),
        }
    }

    /// Takes a key.
    pub fn input(&mut self, key: KeyEvent) {
        self.field.input(key);
    }

    /// Takes pasted text.
    pub fn paste(&mut self, text: &str) -> usize {
        self.field.insert(text)
    }

    /// What follows from accepting it.
    pub fn accept(&self) -> Vec<Effect> {
        match self.field.text().trim() {
            "" => Vec::new(),
            title => {
                let title = SessionCommand::Title(title.to_owned());
                vec![Effect::Send(Command::Session(title))]
            }
        }
    }
}

/// Draws the line and returns where the cursor stands.
pub fn view(model: &Model, state: &State, body: Rect, buffer: &mut Buffer) -> Option<Position> {
    let area = surface::centred(body, 60, 3);
    let inside = surface::open(model, area, &Title::named("Title of this session"), buffer);
    if inside.is_empty() {
        return None;
    }
    state
        .field
        .view(inside, buffer, model.style(StyleName::Text));
    let column = state.field.cursor_column(inside.width);
    Some(Position::new(
        inside.x + column.min(inside.width - 1),
        inside.y,
    ))
}
