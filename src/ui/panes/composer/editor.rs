//! A text being edited: the buffer and its undo steps are tui-textarea's, everything that has to
//! know graphemes, chips or soft wrap is done here.
//!
//! The one invariant: the cursor never stands inside a grapheme, and a pasted text that is shown as
//! a chip is one noncharacter in the buffer, so no motion, deletion or undo can cut it.
//! tui-textarea is used in this file and nowhere else.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tui_textarea::{CursorMove, TextArea};

use super::{
    motion::{next_boundary, previous_boundary, word_left, word_right},
    wrapping::{WrappedRow, caret_of, wrap_lines},
};

/// Noncharacters stand for chips in the buffer: Unicode keeps them for such use, no text holds them.
const FIRST_CHIP: char = '\u{fdd0}';
/// The last noncharacter of that block.
const LAST_CHIP: char = '\u{fdef}';
/// Longest line that the buffer can address.
const LONGEST_LINE: usize = 60_000;
/// Most lines that are edited in place.
const MOST_LINES: usize = 5_000;
/// A paste with more lines than this becomes a chip.
const CHIP_LINES: usize = 10;
/// A paste with more characters than this becomes a chip.
const CHIP_CHARS: usize = 2_000;

/// What a key did to the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edited {
    /// The key is not for an editor.
    Ignored,
    /// Only the cursor moved.
    Moved,
    /// The text changed.
    Changed,
    /// `Up` on the first row: there is nothing above.
    AtTop,
    /// `Down` on the last row: there is nothing below.
    AtBottom,
}

/// A text being edited.
#[derive(Clone, Debug)]
pub struct Editor {
    area: TextArea<'static>,
    goal: Option<usize>,
    chips: Vec<String>,
    is_single_line: bool,
}

impl Default for Editor {
    fn default() -> Self {
        Self::multi_line()
    }
}

impl Editor {
    /// An empty text of any number of lines.
    pub fn multi_line() -> Self {
        let mut area = TextArea::default();
        area.set_undo_coalescing(true);
        Self {
            area,
            goal: None,
            chips: Vec::new(),
            is_single_line: false,
        }
    }

    /// An empty text of one line: line ends become spaces.
    pub fn single_line() -> Self {
        Self {
            is_single_line: true,
            ..Self::multi_line()
        }
    }

    /// The same editor with this text and the cursor at its end.
    pub fn with_text(mut self, text: &str) -> Self {
        self.set_text(text);
        self
    }

    /// Replaces the text; undo does not reach behind it.
    pub fn set_text(&mut self, text: &str) {
        let clean = self.clean(text);
        let lines: Vec<String> = clean.split('\n').map(str::to_owned).collect();
        let fits = lines.len() <= MOST_LINES
            && lines.iter().all(|line| line.len() <= LONGEST_LINE)
            && clean.len() <= LONGEST_LINE;
        self.chips.clear();
        self.goal = None;
        if fits {
            self.area.set_lines(lines, (usize::MAX, usize::MAX));
        } else {
            self.area.set_lines(vec![String::new()], (0, 0));
            self.insert_chip(clean);
        }
    }

    /// Empties the text; undo brings it back.
    pub fn clear(&mut self) {
        self.goal = None;
        if !self.is_empty() {
            self.area.move_cursor(CursorMove::Jump(0, 0));
            self.area.delete_str(usize::MAX);
        }
    }

    /// The whole text, chips opened.
    pub fn text(&self) -> String {
        let mut whole = String::new();
        for (index, line) in self.area.lines().iter().enumerate() {
            if index > 0 {
                whole.push('\n');
            }
            for c in line.chars() {
                match self.chip(c) {
                    Some(text) => whole.push_str(text),
                    None => whole.push(c),
                }
            }
        }
        whole
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.area.is_empty()
    }

    /// Number of lines, chips counted as part of one.
    pub fn line_count(&self) -> usize {
        self.area.lines().len()
    }

