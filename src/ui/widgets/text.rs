//! Text put into cells, cut at a column and never inside a character.

use ratatui::{
    buffer::Buffer,
    style::Style,
    text::{Line, Span},
};
use unicode_width::UnicodeWidthStr;

use crate::text::truncate::head;

/// Puts text at a place, at most `width` columns of it, and returns the columns used. What does not fit ends with `…`.
pub fn put(buffer: &mut Buffer, x: u16, y: u16, width: u16, text: &str, style: Style) -> u16 {
    if width == 0 || y < buffer.area.top() || y >= buffer.area.bottom() {
        return 0;
    }
    let cut = head(text, usize::from(width));
    let (end, _) = buffer.set_stringn(x, y, cut, usize::from(width), style);
    end.saturating_sub(x)
}

/// Puts a styled line at a place, at most `width` columns of it, and returns the columns used.
pub fn put_line(buffer: &mut Buffer, x: u16, y: u16, width: u16, line: &Line<'_>) -> u16 {
    let mut at = x;
    let end = x.saturating_add(width);
    for span in &line.spans {
        at += put(
            buffer,
            at,
            y,
            end.saturating_sub(at),
            &span.content,
            line.style.patch(span.style),
        );
        if at >= end {
            break;
        }
    }
    at - x
}

/// Columns of a styled line.
pub fn line_width(spans: &[Span<'_>]) -> usize {
    spans.iter().map(|span| span.content.width()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_stops_at_its_last_column() {
        let mut buffer = Buffer::empty(ratatui::layout::Rect::new(0, 0, 6, 1));
        let line = Line::from(vec![Span::raw("abc"), Span::raw("defgh")]);

        let used = put_line(&mut buffer, 0, 0, 5, &line);

        assert_eq!(used, 5);
        assert_eq!(buffer, Buffer::with_lines(["abcd… "]));
    }
}
