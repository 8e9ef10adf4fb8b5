//! Which key does what to a text being edited, below the keymap: arrows, deletions and the Emacs letters that
//! shells have taught everybody.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{
    editor::{Edited, Editor, changed},
    motion::{next_boundary, previous_boundary, word_left, word_right},
};

impl Editor {
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
            'y' if self.is_full() => Edited::Ignored,
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
}
