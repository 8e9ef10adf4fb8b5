//! A list with a query: what is typed narrows it, arrows move, Enter chooses. The palette and every choice are pickers.

use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;

use super::{choices::Choice, picker_view};
use crate::{
    text::fuzzy::{Finder, Subject},
    ui::{
        keymap::Action,
        widgets::{field::Field, list::Selection},
    },
};

/// Rows that a page goes on by.
const PAGE: usize = 10;

/// One row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its name.
    pub label: String,
    /// What it is.
    pub detail: String,
    /// At the right end: a key, an age.
    pub note: String,
    /// Other names that find it; they are not shown.
    pub also: String,
    /// What choosing it means.
    pub choice: Choice,
}

/// A list, its query and what is selected.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    pub(super) title: String,
    /// Paragraphs above the list.
    pub(super) intro: Vec<String>,
    pub(super) rows: Vec<Row>,
    pub(super) query: Field,
    pub(super) selection: Selection,
    /// What the query leaves, the best first, as places in `rows`.
    pub(super) left: Vec<usize>,
    /// What stands there when nothing is to choose from.
    pub(super) empty: String,
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

    /// Puts paragraphs above the list.
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

    /// All rows.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The names of all choices.
    pub fn labels(&self) -> Vec<&str> {
        self.rows.iter().map(|row| row.label.as_str()).collect()
    }

    /// Puts rows that came later in place, and what to say when there are none; the query stays.
    pub fn found(&mut self, rows: Vec<Row>, when_empty: &str) {
        when_empty.clone_into(&mut self.empty);
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
    pub fn paste(&mut self, text: &str) -> usize {
        let left_out = self.query.insert(text);
        self.narrow();
        left_out
    }

    /// Takes the mouse: true when a row was clicked.
    pub fn mouse(&mut self, mouse: MouseEvent, body: Rect) -> bool {
        match mouse.kind {
            MouseEventKind::ScrollUp => self.step(Action::Up),
            MouseEventKind::ScrollDown => self.step(Action::Down),
            MouseEventKind::Down(MouseButton::Left) => {
                let place = (mouse.column, mouse.row);
                if let Some(row) = picker_view::row_at(self, body, place) {
                    self.selection.selected = row;
                    return true;
                }
            }
            _ => {}
        }
        false
    }

    fn step(&mut self, action: Action) {
        self.selection.update(action, self.left.len(), PAGE);
    }

    /// Names that begin with what is typed come first, then those that hold it, then those that hold its letters in
    /// this order; last come rows whose description holds its words. Letters scattered over a description are no match.
    fn narrow(&mut self) {
        self.selection = Selection::default();
        let query = self.query.text().trim().to_lowercase();
        let mut finder = Finder::new(&query, Subject::Words);
        let mut ranked: Vec<(u8, std::cmp::Reverse<u32>, usize)> = Vec::new();
        for (index, row) in self.rows.iter().enumerate() {
            if let Some((rank, score)) = rank(row, &query, &mut finder) {
                ranked.push((rank, std::cmp::Reverse(score), index));
            }
        }
        ranked.sort_unstable();
        self.left = ranked.into_iter().map(|(_, _, index)| index).collect();
    }
}

/// How well a row fits, the lowest rank first.
fn rank(row: &Row, query: &str, finder: &mut Finder) -> Option<(u8, u32)> {
    let label = row.label.to_lowercase();
    let also = row.also.to_lowercase();
    let bare = |text: &str| text.trim_start_matches('/').to_owned();
    let score = finder.score(&label).or_else(|| finder.score(&also));
    let found = score.unwrap_or(0);
    if query.is_empty() || bare(&label).starts_with(&bare(query)) {
        return Some((0, found));
    }
    if also.split(' ').any(|name| name.starts_with(&bare(query))) || label.contains(query) {
        return Some((1, found));
    }
    if let Some(score) = score {
        return Some((2, score));
    }
    let whole = format!("{label} {also} {}", row.detail.to_lowercase());
    let has_all = query.split_whitespace().all(|word| whole.contains(word));
    has_all.then_some((3, 0))
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
            also: String::new(),
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
    fn letters_scattered_over_a_description_are_no_match() {
        let mut state = picker();

        state.paste("sign");
        assert_eq!(state.left, [2], "a word of a description");
        state.query.clear();
        state.paste("ftr");
        assert_eq!(state.left, [0; 0], "first letter");
        state.query.clear();
        state.paste("ltr");
        assert_eq!(state.left, [2], "letters of a name in their order");
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