    /// The line of the cursor up to the cursor, chips as they stand.
    pub fn before_cursor(&self) -> String {
        let (row, column) = self.area.cursor();
        self.line(row).chars().take(column).collect()
    }

    /// Whether the cursor stands on the first line.
    pub fn is_on_first_line(&self) -> bool {
        self.area.cursor().0 == 0
    }

    /// The rows as they stand on the screen at a width.
    pub fn rows(&self, width: usize) -> Vec<WrappedRow> {
        wrap_lines(self.area.lines(), width, &|c| self.label(c))
    }

    /// Row and column of the caret among [`Editor::rows`].
    pub fn caret(&self, rows: &[WrappedRow]) -> (usize, usize) {
        caret_of(rows, self.area.cursor())
    }

    /// Takes a key that no action of the keymap wanted. `width` is the width that the text is shown at.
    pub fn input(&mut self, key: KeyEvent, width: usize) -> Edited {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        let goal = self.goal.take();
        match key.code {
            KeyCode::Char(c) if control && alt => self.insert_typed(c),
            KeyCode::Char(c) if control => self.control_key(c.to_ascii_lowercase()),
            KeyCode::Char(c) if alt => self.alt_key(c.to_ascii_lowercase()),
            KeyCode::Char(c) => self.insert_typed(c),
            KeyCode::Left if control || alt => self.move_word_left(),
            KeyCode::Right if control || alt => self.move_word_right(),
            KeyCode::Left => self.step_left(),
            KeyCode::Right => self.step_right(),
            KeyCode::Up if !control && !alt => self.step_row(-1, width, goal),
            KeyCode::Down if !control && !alt => self.step_row(1, width, goal),
            KeyCode::Home if control => self.jump(0, 0),
            KeyCode::End if control => self.jump(usize::MAX, usize::MAX),
            KeyCode::Home => self.row_edge(width, false),
            KeyCode::End => self.row_edge(width, true),
            KeyCode::Backspace if control || alt => self.delete_back_to(word_left),
            KeyCode::Delete if control || alt => self.delete_forward_to(word_right),
            KeyCode::Backspace => self.delete_back_to(previous_boundary),
            KeyCode::Delete => self.delete_forward_to(next_boundary),
            _ => Edited::Ignored,
        }
    }

    /// Puts a line break at the cursor; a space in a single line.
    pub fn newline(&mut self) {
        self.goal = None;
        if self.is_single_line {
            self.area.insert_char(' ');
        } else {
            self.area.insert_newline();
        }
    }

    /// Puts a text at the cursor, line ends made equal and controls dropped.
    pub fn insert(&mut self, text: &str) {
        self.goal = None;
        let clean = self.clean(text);
        if !clean.is_empty() {
            self.area.insert_str(clean);
        }
    }

    /// Takes a pasted text: a large one becomes a chip.
    pub fn paste(&mut self, text: &str) {
        let clean = self.clean(text);
        let lines = clean.split('\n').count();
        let chars = clean.chars().count();
        let (row, _) = self.area.cursor();
        let crowds = self.line(row).len() + clean.len() > LONGEST_LINE
            || self.line_count() + lines > MOST_LINES;
        let is_large = lines > CHIP_LINES || chars > CHIP_CHARS;
        if (is_large || crowds) && !self.is_single_line {
            self.insert_chip(clean);
        } else {
            self.insert(&clean);
        }
    }

    /// Replaces what stands between a character of the cursor's line and the cursor.
    pub fn replace_back_to(&mut self, start: usize, text: &str) {
        let (row, column) = self.area.cursor();
        if start < column {
            self.jump(row, start);
            self.area.delete_str(column - start);
        }
        self.insert(text);
    }

