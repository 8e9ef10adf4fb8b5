//! One line that a program may go back in and print over: carriage returns, backspaces, erasing.
//!
//! A line is a plain string until something moves its cursor back; only then is it spread out into columns. The
//! text holds no hazard of [`super::sanitize`], whatever is printed.

use unicode_width::UnicodeWidthChar;

use super::sanitize::{Hazard, MARKS_IN_A_ROW, hazard, joins};

/// Columns between the tab stops of programs.
const PROGRAM_TAB_STOP: usize = 8;
/// The last column that a cursor may be sent to.
const LAST_COLUMN: usize = 16_384;

/// A line under construction.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    /// The text while the cursor has always stood at its end; empty once `columns` is there.
    text: String,
    columns: Option<Columns>,
}

/// A line spread out.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    columns: Vec<Column>,
    cursor: usize,
}

/// What stands in a column.
#[derive(Clone, Debug, PartialEq)]
enum Column {
    /// A character.
    Glyph(char),
    /// A character with marks.
    Marked(Box<str>),
    /// The rest of a wide character or of a tab.
    Rest,
}

impl Line {
    /// Prints a character at the cursor.
    pub(super) fn print(&mut self, character: char) {
        if character == '\u{7f}' || !character.is_ascii() && self.drops(character) {
            return;
        }
        match &mut self.columns {
            Some(columns) => columns.print(character),
            None if character.width() == Some(0) => push_mark(&mut self.text, character),
            None => self.text.push(character),
        }
    }

    /// A tab: moves the cursor inside what is printed already, prints one at the end.
    pub(super) fn tab(&mut self) {
        match &mut self.columns {
            Some(columns) => columns.tab(),
            None => self.text.push('\t'),
        }
    }

    /// The column of the cursor.
    pub(super) fn column(&mut self) -> usize {
        if self.text.is_empty() && self.columns.is_none() {
            0
        } else {
            self.spread().cursor
        }
    }

    /// Sends the cursor to the start.
    pub(super) fn home(&mut self) {
        if !self.text.is_empty() || self.columns.is_some() {
            self.go_to(0);
        }
    }

    /// Sends the cursor to a column.
    pub(super) fn go_to(&mut self, column: usize) {
        self.spread().go_to(column);
    }

    /// Sends the cursor some columns on (or back).
    pub(super) fn go_by(&mut self, distance: isize) {
        let columns = self.spread();
        columns.go_to(columns.cursor.saturating_add_signed(distance));
    }

    /// Erases from the cursor to the end.
    pub(super) fn erase_end(&mut self) {
        if let Some(columns) = &mut self.columns {
            let cursor = columns.cursor;
            columns.part(cursor);
            columns.columns.truncate(cursor);
        }
    }

    /// Erases up to the cursor.
    pub(super) fn erase_start(&mut self) {
        let columns = self.spread();
        let end = (columns.cursor + 1).min(columns.columns.len());
        columns.part(end);
        columns.columns[..end].fill(Column::Glyph(' '));
    }

    /// Erases everything; the cursor stays.
    pub(super) fn erase(&mut self) {
        self.spread().columns.clear();
    }

    /// The text.
    pub(super) fn text(&self) -> String {
        match &self.columns {
            Some(columns) => columns.text(),
            None => self.text.clone(),
        }
    }

    /// The text; the line is empty then, with the cursor at its start.
    pub(super) fn take(&mut self) -> String {
        let line = std::mem::take(self);
        match line.columns {
            Some(columns) => columns.text(),
            None => line.text,
        }
    }

    /// Bytes or columns, whichever it is measured in.
    pub(super) fn size(&self) -> usize {
        match &self.columns {
            Some(columns) => columns.columns.len(),
            None => self.text.len(),
        }
    }

    /// Whether nothing is printed.
    pub(super) fn is_empty(&self) -> bool {
        self.size() == 0
    }

