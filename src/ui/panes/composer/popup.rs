//! A short list that floats above the composer: completions, earlier messages.

use ratatui::{buffer::Buffer, layout::Rect};

use super::completion::OFFERED;
use crate::{
    text::width::columns,
    ui::{
        Model,
        theme::StyleName,
        widgets::{
            frame::{self, Joints, Look, Title},
            list::Selection,
            text::put,
        },
    },
};

/// One row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// What is chosen.
    pub label: String,
    /// What it is.
    pub note: String,
}

/// Draws the list above `area` (inside it where there is no room above). `empty` is said when there is no row.
pub fn view(
    model: &Model,
    area: Rect,
    rows: &[Row],
    selected: usize,
    empty: &str,
    buffer: &mut Buffer,
) {
    let Some(outer) = place(area, rows.len().clamp(1, OFFERED), buffer.area) else {
        return;
    };
    for position in outer.positions() {
        if let Some(cell) = buffer.cell_mut(position) {
            cell.reset();
        }
    }
    let look = Look {
        border: model.style(StyleName::Border),
        title: model.style(StyleName::Title),
        note: model.style(StyleName::Dim),
    };
    let shown = usize::from(outer.height.saturating_sub(2));
    let title = if rows.len() > shown {
        Title::default().right(format!("{} of {}", selected + 1, rows.len()))
    } else {
        Title::default()
    };
    frame::view(outer, buffer, &title, look, Joints::default());
    let inner = Rect::new(
        outer.x + 2,
        outer.y + 1,
        outer.width.saturating_sub(4),
        outer.height.saturating_sub(2),
    );
    if rows.is_empty() {
        put(
            buffer,
            inner.x,
            inner.y,
            inner.width,
            empty,
            model.style(StyleName::Dim),
        );
        return;
    }
    let first = Selection { selected }.first_shown(rows.len(), shown);
    let label_width = rows
        .iter()
        .skip(first)
        .take(shown)
        .map(|row| columns(&row.label))
        .max()
        .unwrap_or(0)
        .min(usize::from(inner.width)) as u16;
    for (offset, row) in rows.iter().skip(first).take(shown).enumerate() {
        let y = inner.y + offset as u16;
        let is_selected = first + offset == selected;
        let style = model.style(if is_selected {
            StyleName::Selection
        } else {
            StyleName::Text
        });
        if is_selected {
            buffer.set_style(Rect::new(inner.x - 1, y, inner.width + 2, 1), style);
        }
        put(buffer, inner.x, y, label_width, &row.label, style);
        let note_x = inner.x + label_width + 2;
        let room = inner.right().saturating_sub(note_x);
        let note_style = if is_selected {
            style
        } else {
            model.style(StyleName::Dim)
        };
        put(buffer, note_x, y, room, &row.note, note_style);
    }
}

/// Above the border of `area`, or at its lower end.
fn place(area: Rect, rows: usize, screen: Rect) -> Option<Rect> {
    let above = area.y.saturating_sub(screen.y).saturating_sub(2);
    let height = (rows as u16 + 2).min(above.max(area.height));
    if height < 3 || area.width < 10 {
        return None;
    }
    let y = if above >= 3 {
        let height = height.min(above);
        return Some(Rect::new(area.x, area.y - 1 - height, area.width, height));
    } else {
        area.bottom() - height.min(area.height)
    };
    Some(Rect::new(area.x, y, area.width, height.min(area.height)))
}