    /// Opens the chip beside the cursor: its text takes its place. Says whether there was one that fits.
    pub fn open_chip(&mut self) -> bool {
        let (row, column) = self.area.cursor();
        let line: Vec<char> = self.line(row).chars().collect();
        let beside = [column.checked_sub(1), Some(column)];
        let found = beside.into_iter().flatten().find_map(|index| {
            let text = self.chip(*line.get(index)?)?;
            Some((index, text.to_owned()))
        });
        let Some((index, text)) = found else {
            return false;
        };
        let is_too_large = text.split('\n').count() > MOST_LINES
            || text.split('\n').any(|line| line.len() > LONGEST_LINE);
        if is_too_large {
            return false;
        }
        self.jump(row, index);
        self.area.delete_str(1);
        self.area.insert_str(text);
        true
    }

    /// Takes the last change back.
    pub fn undo(&mut self) -> bool {
        self.goal = None;
        self.area.undo()
    }

    /// Does again what was taken back.
    pub fn redo(&mut self) -> bool {
        self.goal = None;
        self.area.redo()
    }

    fn insert_chip(&mut self, text: String) {
        let number = self.chips.len() as u32;
        let stand_in = char::from_u32(FIRST_CHIP as u32 + number).filter(|c| *c <= LAST_CHIP);
        match stand_in {
            Some(stand_in) => {
                self.chips.push(text);
                self.area.insert_char(stand_in);
            }
            // All stand-ins are taken: the last chip takes the text in.
            None => {
                if let Some(last) = self.chips.last_mut() {
                    last.push_str(&text);
                }
            }
        }
    }

    fn chip(&self, c: char) -> Option<&str> {
        if !(FIRST_CHIP..=LAST_CHIP).contains(&c) {
            return None;
        }
        self.chips
            .get((c as u32 - FIRST_CHIP as u32) as usize)
            .map(String::as_str)
    }

    fn label(&self, c: char) -> Option<String> {
        let text = self.chip(c)?;
        let number = c as u32 - FIRST_CHIP as u32 + 1;
        let lines = text.split('\n').count();
        let size = size_words(text.len());
        Some(if lines == 1 {
            format!("[paste {number}: {size}]")
        } else {
            format!("[paste {number}: {lines} lines, {size}]")
        })
    }

    fn clean(&self, text: &str) -> String {
        let unified = text.replace("\r\n", "\n").replace('\r', "\n");
        unified
            .chars()
            .filter(|c| matches!(c, '\n' | '\t') || !c.is_control())
            .filter(|c| !(FIRST_CHIP..=LAST_CHIP).contains(c))
            .map(|c| {
                if self.is_single_line && c == '\n' {
                    ' '
                } else {
                    c
                }
            })
            .collect()
    }

    fn line(&self, row: usize) -> &str {
        self.area.lines().get(row).map_or("", String::as_str)
    }

    fn insert_typed(&mut self, c: char) -> Edited {
        let text = self.clean(c.encode_utf8(&mut [0; 4]));
        match text.chars().next() {
            Some(c) if self.line(self.area.cursor().0).len() < LONGEST_LINE => {
                self.area.insert_char(c);
                Edited::Changed
            }
            _ => Edited::Ignored,
        }
    }

    fn control_key(&mut self, c: char) -> Edited {
        let (row, column) = self.area.cursor();
        match c {
            'a' => self.jump(row, 0),
            'e' => self.jump(row, usize::MAX),
            'b' => self.step_left(),
            'f' => self.step_right(),
            'h' => self.delete_back_to(previous_boundary),
            'd' => self.delete_forward_to(next_boundary),
            'u' if column == 0 => self.delete_back_to(previous_boundary),
            'u' => self.delete_back_to(|_, _| 0),
            'k' if column == self.line(row).chars().count() => {
                self.delete_forward_to(next_boundary)
            }
            'k' => self.delete_forward_to(|line, _| line.chars().count()),
            'y' => changed(self.area.paste()),
            '_' | '/' | '7' => changed(self.undo()),
            _ => Edited::Ignored,
        }
    }

    fn alt_key(&mut self, c: char) -> Edited {
        match c {
            'b' => self.move_word_left(),
            'f' => self.move_word_right(),
            'd' => self.delete_forward_to(word_right),
            '_' | '/' => changed(self.redo()),
            _ => Edited::Ignored,
        }
    }

