//! Which rows of a list are shown: the selected one always is, and the list moves only when it has to.

use crate::ui::keymap::Action;

/// Selection and first shown row of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The selected row.
    pub selected: usize,
}

impl Selection {
    /// Moves by an action of the list scope; false when the action does not move.
    pub fn update(&mut self, action: Action, rows: usize, page: usize) -> bool {
        let last = rows.saturating_sub(1);
        let page = page.max(1);
        let selected = self.selected.min(last);
        self.selected = match action {
            Action::Up => selected.saturating_sub(1),
            Action::Down => selected + 1,
            Action::PageUp => selected.saturating_sub(page),
            Action::PageDown => selected + page,
            Action::HalfPageUp => selected.saturating_sub(page.div_ceil(2)),
            Action::HalfPageDown => selected + page.div_ceil(2),
            Action::First => 0,
            Action::Last => last,
            _ => return false,
        }
        .min(last);
        true
    }

    /// The first row to show when `height` of `rows` fit: the selection stands in the middle where it can.
    pub fn first_shown(&self, rows: usize, height: usize) -> usize {
        let selected = self.selected.min(rows.saturating_sub(1));
        selected
            .saturating_sub(height / 2)
            .min(rows.saturating_sub(height))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_selection_is_always_shown() {
        for rows in 0..20 {
            for height in 1..8 {
                for selected in 0..rows {
                    let list = Selection { selected };
                    let first = list.first_shown(rows, height);

                    assert!(first <= selected && selected < first + height);
                    assert!(first + height <= rows.max(height));
                }
            }
        }
    }

    #[test]
    fn moving_stops_at_both_ends() {
        let mut list = Selection::default();

        list.update(Action::Up, 3, 2);
        assert_eq!(list.selected, 0);
        list.update(Action::PageDown, 3, 9);
        assert_eq!(list.selected, 2);
        list.update(Action::Down, 0, 9);
        assert_eq!(list.selected, 0);
    }
}
