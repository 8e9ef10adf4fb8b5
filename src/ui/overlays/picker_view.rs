//! Draws a picker: name, description and key side by side, or the description below the name where there is little room.

use std::ops::Range;

use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
};

use super::{
    picker::{Row, State},
    surface,
};
use crate::{
    text::{width::columns, wrap::wrap},
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

/// Columns of the box.
const WIDTH: u16 = 96;
/// Lines of the list.
const LINES: usize = 18;
/// With fewer columns than this beside its name a description stands below it.
const BESIDE: usize = 30;
/// Columns by which a description below its name is set off.
const INDENT: usize = 2;

/// The lines of a list, as many for a row as its description takes.
struct Lines {
    /// Columns of the names; `None` when descriptions stand below them.
    label: Option<usize>,
    /// The description of each row, in the order in which they are shown.
    details: Vec<Vec<String>>,
}

impl Lines {
    fn of<'a>(state: &'a State, rows: impl Iterator<Item = &'a Row>, width: usize) -> Self {
        let widest = |of: fn(&Row) -> usize| state.rows.iter().map(of).max().unwrap_or(0);
        let label = widest(|row| columns(&row.label));
        let note = widest(|row| columns(&row.note));
        let has_details = state.rows.iter().any(|row| !row.detail.is_empty());
        let is_beside = width >= label + note + 4 + BESIDE;
        let label = (has_details && is_beside).then_some(label);
        let details = rows.map(|row| detail(row, label, width)).collect();
        Self { label, details }
    }

    fn height(&self, row: usize) -> usize {
        self.details.get(row).map_or(1, |detail| match self.label {
            Some(_) => detail.len().max(1),
            None => detail.len() + 1,
        })
    }

    /// The lines that a row takes.
    fn span(&self, row: usize) -> Range<usize> {
        let before = (0..row).map(|row| self.height(row)).sum();
        before..before + self.height(row)
    }

    fn total(&self) -> usize {
        (0..self.details.len()).map(|row| self.height(row)).sum()
    }

    /// The first line to show: the selected row stands whole, in the middle where it can.
    fn first(&self, selected: usize, height: usize) -> usize {
        let span = self.span(selected);
        span.start
            .saturating_sub(height / 2)
            .min(self.total().saturating_sub(height))
            .max(span.end.saturating_sub(height))
            .min(span.start)
    }
}

fn detail(row: &Row, label: Option<usize>, width: usize) -> Vec<String> {
    if row.detail.is_empty() {
        return Vec::new();
    }
    let note = columns(&row.note);
    let taken = match label {
        Some(label) if note > 0 => label + 2 + note + 2,
        Some(label) => label + 2,
        None => INDENT,
    };
    paragraph(&row.detail, width.saturating_sub(taken))
}

fn paragraph(text: &str, width: usize) -> Vec<String> {
    let rows = wrap(text, width.max(1));
    rows.iter().map(|row| row.of(text).to_owned()).collect()
}

/// Where everything of a picker stands.
struct Places {
    outer: Rect,
    intro: Vec<String>,
    list: Rect,
}

fn places(state: &State, body: Rect) -> Places {
    let width = usize::from(WIDTH.min(body.width).saturating_sub(4));
    let rows = Lines::of(state, state.rows.iter(), width).total();
    let rows = rows.clamp(1, LINES) as u16;
    // The list is what the picker is for: of the words above it the first ones give way to three lines of it.
    let most = usize::from(body.height).saturating_sub(4 + 3 + 1);
    let mut intro = Vec::new();
    for text in state.intro.iter().rev() {
        let mut lines = paragraph(text, width);
        if lines.len() + intro.len() > most {
            break;
        }
        lines.append(&mut intro);
        intro = lines;
    }
    let above = intro.len() as u16 + u16::from(!intro.is_empty());
    let outer = surface::centred(body, WIDTH, rows + above + 4);
    let inside = if outer.width < 5 || outer.height < 3 {
        Rect::new(outer.x, outer.y, 0, 0)
    } else {
        Rect::new(outer.x + 2, outer.y + 1, outer.width - 4, outer.height - 2)
    };
    // The blank row below the query gives way as well.
    let gap = if inside.height >= above + 2 + rows.min(3) {
        2
    } else {
        1
    };
    let list = Rect {
        y: inside.y.saturating_add(above + gap).min(inside.bottom()),
        height: inside.height.saturating_sub(above + gap),
        ..inside
    };
    Places { outer, intro, list }
}

fn shown(state: &State, width: u16) -> Lines {
    let rows = state.left.iter().filter_map(|index| state.rows.get(*index));
    Lines::of(state, rows, usize::from(width))
}

