//! A list with a query: what is typed narrows it, arrows move, Enter chooses. The palette and every choice are pickers.

use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
};

use super::{choices::Choice, surface};
use crate::{
    text::fuzzy::{Finder, Subject},
    ui::{
        Model,
        keymap::Action,
        theme::StyleName,
        widgets::{field::Field, frame::Title, list::Selection, text::put},
    },
};

/// Columns of the box.
const WIDTH: u16 = 96;
/// Rows of the list.
const ROWS: u16 = 18;
/// Columns of the label.
const LABEL: u16 = 22;

/// One row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its name.
    pub label: String,
    /// What it is.
    pub detail: String,
    /// At the right end: a key, an age.
    pub note: String,
    /// What choosing it means.
    pub choice: Choice,
}

/// A list, its query and what is selected.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    title: String,
    /// Lines above the list.
    intro: Vec<String>,
    rows: Vec<Row>,
    query: Field,
    selection: Selection,
    /// What the query leaves, the best first, as places in `rows`.
    left: Vec<usize>,
    /// What stands there when nothing is to choose from.
    empty: String,
}

impl State {
    /// A picker of these rows.
    pub fn new(title: impl Into<String>, rows: Vec<Row>) -> Self {
        let left = (0..rows.len()).collect();
        Self {
            title: title.into(),
            intro: Vec::new(),
            rows,
            query: Field::default(),
            selection: Selection::default(),
            left,
            empty: "nothing matches".to_owned(),
        }
    }

    /// Puts lines above the list.
    pub fn with_intro(mut self, intro: Vec<String>) -> Self {
        self.intro = intro;
        self
    }

    /// Says this when there is nothing to choose from.
    pub fn when_empty(mut self, text: impl Into<String>) -> Self {
        self.empty = text.into();
        self
    }

    /// Selects the row of this choice.
    pub fn select(mut self, choice: &Choice) -> Self {
        let place = self.rows.iter().position(|row| &row.choice == choice);
        self.selection.selected = place.unwrap_or(0);
        self
    }

    /// The title.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The choice of this name.
    pub fn named(&self, label: &str) -> Option<&Choice> {
        let row = self
            .rows
            .iter()
            .find(|row| row.label.eq_ignore_ascii_case(label));
        row.map(|row| &row.choice)
    }

    /// The names of all choices.
    pub fn labels(&self) -> Vec<&str> {
        self.rows.iter().map(|row| row.label.as_str()).collect()
    }

    /// Puts other rows in place; the query stays.
    pub fn replace(&mut self, rows: Vec<Row>) {
        self.rows = rows;
        self.narrow();
    }

    /// What is selected.
    pub fn chosen(&self) -> Option<&Choice> {
        let place = self.left.get(self.selection.selected)?;
        self.rows.get(*place).map(|row| &row.choice)
    }

    /// Takes a key that means no action.
    pub fn input(&mut self, key: KeyEvent) {
        let action = match key.code {
            KeyCode::Up => Some(Action::Up),
            KeyCode::Down => Some(Action::Down),
            KeyCode::PageUp => Some(Action::PageUp),
            KeyCode::PageDown => Some(Action::PageDown),
            _ => None,
        };
        match action {
            Some(action) => self.step(action),
            None => {
                if self.query.input(key) {
                    self.narrow();
                }
            }
        }
    }

    /// Takes pasted text into the query.
    pub fn paste(&mut self, text: &str) {
        self.query.insert(text);
        self.narrow();
    }

    /// Takes the mouse: true when a row was clicked.
    pub fn mouse(&mut self, mouse: MouseEvent, body: Rect) -> bool {
        match mouse.kind {
            MouseEventKind::ScrollUp => self.step(Action::Up),
            MouseEventKind::ScrollDown => self.step(Action::Down),
            MouseEventKind::Down(MouseButton::Left) => {
                let area = self.list_area(surface_area(self, body));
                if area.contains((mouse.column, mouse.row).into()) {
                    let row = usize::from(mouse.row - area.y) + self.first(area.height);
                    if row < self.left.len() {
                        self.selection.selected = row;
                        return true;
                    }
                }
            }
            _ => {}
        }
        false
    }

    fn step(&mut self, action: Action) {
        let page = usize::from(ROWS) - 1;
        self.selection.update(action, self.left.len(), page);
    }

    fn first(&self, height: u16) -> usize {
        self.selection
            .first_shown(self.left.len(), usize::from(height))
    }

    fn narrow(&mut self) {
        self.selection = Selection::default();
        let mut finder = Finder::new(self.query.text(), Subject::Words);
        let mut scored: Vec<(u32, usize)> = Vec::new();
        for (index, row) in self.rows.iter().enumerate() {
            // A match in the name counts for more than one in its description.
            let name = finder
                .score(&row.label)
                .map(|score| score.saturating_mul(2));
            let whole = finder.score(&format!("{} {}", row.label, row.detail));
            if let Some(score) = name.max(whole) {
                scored.push((score, index));
            }
        }
        scored.sort_by_key(|(score, index)| (std::cmp::Reverse(*score), *index));
        self.left = scored.into_iter().map(|(_, index)| index).collect();
    }

