//! A row of keys and what they do: `Enter send  Alt+Enter newline`. Hints that do not fit are left out whole.

use ratatui::{
    style::Style,
    text::{Line, Span},
};
use unicode_width::UnicodeWidthStr;

/// A key as people read it, and a word for what it does.
pub type Hint = (String, &'static str);

/// As many hints as fit into `width` columns.
pub fn line(hints: &[Hint], width: usize, key: Style, word: Style) -> Line<'static> {
    let mut spans = Vec::new();
    let mut used = 0;
    for (label, what) in hints {
        let gap = if spans.is_empty() { 0 } else { 2 };
        let columns = gap + label.width() + 1 + what.width();
        if used + columns > width {
            break;
        }
        used += columns;
        spans.push(Span::raw(" ".repeat(gap)));
        spans.push(Span::styled(label.clone(), key));
        spans.push(Span::styled(format!(" {what}"), word));
    }
    Line::from(spans)
}
