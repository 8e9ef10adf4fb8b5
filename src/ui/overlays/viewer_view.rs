//! Draws the viewer: the lines that fit, matches marked, the search at the bottom.

use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
};

use super::{
    surface,
    viewer::{State, matches},
};
use crate::{
    text::width::columns,
    ui::{
        Model,
        theme::StyleName,
        widgets::{
            frame::Title,
            scrollbar::{self, Extent},
            text::put,
        },
    },
};

/// Draws the viewer and returns where the cursor stands.
pub fn view(model: &Model, state: &State, body: Rect, buffer: &mut Buffer) -> Option<Position> {
    let total = state.lines.as_ref().map_or(0, Vec::len);
    let (first, skipped) = state.first();
    let place = match (&state.lines, state.follows) {
        (None, _) => String::new(),
        (Some(_), true) => format!("{total} lines · follows"),
        (Some(_), false) => format!("line {} of {total}", (first + 1).min(total)),
    };
    let title = Title::named(state.title.as_str()).right(place);
    let inside = surface::open(model, body, &title, buffer);
    if inside.is_empty() {
        return None;
    }
    if let Some(text) = waiting(state) {
        put(
            buffer,
            inside.x,
            inside.y,
            inside.width,
            text,
            model.style(StyleName::Dim),
        );
    }
    let mut y = inside.y;
    let lines = state.lines.as_deref().unwrap_or_default();
    for (index, line) in lines.iter().enumerate().skip(first) {
        let skip = if index == first { skipped } else { 0 };
        for row in state.rows_of(line).into_iter().skip(skip) {
            if y >= inside.bottom() {
                break;
            }
            let area = Rect::new(inside.x, y, inside.width, 1);
            draw_row(model, state, line, row, area, buffer);
            y += 1;
        }
        if y >= inside.bottom() {
            break;
        }
    }
    let extent = Extent {
        first,
        shown: usize::from(inside.height),
        total,
    };
    let bar = Rect::new(body.right().saturating_sub(1), inside.y, 1, inside.height);
    scrollbar::view(extent, bar, buffer, model.style(StyleName::BorderFocused));
    search(model, state, inside, buffer)
}

fn waiting(state: &State) -> Option<&str> {
    match (&state.failed, &state.lines) {
        (Some(failed), _) => Some(failed),
        (None, None) => Some("…"),
        (None, Some(lines)) if lines.is_empty() => Some("empty"),
        _ => None,
    }
}

fn draw_row(
    model: &Model,
    state: &State,
    line: &str,
    row: std::ops::Range<usize>,
    area: Rect,
    buffer: &mut Buffer,
) {
    let text = line.get(row.clone()).unwrap_or_default();
    put(
        buffer,
        area.x,
        area.y,
        area.width,
        text,
        model.style(StyleName::Text),
    );
    for found in matches(line, &state.query) {
        let (start, end) = (found.start.max(row.start), found.end.min(row.end));
        if start >= end {
            continue;
        }
        let before = columns(line.get(row.start..start).unwrap_or_default()) as u16;
        let wide = columns(line.get(start..end).unwrap_or_default()) as u16;
        let mark = Rect::new(area.x.saturating_add(before), area.y, wide, 1);
        buffer.set_style(mark.intersection(area), model.style(StyleName::Match));
    }
}

/// The search being typed stands over the last row.
fn search(model: &Model, state: &State, inside: Rect, buffer: &mut Buffer) -> Option<Position> {
    let field = state.typing.as_ref()?;
    let y = inside.bottom() - 1;
    for x in inside.left()..inside.right() {
        if let Some(cell) = buffer.cell_mut((x, y)) {
            cell.reset();
        }
    }
    put(buffer, inside.x, y, 1, "/", model.style(StyleName::Accent));
    let area = Rect::new(inside.x + 1, y, inside.width.saturating_sub(1), 1);
    field.view(area, buffer, model.style(StyleName::Text));
    let column = field.cursor_column(area.width);
    Some(Position::new(
        area.x + column.min(area.width.saturating_sub(1)),
        y,
    ))
}
