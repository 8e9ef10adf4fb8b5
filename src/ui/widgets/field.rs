//! A text field of one line: the palette's query, a search, an address. Longer text scrolls sideways.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::{buffer::Buffer, layout::Rect, style::Style};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// So many characters a field of one line takes, whoever puts them there: it is searched, matched and drawn with every
/// key. The message that is written to an agent is no such field.
pub const MOST: usize = 2_000;

/// Text and the place of the cursor in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Field {
    text: String,
    /// Byte position of the cursor, always between two graphemes.
    cursor: usize,
}

impl Field {
    /// A field that holds this text, the cursor behind it.
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            cursor: text.len(),
            text,
        }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it holds nothing.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Empties it.
    pub fn clear(&mut self) {
        self.text.clear();
        self.cursor = 0;
    }

    /// Puts text at the cursor; line ends become spaces. Returns how many characters have no place any more.
    pub fn insert(&mut self, text: &str) -> usize {
        let room = MOST.saturating_sub(self.text.chars().count());
        let text = text.replace("\r\n", " ");
        let mut characters = text.chars();
        let clean: String = characters
            .by_ref()
            .take(room)
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        self.text.insert_str(self.cursor, &clean);
        self.cursor += clean.len();
        characters.count()
    }

    /// Takes a key; false when it means nothing here.
    pub fn input(&mut self, key: KeyEvent) -> bool {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        match key.code {
            KeyCode::Char('a') if control => self.cursor = 0,
            KeyCode::Char('e') if control => self.cursor = self.text.len(),
            KeyCode::Char('u') if control => {
                self.text.drain(..self.cursor);
                self.cursor = 0;
            }
            KeyCode::Char('k') if control => self.text.truncate(self.cursor),
            KeyCode::Backspace if control || alt => self.delete_to(self.word_before()),
            KeyCode::Char(character) if !control && !alt => {
                self.insert(character.encode_utf8(&mut [0; 4]));
            }
            KeyCode::Backspace => self.delete_to(self.before()),
            KeyCode::Delete => {
                let end = self.after();
                self.text.drain(self.cursor..end);
            }
            KeyCode::Left => self.cursor = self.before(),
            KeyCode::Right => self.cursor = self.after(),
            KeyCode::Home => self.cursor = 0,
            KeyCode::End => self.cursor = self.text.len(),
            _ => return false,
        }
        true
    }

    /// Draws the text around the cursor and returns the cursor's column in `area`.
    pub fn view(&self, area: Rect, buffer: &mut Buffer, style: Style) {
        let (shown, _) = self.window(usize::from(area.width));
        buffer.set_stringn(area.x, area.y, shown, usize::from(area.width), style);
    }

    /// The column of the cursor in a field of this width.
    pub fn cursor_column(&self, width: u16) -> u16 {
        self.window(usize::from(width)).1 as u16
    }

    /// The part of the text that fits with the cursor in it, and the cursor's column.
    fn window(&self, width: usize) -> (&str, usize) {
        let before = self.text.get(..self.cursor).unwrap_or_default();
        let mut skipped = 0;
        let mut columns = before.width();
        for grapheme in before.graphemes(true) {
            if columns < width.max(1) {
                break;
            }
            skipped += grapheme.len();
            columns -= grapheme.width().min(columns);
        }
        (self.text.get(skipped..).unwrap_or_default(), columns)
    }

    fn before(&self) -> usize {
        let before = self.text.get(..self.cursor).unwrap_or_default();
        before
            .grapheme_indices(true)
            .next_back()
            .map_or(0, |(at, _)| at)
    }

    fn after(&self) -> usize {
        let after = self.text.get(self.cursor..).unwrap_or_default();
        self.cursor + after.graphemes(true).next().map_or(0, str::len)
    }

    fn word_before(&self) -> usize {
        let before = self.text.get(..self.cursor).unwrap_or_default();
        let word = before.unicode_word_indices().next_back();
        word.map_or(0, |(at, _)| at)
    }

    fn delete_to(&mut self, from: usize) {
        self.text.drain(from..self.cursor);
        self.cursor = from;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(field: &mut Field, code: KeyCode) {
        field.input(KeyEvent::new(code, KeyModifiers::NONE));
    }

    #[test]
    fn typing_and_deleting_go_by_whole_characters() {
        let mut field = Field::default();

        field.insert("a各e\u{301}");
        press(&mut field, KeyCode::Backspace);
        press(&mut field, KeyCode::Left);
        press(&mut field, KeyCode::Char('x'));

        assert_eq!(field.text(), "ax各");
    }

    #[test]
    fn a_pasted_line_end_becomes_a_space() {
        let mut field = Field::new("a");

        field.insert("b\r\nc\td");

        assert_eq!(field.text(), "ab c d");
    }

    #[test]
    fn what_has_no_place_is_left_out_and_counted() {
        let mut field = Field::new("ab");
        press(&mut field, KeyCode::Left);

        assert_eq!(field.insert(&"各".repeat(MOST)), 2);
        assert_eq!(field.text(), format!("a{}b", "各".repeat(MOST - 2)));
        press(&mut field, KeyCode::Char('x'));
        assert_eq!(field.text().chars().count(), MOST);
        press(&mut field, KeyCode::Backspace);
        assert_eq!(field.insert("x"), 0);
    }

    #[test]
    fn the_cursor_stays_in_view() {
        let field = Field::new("0123456789各");

        assert_eq!(field.window(5), ("89各", 4));
        assert_eq!(field.cursor_column(40), 12);
        assert_eq!(field.cursor_column(0), 0);
    }
}