    /// Whether a character other than ASCII is never printed.
    fn drops(&self, character: char) -> bool {
        match hazard(character) {
            None | Some(Hazard::OddBlank) => false,
            Some(Hazard::Invisible) => {
                let previous = match &self.columns {
                    Some(columns) => columns.before_cursor(),
                    None => self.text.chars().next_back(),
                };
                !joins(previous.unwrap_or(' '), character)
            }
            Some(Hazard::Control | Hazard::Bidirectional) => true,
        }
    }

    fn spread(&mut self) -> &mut Columns {
        let text = std::mem::take(&mut self.text);
        self.columns.get_or_insert_with(|| {
            let mut columns = Columns::default();
            for character in text.chars() {
                match character {
                    '\t' => columns.tab(),
                    _ => columns.print(character),
                }
            }
            columns
        })
    }
}

impl Columns {
    fn go_to(&mut self, column: usize) {
        self.cursor = column.min(LAST_COLUMN.max(self.columns.len()));
    }

    fn print(&mut self, character: char) {
        let width = character.width().unwrap_or(0);
        if width == 0 {
            self.mark(character);
            return;
        }
        let (start, end) = (self.cursor, self.cursor + width);
        if self.columns.len() < end {
            self.columns.resize(end, Column::Glyph(' '));
        }
        self.part(start);
        self.part(end);
        self.columns[start] = Column::Glyph(character);
        self.columns[start + 1..end].fill(Column::Rest);
        self.cursor = end;
    }

    fn tab(&mut self) {
        let end = (self.cursor / PROGRAM_TAB_STOP + 1) * PROGRAM_TAB_STOP;
        if self.cursor >= self.columns.len() {
            self.columns.resize(self.cursor, Column::Glyph(' '));
            self.columns.push(Column::Glyph('\t'));
            self.columns.resize(end, Column::Rest);
        }
        self.go_to(end);
    }

    /// Adds a mark to the character before the cursor.
    fn mark(&mut self, mark: char) {
        let Some(place) = self.place_before_cursor() else {
            return;
        };
        let mut text = match &self.columns[place] {
            Column::Glyph('\t') | Column::Rest => return,
            Column::Glyph(character) => String::from(*character),
            Column::Marked(text) => text.to_string(),
        };
        push_mark(&mut text, mark);
        self.columns[place] = Column::Marked(text.into_boxed_str());
    }

    fn place_before_cursor(&self) -> Option<usize> {
        let end = self.cursor.min(self.columns.len());
        self.columns[..end]
            .iter()
            .rposition(|column| *column != Column::Rest)
    }

    fn before_cursor(&self) -> Option<char> {
        match self.columns.get(self.place_before_cursor()?)? {
            Column::Glyph(character) => Some(*character),
            Column::Marked(text) => text.chars().next_back(),
            Column::Rest => None,
        }
    }

    /// Blanks a wide character or tab that would be cut in two at `at`.
    fn part(&mut self, at: usize) {
        if self.columns.get(at) != Some(&Column::Rest) {
            return;
        }
        let start = self.columns[..at]
            .iter()
            .rposition(|column| *column != Column::Rest)
            .unwrap_or(0);
        let end = self.columns[at..]
            .iter()
            .position(|column| *column != Column::Rest)
            .map_or(self.columns.len(), |length| at + length);
        self.columns[start..end].fill(Column::Glyph(' '));
    }

    fn text(&self) -> String {
        let mut text = String::with_capacity(self.columns.len());
        for column in &self.columns {
            match column {
                Column::Glyph(character) => text.push(*character),
                Column::Marked(marked) => text.push_str(marked),
                Column::Rest => {}
            }
        }
        text
    }
}

fn push_mark(text: &mut String, mark: char) {
    let marks = text
        .chars()
        .rev()
        .take_while(|character| character.width() == Some(0))
        .take(MARKS_IN_A_ROW)
        .count();
    if marks < MARKS_IN_A_ROW {
        text.push(mark);
    }
}
