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
    text::wrap::wrap,
    ui::{
        Effect, Model,
        theme::StyleName,
        widgets::{field::Field, frame::Title, text::put},
    },
};

/// Each field and what belongs into it.
const LABELS: [(&str, &str); 4] = [
    (
        "name",
        "What you will call it by, one word; for instance: local",
    ),
    (
        "address",
        "Where it answers; for instance: http://127.0.0.1:8080/v1",
    ),
    ("model", "The provider's name for the model."),
    (
        "key",
        "The variable that holds the key; empty when none is needed. Enter saves it all in your configuration.",
    ),
];
/// Columns of the box.
const WIDTH: u16 = 76;
/// Rows for what belongs into the field.
const ABOUT: u16 = 3;
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
    pub fn paste(&mut self, text: &str) -> usize {
        let field = self.fields.get_mut(self.at);
        field.map_or(0, |field| field.insert(text.trim()))
    }

    /// Goes to another field.
    pub fn turn(&mut self, by: usize) {
        self.at = (self.at + by) % self.fields.len();
    }

    /// What is wrong with a field.
    fn problem(&self, at: usize) -> Option<&'static str> {
        let text = self.text(at);
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        match at {
            0 if text.is_empty() => Some("it needs a name: one word of letters, digits, - and _"),
            0 if !text.chars().all(is_plain) => {
                Some("the name is one word of letters, digits, - and _")
            }
            0 if text == "practice" => Some("practice is the built-in script; take another name"),
            1 if !text.starts_with("http://") && !text.starts_with("https://") => {
                Some("the address begins with http:// or https://")
            }
            2 if text.is_empty() => Some("which model shall answer?"),
            3 if text.contains(char::is_whitespace) || text.starts_with("sk-") => {
                Some("the name of a variable, not the key itself")
            }
            _ => None,
        }
    }

    fn text(&self, at: usize) -> String {
        let text = self.fields.get(at).map(|field| field.text().trim());
        text.unwrap_or_default().to_owned()
    }

    /// Goes to the next field once this one is right, or sends the form from the last one. `None` while it stays open.
    pub fn accept(&mut self) -> Option<Vec<Effect>> {
        let last = self.fields.len() - 1;
        let seen = if self.at < last {
            self.at..=self.at
        } else {
            0..=last
        };
        for at in seen {
            self.wrong = self.problem(at);
            if self.wrong.is_some() {
                self.at = at;
                return None;
            }
        }
        if self.at < last {
            self.at += 1;
            return None;
        }
        let [name, base_url, model_id, key] = [0, 1, 2, 3].map(|at| self.text(at));
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
    let width = usize::from(WIDTH.min(body.width).saturating_sub(4)).max(1);
    let (words, style) = match (state.wrong, LABELS.get(state.at)) {
        (Some(wrong), _) => (wrong, StyleName::Error),
        (None, Some((_, about))) => (*about, StyleName::Dim),
        (None, None) => ("", StyleName::Dim),
    };
    let area = surface::centred(body, WIDTH, LABELS.len() as u16 + 1 + ABOUT + 2);
    let inside = surface::open(model, area, &Title::named("Another endpoint"), buffer);
    let mut cursor = None;
    for (index, (label, _)) in LABELS.iter().enumerate() {
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
            let rule = "·".repeat(usize::from(width));
            put(buffer, x, y, width, &rule, model.style(StyleName::Guide));
        }
        let place = Rect::new(x, y, width, 1);
        field.view(place, buffer, model.style(StyleName::Text));
        if is_here {
            let column = field.cursor_column(width).min(width - 1);
            cursor = Some(Position::new(x + column, y));
        }
    }
    let top = inside.y + LABELS.len() as u16 + 1;
    for (y, row) in (top..inside.bottom()).zip(wrap(words, width)) {
        put(
            buffer,
            inside.x,
            y,
            inside.width,
            row.of(words),
            model.style(style),
        );
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
    fn a_field_is_left_only_when_it_is_right() {
        let mut state = State::default();

        assert_eq!(state.accept(), None);
        assert_eq!((state.at, state.wrong.is_some()), (0, true));
        state.paste("local");
        assert_eq!(state.accept(), None);
        assert_eq!((state.at, state.wrong), (1, None));
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
