//! The bottom line: the keys that work here, and the latest notice.

use ratatui::{buffer::Buffer, layout::Rect};

use crate::ui::Model;

/// Draws the line.
pub fn view(_model: &Model, _area: Rect, _buffer: &mut Buffer) {}
