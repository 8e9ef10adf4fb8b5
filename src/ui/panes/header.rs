//! The top line: title, profile, folder, level, mode, network, and how many requests wait. What does not fit is left
//! out from the least important on; what waits for the person goes last.

use ratatui::{buffer::Buffer, layout::Rect};

use crate::ui::{Model, focus::Pane, theme::StyleName, widgets::text::put};

/// Draws the line.
pub fn view(model: &Model, area: Rect, buffer: &mut Buffer) {
    put(
        buffer,
        area.x,
        area.y,
        area.width,
        " qd",
        model.style(StyleName::Header),
    );
}

/// Draws the tabs of the single-pane arrangement.
pub fn tabs(_model: &Model, _area: Rect, _buffer: &mut Buffer) {}

/// The pane whose tab stands in this column.
pub fn tab_at(_model: &Model, _column: u16, _width: u16) -> Option<Pane> {
    None
}
