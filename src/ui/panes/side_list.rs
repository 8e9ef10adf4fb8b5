//! A list as the side panes draw it: entries of one or more rows, words at the right end of the first one, the
//! selected entry marked while its pane has the keyboard.

use ratatui::{buffer::Buffer, layout::Rect, text::Line};

use crate::{
    text::width::columns,
    ui::{
        Model,
        focus::Pane,
        theme::StyleName,
        view::layout,
        widgets::{
            scrollbar::{self, Extent},
            text::{put, put_line},
        },
    },
};

/// One entry.
#[derive(Clone, Debug, Default)]
pub struct Entry {
    /// Its rows.
    pub rows: Vec<Line<'static>>,
    /// What stands at the right end of the first row.
    pub right: String,
}

/// How many rows a page of a pane has.
pub fn page(model: &Model, pane: Pane) -> usize {
    let layout = layout(model);
    layout
        .of(pane)
        .map_or(1, |placed| usize::from(placed.inner.height))
}

/// Says that there is nothing, and what to do about it.
pub fn empty(model: &Model, area: Rect, words: &str, buffer: &mut Buffer) {
    put(
        buffer,
        area.x,
        area.y,
        area.width,
        words,
        model.style(StyleName::Dim),
    );
}

/// Draws a list; the selected entry is always shown.
pub fn view(
    model: &Model,
    pane: Pane,
    entries: &[Entry],
    selected: usize,
    area: Rect,
    buffer: &mut Buffer,
) {
    let has_keyboard = model.screen.focus == pane && model.overlay.is_none();
    let first = first_row(entries, selected, area.height);
    let mut row: usize = 0;
    for (index, entry) in entries.iter().enumerate() {
        let is_marked = has_keyboard && index == selected.min(entries.len().saturating_sub(1));
        for (number, line) in entry.rows.iter().enumerate() {
            let y = row.checked_sub(first).map(|offset| area.y + offset as u16);
            row += 1;
            let Some(y) = y.filter(|y| *y < area.bottom()) else {
                continue;
            };
            if is_marked {
                let margin = u16::from(area.x > buffer.area.x);
                let whole = Rect::new(area.x - margin, y, area.width + 2 * margin, 1);
                let whole = whole.intersection(buffer.area);
                buffer.set_style(whole, model.style(StyleName::Selection));
            }
            let right = if number == 0 {
                entry.right.as_str()
            } else {
                ""
            };
            draw_row(
                model,
                line,
                right,
                Rect {
                    y,
                    height: 1,
                    ..area
                },
                buffer,
            );
        }
    }
    let extent = Extent {
        first,
        shown: usize::from(area.height),
        total: row,
    };
    let bar = Rect {
        x: area.right(),
        width: 1,
        ..area
    };
    scrollbar::view(extent, bar, buffer, model.style(StyleName::Dim));
}

/// The entry under a row of the screen.
pub fn entry_at(entries: &[Entry], selected: usize, area: Rect, y: u16) -> Option<usize> {
    let mut left = first_row(entries, selected, area.height) + usize::from(y.checked_sub(area.y)?);
    for (index, entry) in entries.iter().enumerate() {
        match left.checked_sub(entry.rows.len()) {
            Some(rest) => left = rest,
            None => return Some(index),
        }
    }
    None
}

fn draw_row(model: &Model, line: &Line<'static>, right: &str, area: Rect, buffer: &mut Buffer) {
    let taken = columns(right) as u16;
    let gap = if taken > 0 { taken + 1 } else { 0 };
    // What stands at the right end gives way before the words do.
    let has_room = area.width >= 20 + gap;
    let room = if has_room {
        area.width - gap
    } else {
        area.width
    };
    put_line(buffer, area.x, area.y, room, line);
    if has_room && taken > 0 {
        put(
            buffer,
            area.right() - taken,
            area.y,
            taken,
            right,
            model.style(StyleName::Dim),
        );
    }
}

/// The first row to show: the selected entry stands whole and near the middle.
fn first_row(entries: &[Entry], selected: usize, height: u16) -> usize {
    let height = usize::from(height);
    let total: usize = entries.iter().map(|entry| entry.rows.len()).sum();
    let selected = selected.min(entries.len().saturating_sub(1));
    let before: usize = entries
        .iter()
        .take(selected)
        .map(|entry| entry.rows.len())
        .sum();
    before
        .saturating_sub(height / 2)
        .min(total.saturating_sub(height))
}
