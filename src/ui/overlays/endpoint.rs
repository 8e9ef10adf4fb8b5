//! A form for a profile of one's own: name, address, model, and the variable that holds the key.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
};

use super::surface;
use crate::{
    engine::{
        command::{Command, SessionCommand},
        event::ProfileOffer,
    },
    ui::{
        Effect, Model,
        theme::StyleName,
        widgets::{field::Field, frame::Title, text::put},
    },
};

const LABELS: [(&str, &str); 4] = [
    ("name", "how you will call it: local"),
    ("address", "http://127.0.0.1:8080/v1"),
    ("model", "the provider's name for it"),
    ("key", "variable that holds the key; empty for none"),
];
const LABEL_COLUMNS: u16 = 9;

/// The fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    fields: [Field; 4],
    at: usize,
    /// What is wrong with it.
    wrong: Option<&'static str>,
}

impl State {
    /// What is known already is filled in; the first open field has the cursor.
    pub fn of(offer: &ProfileOffer) -> Self {
        let key = offer.api_key_env.clone().unwrap_or_default();
        let fields = [
            offer.name.clone(),
            offer.base_url.clone(),
            offer.model_id.clone(),
            key,
        ]
        .map(Field::new);
        let at = fields.iter().position(Field::is_empty).unwrap_or(0);
        Self {
            fields,
            at,
            wrong: None,
        }
    }

    /// Takes a key.
    pub fn input(&mut self, key: KeyEvent) {
        match key.code {
            KeyCode::Down => self.turn(1),
            KeyCode::Up => self.turn(3),
            _ => {
                if let Some(field) = self.fields.get_mut(self.at) {
                    field.input(key);
                }
                self.wrong = None;
            }
        }
    }

    /// Takes pasted text.
    pub fn paste(&mut self, text: &str) {
        if let Some(field) = self.fields.get_mut(self.at) {
            field.insert(text.trim());
        }
    }

    /// Goes to another field.
    pub fn turn(&mut self, by: usize) {
        self.at = (self.at + by) % self.fields.len();
    }

    /// Goes to the next field, or sends the form from the last one. `None` while it stays open.
    pub fn accept(&mut self) -> Option<Vec<Effect>> {
        if self.at + 1 < self.fields.len() {
            self.at += 1;
            return None;
        }
        let [name, base_url, model_id, key] = self
            .fields
            .each_ref()
            .map(|field| field.text().trim().to_owned());
        let name_is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        let wrong = if name.is_empty() || !name.chars().all(name_is_plain) {
            Some((0, "the name is one word of letters, digits, - and _"))
        } else if name == "practice" {
            Some((0, "practice is the built-in script; take another name"))
        } else if !base_url.starts_with("http://") && !base_url.starts_with("https://") {
            Some((1, "the address begins with http:// or https://"))
        } else if model_id.is_empty() {
            Some((2, "which model shall answer?"))
        } else if key.contains(char::is_whitespace) || key.starts_with("sk-") {
            Some((3, "the name of a variable, not the key itself"))
        } else {
            None
        };
        if let Some((at, text)) = wrong {
            self.at = at;
            self.wrong = Some(text);
            return None;
        }
        let command = SessionCommand::AddProfile {
            name,
            base_url,
            model_id,
            api_key_env: (!key.is_empty()).then_some(key),
        };
        Some(vec![Effect::Send(Command::Session(command))])
    }
}

/// Draws the form and returns where the cursor stands.
pub fn view(model: &Model, state: &State, body: Rect, buffer: &mut Buffer) -> Option<Position> {
    let area = surface::centred(body, 70, 8);
    let inside = surface::open(model, area, &Title::named("Another endpoint"), buffer);
    let mut cursor = None;
    for (index, (label, example)) in LABELS.iter().enumerate() {
        let y = inside.y + index as u16;
        if y >= inside.bottom() {
            break;
        }
        let is_here = index == state.at;
        let style = model.style(if is_here {
            StyleName::Accent
        } else {
            StyleName::Dim
        });
        put(
            buffer,
            inside.x,
            y,
            LABEL_COLUMNS.min(inside.width),
            label,
            style,
        );
        let x = inside.x + LABEL_COLUMNS;
        let width = inside.right().saturating_sub(x);
        let Some(field) = state.fields.get(index).filter(|_| width > 0) else {
            continue;
        };
        if field.is_empty() {
            put(buffer, x, y, width, example, model.style(StyleName::Faint));
        }
        let place = Rect::new(x, y, width, 1);
        field.view(place, buffer, model.style(StyleName::Text));
        if is_here {
            let column = field.cursor_column(width).min(width - 1);
            cursor = Some(Position::new(x + column, y));
        }
    }
    let y = inside.y + LABELS.len() as u16 + 1;
    if y < inside.bottom() {
        let (text, style) = match state.wrong {
            Some(text) => (text, StyleName::Error),
            None => (
                "Accepting the last field saves it in your configuration.",
                StyleName::Dim,
            ),
        };
        put(buffer, inside.x, y, inside.width, text, model.style(style));
    }
    cursor
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(values: [&str; 4]) -> State {
        State {
            fields: values.map(Field::new),
            at: 3,
            wrong: None,
        }
    }

    #[test]
    fn a_whole_form_adds_a_profile() {
        let mut state = filled(["local", "http://127.0.0.1:8080/v1 ", "qwen", ""]);

        let effects = state.accept();

        let expected = SessionCommand::AddProfile {
            name: "local".to_owned(),
            base_url: "http://127.0.0.1:8080/v1".to_owned(),
            model_id: "qwen".to_owned(),
            api_key_env: None,
        };
        assert_eq!(
            effects,
            Some(vec![Effect::Send(Command::Session(expected))])
        );
    }

    #[test]
    fn a_wrong_field_gets_the_cursor_and_nothing_is_sent() {
        for (values, at) in [
            (["my model", "http://x", "m", ""], 0),
            (["practice", "http://x", "m", ""], 0),
            (["a", "127.0.0.1:80", "m", ""], 1),
            (["a", "http://x", " ", ""], 2),
            (["a", "http://x", "m", "sk-secret"], 3),
        ] {
            let mut state = filled(values);

            assert_eq!(state.accept(), None);
            assert_eq!((state.at, state.wrong.is_some()), (at, true));
        }
    }
}