/// The row at a place of the screen.
pub fn row_at(state: &State, body: Rect, (x, y): (u16, u16)) -> Option<usize> {
    let area = places(state, body).list;
    if !area.contains((x, y).into()) {
        return None;
    }
    let lines = shown(state, area.width);
    let first = lines.first(state.selection.selected, usize::from(area.height));
    let line = usize::from(y - area.y) + first;
    (0..state.left.len()).find(|row| lines.span(*row).contains(&line))
}

/// Draws the picker and returns where the cursor stands.
pub fn view(model: &Model, state: &State, body: Rect, buffer: &mut Buffer) -> Option<Position> {
    let places = places(state, body);
    let lines = shown(state, places.list.width);
    let total = state.rows.len();
    let count = match state.left.len() {
        left if left < total => format!("{left} of {total}"),
        _ if lines.total() > usize::from(places.list.height) => {
            format!("{} of {total}", state.selection.selected + 1)
        }
        _ => String::new(),
    };
    let title = Title::named(&state.title).right(count);
    let inside = surface::open(model, places.outer, &title, buffer);
    if inside.is_empty() {
        return None;
    }
    let mut y = inside.y;
    for line in &places.intro {
        let style = model.style(StyleName::Dim);
        put(buffer, inside.x, y, inside.width, line, style);
        y += 1;
    }
    y += u16::from(!places.intro.is_empty());
    if y >= inside.bottom() {
        return None;
    }
    let column = query(
        model,
        state,
        Rect::new(inside.x, y, inside.width, 1),
        buffer,
    );
    list(model, state, &lines, places.list, buffer);
    Some(Position::new(column, y))
}

/// Draws the query and returns the column of the cursor.
fn query(model: &Model, state: &State, area: Rect, buffer: &mut Buffer) -> u16 {
    let field = Rect {
        x: area.x + 2,
        width: area.width.saturating_sub(2),
        ..area
    };
    let accent = model.style(StyleName::Accent);
    put(buffer, area.x, area.y, 2, "❯ ", accent);
    if state.query.is_empty() {
        let style = model.style(StyleName::Faint);
        put(
            buffer,
            field.x,
            area.y,
            field.width,
            "type to narrow",
            style,
        );
    }
    let style = model.style(StyleName::Text);
    state.query.view(field, buffer, style);
    let column = state.query.cursor_column(field.width);
    field.x + column.min(field.width.saturating_sub(1))
}

fn list(model: &Model, state: &State, lines: &Lines, area: Rect, buffer: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    if state.left.is_empty() {
        let style = model.style(StyleName::Dim);
        put(buffer, area.x, area.y, area.width, &state.empty, style);
        return;
    }
    let height = usize::from(area.height);
    let first = lines.first(state.selection.selected, height);
    for (place, index) in state.left.iter().enumerate() {
        let span = lines.span(place);
        if span.start >= first + height {
            break;
        }
        let Some(row) = state.rows.get(*index) else {
            continue;
        };
        for (number, line) in span.enumerate() {
            let Some(y) = line.checked_sub(first).filter(|y| *y < height) else {
                continue;
            };
            let line = Rect::new(area.x, area.y + y as u16, area.width, 1);
            row_line(model, row, (lines, place, number), line, buffer);
            if place == state.selection.selected {
                let wide = Rect::new(line.x - 1, line.y, line.width + 2, 1);
                let style = model.style(StyleName::Selection);
                buffer.set_style(wide.intersection(buffer.area), style);
            }
        }
    }
    let extent = Extent {
        first,
        shown: height,
        total: lines.total(),
    };
    let bar = Rect::new(area.right() + 1, area.y, 1, area.height);
    scrollbar::view(extent, bar, buffer, model.style(StyleName::BorderFocused));
}

fn row_line(
    model: &Model,
    row: &Row,
    (lines, place, number): (&Lines, usize, usize),
    area: Rect,
    buffer: &mut Buffer,
) {
    let note = (columns(&row.note) as u16).min(area.width / 2);
    let text = model.style(StyleName::Text);
    if number == 0 {
        let room = match lines.label {
            Some(label) => label as u16,
            None if note > 0 => area.width.saturating_sub(note + 2),
            None => area.width,
        };
        put(
            buffer,
            area.x,
            area.y,
            room.min(area.width),
            &row.label,
            text,
        );
        let key = model.style(StyleName::Key);
        put(buffer, area.right() - note, area.y, note, &row.note, key);
    }
    let (line, indent) = match lines.label {
        Some(label) => (Some(number), label + 2),
        None => (number.checked_sub(1), INDENT),
    };
    let details = lines.details.get(place);
    if let Some(words) = line.and_then(|line| details?.get(line)) {
        let x = area.x + indent as u16;
        let room = area.right().saturating_sub(x);
        put(buffer, x, area.y, room, words, model.style(StyleName::Dim));
    }
}