    fn jump(&mut self, row: usize, column: usize) -> Edited {
        let row = row.min(u16::MAX as usize) as u16;
        let column = column.min(u16::MAX as usize) as u16;
        self.area.move_cursor(CursorMove::Jump(row, column));
        Edited::Moved
    }

    fn move_word_left(&mut self) -> Edited {
        match self.area.cursor() {
            (_, 0) => self.step_left(),
            (row, column) => self.jump(row, word_left(self.line(row), column)),
        }
    }

    fn move_word_right(&mut self) -> Edited {
        let (row, column) = self.area.cursor();
        match word_right(self.line(row), column) {
            found if found == column => self.step_right(),
            found => self.jump(row, found),
        }
    }

    fn step_left(&mut self) -> Edited {
        let (row, column) = self.area.cursor();
        match (row, column) {
            (0, 0) => Edited::Moved,
            (row, 0) => self.jump(row - 1, usize::MAX),
            (row, column) => self.jump(row, previous_boundary(self.line(row), column)),
        }
    }

    fn step_right(&mut self) -> Edited {
        let (row, column) = self.area.cursor();
        if column < self.line(row).chars().count() {
            return self.jump(row, next_boundary(self.line(row), column));
        }
        if row + 1 < self.line_count() {
            return self.jump(row + 1, 0);
        }
        Edited::Moved
    }

    fn step_row(&mut self, by: isize, width: usize, goal: Option<usize>) -> Edited {
        let rows = self.rows(width);
        let (row, column) = self.caret(&rows);
        let goal = goal.unwrap_or(column);
        let target = row
            .checked_add_signed(by)
            .and_then(|target| rows.get(target));
        let Some(target) = target else {
            return if by < 0 {
                Edited::AtTop
            } else {
                Edited::AtBottom
            };
        };
        self.jump(target.line, target.char_at(goal));
        self.goal = Some(goal);
        Edited::Moved
    }

    fn row_edge(&mut self, width: usize, is_end: bool) -> Edited {
        let rows = self.rows(width);
        let (row, _) = self.caret(&rows);
        match rows.get(row) {
            Some(row) if is_end => self.jump(row.line, row.char_at(usize::MAX)),
            Some(row) => self.jump(row.line, row.start),
            None => Edited::Ignored,
        }
    }

    fn delete_back_to(&mut self, target: fn(&str, usize) -> usize) -> Edited {
        let (row, column) = self.area.cursor();
        if column == 0 {
            return changed(self.area.delete_newline());
        }
        let found = target(self.line(row), column);
        self.jump(row, found);
        self.remove(column - found)
    }

    fn delete_forward_to(&mut self, target: fn(&str, usize) -> usize) -> Edited {
        let (row, column) = self.area.cursor();
        let end = self.line(row).chars().count();
        if column < end {
            let found = target(self.line(row), column);
            return self.remove(found - column);
        }
        if row + 1 < self.line_count() {
            return self.remove(1);
        }
        Edited::Moved
    }

    /// Deletes behind the cursor. A single grapheme does not replace what was cut before.
    fn remove(&mut self, chars: usize) -> Edited {
        let (row, column) = self.area.cursor();
        let is_one = next_boundary(self.line(row), column) == column + chars;
        let kept = is_one.then(|| self.area.yank_text());
        let has_changed = self.area.delete_str(chars);
        if let Some(kept) = kept {
            self.area.set_yank_text(kept);
        }
        changed(has_changed)
    }
}

/// A size for people: `840 B`, `12 KB`, `3.4 MB`.
pub fn size_words(bytes: usize) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{} KB", (bytes + 500) / 1_000),
        _ => format!("{:.1} MB", bytes as f64 / 1_000_000.0),
    }
}

fn changed(has_changed: bool) -> Edited {
    if has_changed {
        Edited::Changed
    } else {
        Edited::Moved
    }
}

#[cfg(test)]
#[path = "editor_tests.rs"]
mod tests;
