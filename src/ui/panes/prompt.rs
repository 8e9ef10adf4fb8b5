//! A small text asked for inside a pane: the words of a new item, a reason, a name, a note.
//!
//! It stands at the lower end of its pane. The pane decides what the text is for; the words stay until it is accepted
//! or left.

use crossterm::event::KeyEvent;
use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
};

use super::composer::{
    Editor,
    view::{caret_in, draw_editor},
};
use crate::{
    text::{truncate::head, width::columns},
    ui::{Model, theme::StyleName, widgets::text::put},
};

/// A text that is asked for.
#[derive(Debug)]
pub struct Prompt {
    /// What is asked for, a word or two.
    pub label: String,
    /// The words.
    pub editor: Editor,
}

impl Prompt {
    /// Asks for one line.
    pub fn line(label: impl Into<String>, text: &str) -> Self {
        Self {
            label: label.into(),
            editor: Editor::single_line().with_text(text),
        }
    }

    /// Asks for a text of any number of lines.
    pub fn text(label: impl Into<String>, text: &str) -> Self {
        Self {
            label: label.into(),
            editor: Editor::multi_line().with_text(text),
        }
    }

    /// Takes a key.
    pub fn input(&mut self, key: KeyEvent, width: u16) {
        self.editor.input(key, usize::from(width));
    }

    /// The words without blanks around them; `None` when there are none.
    pub fn words(&self) -> Option<String> {
        let text = self.editor.text();
        let words = text.trim();
        (!words.is_empty()).then(|| words.to_owned())
    }

    /// The part of a pane that is left above.
    fn above(&self, area: Rect) -> Rect {
        Rect {
            height: self.place(area).y - area.y,
            ..area
        }
    }

    /// Draws the prompt that is asked, if any, and says what is left of the pane above it.
    pub fn view_below(
        asked: Option<&Self>,
        model: &Model,
        area: Rect,
        buffer: &mut Buffer,
    ) -> Rect {
        let Some(prompt) = asked else { return area };
        prompt.view(model, area, buffer);
        prompt.above(area)
    }

    /// Draws label and words at the lower end of a pane.
    fn view(&self, model: &Model, area: Rect, buffer: &mut Buffer) {
        let place = self.place(area);
        if place.is_empty() {
            return;
        }
        let rule = "─".repeat(usize::from(place.width));
        put(
            buffer,
            place.x,
            place.y,
            place.width,
            &rule,
            model.style(StyleName::Faint),
        );
        let label = format!("{} ", head(&self.label, usize::from(place.width)));
        let columns = columns(&label) as u16;
        put(
            buffer,
            place.x,
            place.y,
            columns,
            &label,
            model.style(StyleName::Accent),
        );
        draw_editor(model, &self.editor, below_label(place), buffer);
    }

    /// Where the cursor stands.
    pub fn cursor(&self, area: Rect) -> Option<Position> {
        caret_in(&self.editor, below_label(self.place(area)))
    }

    /// The rows of the prompt: its label and as much of the words as half the pane takes.
    fn place(&self, area: Rect) -> Rect {
        let rows = self.editor.rows(usize::from(area.width)).len() as u16;
        let most = if self.editor.line_count() > 1 {
            area.height.saturating_sub(1).max(2)
        } else {
            (area.height / 2).max(2)
        };
        let height = (rows + 1).clamp(2, most).min(area.height);
        Rect {
            y: area.bottom() - height,
            height,
            ..area
        }
    }
}

fn below_label(place: Rect) -> Rect {
    Rect {
        y: place.y + place.height.min(1),
        height: place.height.saturating_sub(1),
        ..place
    }
}
