//! A text being edited: the buffer and its undo steps are tui-textarea's, everything that has to
//! know graphemes, chips or soft wrap is done here.
//!
//! The one invariant: the cursor never stands inside a grapheme, and a pasted text that is shown as
//! a chip is one noncharacter in the buffer, so no motion, deletion or undo can cut it.

use std::rc::Rc;

use tui_textarea::CursorMove;

use super::{
    buffer::Buffer,
    chips::{self, Chips},
    motion::{next_boundary, previous_boundary, word_left, word_right},
    wrapping::{WrappedMemo, WrappedRow, caret_of, wrap_lines},
};

/// Longest line that the buffer can address.
const LONGEST_LINE: usize = 60_000;
/// Most lines that are edited in place.
const MOST_LINES: usize = 5_000;
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
    pub(super) area: Buffer,
    pub(super) goal: Option<usize>,
    chips: Chips,
    is_single_line: bool,
    wrapped: WrappedMemo,
}

impl Default for Editor {
    fn default() -> Self {
        Self::multi_line()
    }
}

impl Editor {
    /// An empty text of any number of lines.
    pub fn multi_line() -> Self {
        Self {
            area: Buffer::new(),
            goal: None,
            chips: Chips::default(),
            is_single_line: false,
            wrapped: WrappedMemo::default(),
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
        self.chips = Chips::default();
        self.goal = None;
        if fits {
            self.area.set_lines(lines, (usize::MAX, usize::MAX));
        } else {
            self.area.set_lines(vec![String::new()], (0, 0));
            self.insert_chip(clean);
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
                match self.chips.text(c) {
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
    pub fn rows(&self, width: usize) -> Rc<[WrappedRow]> {
        self.wrapped.rows(self.area.revision(), width, || {
            wrap_lines(self.area.lines(), width, &|c| self.chips.label(c))
        })
    }

    /// Row and column of the caret among [`Editor::rows`].
    pub fn caret(&self, rows: &[WrappedRow]) -> (usize, usize) {
        caret_of(rows, self.area.cursor())
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
        let (row, _) = self.area.cursor();
        let crowds = self.line(row).len() + clean.len() > LONGEST_LINE
            || self.line_count() + lines > MOST_LINES;
        if (chips::is_large(&clean) || crowds) && !self.is_single_line {
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
            let text = self.chips.text(*line.get(index)?)?;
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

    /// Puts the cursor at a character of a line, at the start of the grapheme that it is part of.
    pub fn place(&mut self, line: usize, column: usize) {
        self.goal = None;
        let text = self.line(line);
        let is_inside = column > 0 && next_boundary(text, previous_boundary(text, column)) > column;
        let column = if is_inside {
            previous_boundary(text, column)
        } else {
            column
        };
        self.jump(line, column);
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
        // Without a character of its own it joined the last chip, whose label says more now.
        self.wrapped.forget();
        if let Some(stand_in) = self.chips.add(text) {
            self.area.insert_char(stand_in);
        }
    }

    fn clean(&self, text: &str) -> String {
        chips::clean(text, self.is_single_line)
    }

    pub(super) fn line(&self, row: usize) -> &str {
        self.area.lines().get(row).map_or("", String::as_str)
    }

    pub(super) fn insert_typed(&mut self, c: char) -> Edited {
        let text = self.clean(c.encode_utf8(&mut [0; 4]));
        match text.chars().next() {
            Some(c) if self.line(self.area.cursor().0).len() < LONGEST_LINE => {
                self.area.insert_char(c);
                Edited::Changed
            }
            _ => Edited::Ignored,
        }
    }

    pub(super) fn jump(&mut self, row: usize, column: usize) -> Edited {
        let row = row.min(u16::MAX as usize) as u16;
        let column = column.min(u16::MAX as usize) as u16;
        self.area.go(CursorMove::Jump(row, column));
        Edited::Moved
    }

    pub(super) fn move_word_left(&mut self) -> Edited {
        match self.area.cursor() {
            (_, 0) => self.step_left(),
            (row, column) => self.jump(row, word_left(self.line(row), column)),
        }
    }

    pub(super) fn move_word_right(&mut self) -> Edited {
        let (row, column) = self.area.cursor();
        match word_right(self.line(row), column) {
            found if found == column => self.step_right(),
            found => self.jump(row, found),
        }
    }

    pub(super) fn step_left(&mut self) -> Edited {
        let (row, column) = self.area.cursor();
        match (row, column) {
            (0, 0) => Edited::Moved,
            (row, 0) => self.jump(row - 1, usize::MAX),
            (row, column) => self.jump(row, previous_boundary(self.line(row), column)),
        }
    }

    pub(super) fn step_right(&mut self) -> Edited {
        let (row, column) = self.area.cursor();
        if column < self.line(row).chars().count() {
            return self.jump(row, next_boundary(self.line(row), column));
        }
        if row + 1 < self.line_count() {
            return self.jump(row + 1, 0);
        }
        Edited::Moved
    }

    pub(super) fn step_row(&mut self, by: isize, width: usize, goal: Option<usize>) -> Edited {
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

    pub(super) fn row_edge(&mut self, width: usize, is_end: bool) -> Edited {
        let rows = self.rows(width);
        let (row, _) = self.caret(&rows);
        match rows.get(row) {
            Some(row) if is_end => self.jump(row.line, row.char_at(usize::MAX)),
            Some(row) => self.jump(row.line, row.start),
            None => Edited::Ignored,
        }
    }

    pub(super) fn delete_back_to(&mut self, target: fn(&str, usize) -> usize) -> Edited {
        let (row, column) = self.area.cursor();
        if column == 0 {
            return changed(self.area.delete_newline());
        }
        let found = target(self.line(row), column);
        self.jump(row, found);
        self.remove(column - found)
    }

    pub(super) fn delete_forward_to(&mut self, target: fn(&str, usize) -> usize) -> Edited {
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

pub(super) fn changed(has_changed: bool) -> Edited {
    if has_changed {
        Edited::Changed
    } else {
        Edited::Moved
    }
}

#[cfg(test)]
#[path = "editor_tests.rs"]
mod tests;
