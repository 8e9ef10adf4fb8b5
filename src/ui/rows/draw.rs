//! Puts rows on the screen. Nothing is ever drawn outside the given rectangle.

use ratatui::{buffer::Buffer, layout::Rect};

use super::piece::{Joint, Row};
use crate::ui::theme::Theme;

/// Draws a row at the top of `area`.
pub fn draw(row: &Row, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    let area = area.intersection(buffer.area);
    if area.is_empty() {
        return;
    }
    let (mut x, y) = (area.x, area.y);
    for piece in &row.pieces {
        let left = area.right().saturating_sub(x);
        if left == 0 {
            break;
        }
        (x, _) = buffer.set_stringn(
            x,
            y,
            &piece.text,
            usize::from(left),
            piece.paint.style(theme),
        );
    }
    if let Some(fill) = row.fill {
        let rest = Rect::new(x, y, area.right().saturating_sub(x), 1);
        buffer.set_style(rest, theme.style(fill));
    }
}

/// The text of rows as it is copied: without decoration, rows of one line joined.
pub fn plain(rows: &[Row]) -> String {
    let mut text = String::new();
    for (index, row) in rows.iter().enumerate() {
        let whole = row.text();
        let from = crate::text::width::offset_at(&whole, row.gutter);
        let shown = whole.get(from..).unwrap_or_default().trim_end();
        if index > 0 {
            match row.joint {
                Joint::Line => text.push('\n'),
                Joint::Blank => text.push(' '),
                Joint::Cut => {}
            }
        }
        text.push_str(shown);
    }
    text
}
