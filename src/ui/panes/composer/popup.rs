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

/// What is listed; only rows that are shown are made.
pub struct Rows<'a> {
    /// How many there are.
    pub count: usize,
    /// One of them.
    pub row: Box<dyn Fn(usize) -> Row + 'a>,
    /// Which is selected.
    pub selected: usize,
    /// What is said when there is none.
    pub empty: &'static str,
}

/// Draws the list above `area` (inside it where there is no room above).
pub fn view(model: &Model, area: Rect, rows: &Rows<'_>, buffer: &mut Buffer) {
    let selected = rows.selected;
    let Some(outer) = place(area, rows.count.clamp(1, OFFERED), buffer.area) else {
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
    let title = if rows.count > shown {
        Title::default().right(format!("{} of {}", selected + 1, rows.count))
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
    if rows.count == 0 {
        put(
            buffer,
            inner.x,
            inner.y,
            inner.width,
            rows.empty,
            model.style(StyleName::Dim),
        );
        return;
    }
    let first = Selection { selected }.first_shown(rows.count, shown);
    let listed: Vec<Row> = (first..rows.count).take(shown).map(&rows.row).collect();
    let label_width = listed
        .iter()
        .map(|row| columns(&row.label))
        .max()
        .unwrap_or(0)
        .min(usize::from(inner.width)) as u16;
    for (offset, row) in listed.iter().enumerate() {
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
