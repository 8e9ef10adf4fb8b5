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
use crate::ui::widgets::field;

/// Longest line that the buffer can address.
pub(super) const LONGEST_LINE: usize = 60_000;
/// Most lines that are edited in place.
pub(super) const MOST_LINES: usize = 5_000;
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
    pub(super) chips: Chips,
    is_single_line: bool,
    /// How many characters it takes, when it is a field.
    pub(super) most: Option<usize>,
    pub(super) wrapped: WrappedMemo,
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
            most: None,
            wrapped: WrappedMemo::default(),
        }
    }

    /// An empty text of one line: line ends become spaces.
    pub fn single_line() -> Self {
        Self {
            is_single_line: true,
            ..Self::multi_line().field()
        }
    }

    /// The same editor as a field, which takes no more than fields do.
    pub fn field(mut self) -> Self {
        self.most = Some(field::MOST);
        self
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

    /// Puts a text at the cursor, line ends made equal and controls dropped. Returns how many characters a field has no
    /// place for any more.
    pub fn insert(&mut self, text: &str) -> usize {
        self.goal = None;
        let mut clean = self.clean(text);
        let mut left_out = 0;
        if let Some(room) = self.room()
            && let Some((at, _)) = clean.char_indices().nth(room)
        {
            left_out = clean.split_off(at).chars().count();
        }
        if !clean.is_empty() {
            self.area.insert_str(clean);
        }
        left_out
    }

    /// How many characters a field still takes.
    fn room(&self) -> Option<usize> {
        let most = self.most?;
        let lines = self.area.lines().iter();
        Some(most.saturating_sub(lines.map(|line| line.chars().count() + 1).sum::<usize>() - 1))
    }

    /// Whether nothing more can be typed where the cursor stands.
    pub(super) fn is_full(&self) -> bool {
        self.room() == Some(0) || self.line(self.area.cursor().0).len() >= LONGEST_LINE
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

    pub(super) fn clean(&self, text: &str) -> String {
        chips::clean(text, self.is_single_line)
    }

    pub(super) fn line(&self, row: usize) -> &str {
        self.area.lines().get(row).map_or("", String::as_str)
    }

    pub(super) fn insert_typed(&mut self, c: char) -> Edited {
        let text = self.clean(c.encode_utf8(&mut [0; 4]));
        match text.chars().next() {
            Some(c) if !self.is_full() => {
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
