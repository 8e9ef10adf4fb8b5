//! Draws the viewer: the lines that fit, matches marked, the search at the bottom.

use std::ops::Range;

use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
};

use super::{
    surface,
    viewer::{Source, State, size},
    viewer_rows::Lines,
};
use crate::{
    text::{
        truncate::{ceil_boundary, floor_boundary},
        width::columns,
    },
    ui::{
        Model,
        rows::Row,
        theme::StyleName,
        widgets::{
            frame::Title,
            scrollbar::{self, Extent},
            text::put,
        },
    },
};

/// Bytes of a letter at most, whatever its case.
const BYTES_OF_A_LETTER: usize = 4;

/// Draws the viewer and returns where the cursor stands.
pub fn view(model: &Model, state: &State, body: Rect, buffer: &mut Buffer) -> Option<Position> {
    let size = size(model);
    let total = state.lines.as_ref().map_or(0, |lines| lines.all().len());
    let (first, skipped) = state.first(size);
    let known = state.dropped + total;
    let place = match (&state.lines, state.follows) {
        (None, _) => String::new(),
        (Some(_), true) => format!("{known} lines · follows"),
        (Some(_), false) => format!("line {} of {known}", (state.dropped + first + 1).min(known)),
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
    let shape = state.shape(size);
    let nothing = Lines::default();
    let lines = state.lines.as_ref().unwrap_or(&nothing);
    for number in first..total {
        let skip = if number == first { skipped } else { 0 };
        let rows = lines.rows(number, shape);
        for row in rows.iter().skip(skip) {
            if y >= inside.bottom() {
                break;
            }
            let area = Rect::new(inside.x, y, inside.width, 1);
            let line = lines.get(number);
            let text = line.get(row.clone()).unwrap_or_default();
            let style = model.style(StyleName::Text);
            put(buffer, area.x, area.y, area.width, text, style);
            if let Source::Rows(lines) = &state.source
                && let Some(drawn) = lines.get(number)
            {
                put_looks(model, drawn, line, row, area, buffer);
            }
            mark_matches(model, state, line, row, area, buffer);
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
        (None, Some(lines)) if lines.all().is_empty() => Some("empty"),
        _ => None,
    }
}

/// Lays the looks of a line over the part of it that stands in a row.
fn put_looks(
    model: &Model,
    drawn: &Row,
    line: &str,
    row: &Range<usize>,
    area: Rect,
    buffer: &mut Buffer,
) {
    let mut end = 0;
    for piece in &drawn.pieces {
        let start = end;
        end += piece.text.len();
        let style = piece.paint.style(&model.theme);
        buffer.set_style(part(line, start..end, row, area), style);
    }
    if let Some(fill) = drawn.fill {
        let taken = columns(line.get(row.clone()).unwrap_or_default()) as u16;
        let rest = Rect {
            x: area.x.saturating_add(taken),
            width: area.width.saturating_sub(taken),
            ..area
        };
        buffer.set_style(rest, model.style(fill));
    }
}

/// Where a part of a line stands in one of its rows; empty when it does not.
fn part(line: &str, part: Range<usize>, row: &Range<usize>, area: Rect) -> Rect {
    let (start, end) = (part.start.max(row.start), part.end.min(row.end));
    if start >= end {
        return Rect::default();
    }
    let before = columns(line.get(row.start..start).unwrap_or_default()) as u16;
    let wide = columns(line.get(start..end).unwrap_or_default()) as u16;
    Rect::new(area.x.saturating_add(before), area.y, wide, 1).intersection(area)
}

fn mark_matches(
    model: &Model,
    state: &State,
    line: &str,
    row: &Range<usize>,
    area: Rect,
    buffer: &mut Buffer,
) {
    let Some(pattern) = &state.pattern else {
        return;
    };
    // A match may begin or end in a neighbouring row; the rest of a long line is not looked at.
    let reach = pattern.as_str().len() * BYTES_OF_A_LETTER;
    let from = floor_boundary(line, row.start.saturating_sub(reach));
    let to = ceil_boundary(line, row.end.saturating_add(reach).min(line.len()));
    for found in pattern.find_iter(line.get(from..to).unwrap_or_default()) {
        let found = from + found.start()..from + found.end();
        let mark = part(line, found, row, area);
        buffer.set_style(mark, model.style(StyleName::Match));
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