    /// The part of the box that holds the rows.
    fn list_area(&self, inside: Rect) -> Rect {
        let above = self.intro.len() as u16 + u16::from(!self.intro.is_empty()) + 2;
        Rect {
            y: inside.y.saturating_add(above).min(inside.bottom()),
            height: inside.height.saturating_sub(above),
            ..inside
        }
    }
}

/// The inside of the picker's box.
fn surface_area(state: &State, body: Rect) -> Rect {
    let area = outer(state, body);
    if area.width < 5 || area.height < 3 {
        return Rect::new(area.x, area.y, 0, 0);
    }
    Rect::new(area.x + 2, area.y + 1, area.width - 4, area.height - 2)
}

fn outer(state: &State, body: Rect) -> Rect {
    let intro = state.intro.len() as u16 + u16::from(!state.intro.is_empty());
    let rows = (state.rows.len() as u16).clamp(1, ROWS);
    surface::centred(body, WIDTH, rows + intro + 4)
}

/// Draws the picker and returns where the cursor stands.
pub fn view(model: &Model, state: &State, body: Rect, buffer: &mut Buffer) -> Option<Position> {
    let count = match state.left.len() {
        left if left == state.rows.len() => String::new(),
        left => format!("{left} of {}", state.rows.len()),
    };
    let title = Title::named(&state.title).right(count);
    let inside = surface::open(model, outer(state, body), &title, buffer);
    if inside.is_empty() {
        return None;
    }
    let mut y = inside.y;
    for line in &state.intro {
        if y < inside.bottom() {
            put(
                buffer,
                inside.x,
                y,
                inside.width,
                line,
                model.style(StyleName::Dim),
            );
        }
        y += 1;
    }
    y += u16::from(!state.intro.is_empty());
    if y >= inside.bottom() {
        return None;
    }
    let query = Rect::new(inside.x + 2, y, inside.width.saturating_sub(2), 1);
    put(buffer, inside.x, y, 2, "❯ ", model.style(StyleName::Accent));
    if state.query.is_empty() {
        let hint = "type to narrow";
        put(
            buffer,
            query.x,
            y,
            query.width,
            hint,
            model.style(StyleName::Faint),
        );
    }
    state
        .query
        .view(query, buffer, model.style(StyleName::Text));
    let list = state.list_area(inside);
    rows(model, state, list, buffer);
    let column = state.query.cursor_column(query.width);
    Some(Position::new(
        query.x + column.min(query.width.saturating_sub(1)),
        y,
    ))
}

fn rows(model: &Model, state: &State, area: Rect, buffer: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    if state.left.is_empty() {
        put(
            buffer,
            area.x,
            area.y,
            area.width,
            &state.empty,
            model.style(StyleName::Dim),
        );
        return;
    }
    let first = state.first(area.height);
    let shown = state.left.iter().enumerate().skip(first);
    for (y, (place, index)) in (area.y..area.bottom()).zip(shown) {
        let Some(row) = state.rows.get(*index) else {
            continue;
        };
        let selected = place == state.selection.selected;
        let line = Rect::new(area.x, y, area.width, 1);
        draw_row(model, row, selected, line, buffer);
    }
}

fn draw_row(model: &Model, row: &Row, selected: bool, area: Rect, buffer: &mut Buffer) {
    use unicode_width::UnicodeWidthStr;

    let note = (row.note.width() as u16).min(area.width / 2);
    let room = area.width.saturating_sub(note + 1);
    let name_columns = if row.detail.is_empty() {
        room
    } else {
        LABEL.min(room)
    };
    put(
        buffer,
        area.x,
        area.y,
        name_columns,
        &row.label,
        model.style(StyleName::Text),
    );
    let x = area.x + name_columns + 1;
    let detail = room.saturating_sub(name_columns + 1);
    put(
        buffer,
        x,
        area.y,
        detail,
        &row.detail,
        model.style(StyleName::Dim),
    );
    let x = area.right() - note;
    put(
        buffer,
        x,
        area.y,
        note,
        &row.note,
        model.style(StyleName::Key),
    );
    if selected {
        let wide = Rect::new(area.x - 1, area.y, area.width + 2, 1);
        buffer.set_style(
            wide.intersection(buffer.area),
            model.style(StyleName::Selection),
        );
    }
}

#[cfg(test)]
mod tests {
    use crossterm::event::KeyModifiers;

    use super::*;

    fn picker() -> State {
        let row = |label: &str, detail: &str| Row {
            label: label.to_owned(),
            detail: detail.to_owned(),
            note: String::new(),
            choice: Choice::Theme(label.to_owned()),
        };
        State::new(
            "t",
            vec![
                row("alpha", "first letter"),
                row("beta", "second"),
                row("letter", "a sign"),
            ],
        )
    }

    #[test]
    fn a_query_narrows_and_a_name_counts_more_than_its_description() {
        let mut state = picker();

        state.paste("letter");

        assert_eq!(state.left, [2, 0]);
        assert_eq!(state.chosen(), Some(&Choice::Theme("letter".to_owned())));
    }

    #[test]
    fn arrows_move_and_nothing_is_chosen_from_nothing() {
        let mut state = picker();

        state.input(KeyEvent::new(KeyCode::Down, KeyModifiers::NONE));
        assert_eq!(state.chosen(), Some(&Choice::Theme("beta".to_owned())));
        state.paste("zzz");
        assert_eq!(state.chosen(), None);
    }
}
