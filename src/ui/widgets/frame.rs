//! Borders of panes and of what floats above them. Panes that stand on each other share a border row.

use ratatui::{buffer::Buffer, layout::Rect, style::Style};
use unicode_width::UnicodeWidthStr;

use super::text::put;
use crate::ui::focus::Pane;

/// What stands in the upper border.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Title {
    /// `1 Conversation · main`.
    pub name: String,
    /// Behind the name: `2 of 4`.
    pub note: String,
    /// At the right end: `steer ▸ main`.
    pub right: String,
}

/// How a frame looks.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// The lines.
    pub border: Style,
    /// The name.
    pub title: Style,
    /// Notes beside it.
    pub note: Style,
}

impl Title {
    /// A pane's number and name.
    pub fn of(pane: Pane) -> Self {
        Self {
            name: format!("{} {}", pane.number(), pane.name()),
            ..Self::default()
        }
    }

    /// A title without a number.
    pub fn named(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }

    /// Adds a note behind the name.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }

    /// Adds words at the right end.
    pub fn right(mut self, right: impl Into<String>) -> Self {
        self.right = right.into();
        self
    }
}

/// Which rows of a frame are shared with a neighbour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Joints {
    /// The upper row is the lower row of the pane above.
    pub above: bool,
    /// The lower row is the upper row of the pane below.
    pub below: bool,
}

/// Draws a frame around `area`'s edge.
pub fn view(area: Rect, buffer: &mut Buffer, title: &Title, look: Look, joints: Joints) {
    let area = area.intersection(buffer.area);
    if area.width < 2 || area.height < 2 {
        return;
    }
    let (left, right) = (area.left(), area.right() - 1);
    let (top, bottom) = (area.top(), area.bottom() - 1);
    for x in left + 1..right {
        set(buffer, x, top, "─", look.border);
        // A shared row belongs to the pane below, title and all; only its line takes this pane's colour.
        if !joints.below {
            set(buffer, x, bottom, "─", look.border);
        } else if let Some(cell) = buffer.cell_mut((x, bottom))
            && cell.symbol() == "─"
        {
            cell.set_style(look.border);
        }
    }
    for y in top + 1..bottom {
        set(buffer, left, y, "│", look.border);
        set(buffer, right, y, "│", look.border);
    }
    let corners = [
        (left, top, if joints.above { "├" } else { "┌" }),
        (right, top, if joints.above { "┤" } else { "┐" }),
        (left, bottom, if joints.below { "├" } else { "└" }),
        (right, bottom, if joints.below { "┤" } else { "┘" }),
    ];
    for (x, y, symbol) in corners {
        set(buffer, x, y, symbol, look.border);
    }
    title_row(area, buffer, title, look);
}

fn title_row(area: Rect, buffer: &mut Buffer, title: &Title, look: Look) {
    let end = area.right().saturating_sub(2);
    let mut x = area.left() + 1;
    let room = |x: u16| end.saturating_sub(x);
    if !title.name.is_empty() && room(x) > 3 {
        x += put(buffer, x, area.top(), 1, " ", look.border);
        x += put(buffer, x, area.top(), room(x), &title.name, look.title);
        x += put(buffer, x, area.top(), 1, " ", look.border);
    }
    if !title.note.is_empty() && usize::from(room(x)) >= title.note.width() + 4 {
        x += 1;
        x += put(buffer, x, area.top(), 1, " ", look.border);
        x += put(buffer, x, area.top(), room(x), &title.note, look.note);
        x += put(buffer, x, area.top(), 1, " ", look.border);
    }
    let columns = title.right.width() as u16 + 2;
    if !title.right.is_empty() && room(x) > columns {
        let start = end.saturating_sub(columns + 2);
        let start = start.max(x);
        put(buffer, start, area.top(), 1, " ", look.border);
        put(
            buffer,
            start + 1,
            area.top(),
            columns,
            &title.right,
            look.note,
        );
        put(buffer, start + columns - 1, area.top(), 1, " ", look.border);
    }
}

fn set(buffer: &mut Buffer, x: u16, y: u16, symbol: &str, style: Style) {
    if let Some(cell) = buffer.cell_mut((x, y)) {
        cell.set_symbol(symbol).set_style(style);
    }
}
