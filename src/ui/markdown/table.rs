//! Tables: columns as wide as their cells where there is room, wrapped inside cells where there is less, and a list
//! of `heading: value` lines where columns would be too narrow to read.

use pulldown_cmark::Alignment;
use ratatui::style::Modifier;

use crate::{
    text::width::columns,
    ui::{
        rows::{Flow, Paint, Piece, Row, flow},
        theme::StyleName,
    },
};

/// The least columns that a wrapped column gets.
const NARROWEST: usize = 6;
/// What stands between two columns.
const GAP: &str = " │ ";

/// A cell: its words.
pub type Cell = Vec<Piece>;

/// A table as it was read.
#[derive(Debug, Default)]
pub struct Table {
    /// How each column is set.
    pub alignments: Vec<Alignment>,
    /// The headings.
    pub head: Vec<Cell>,
    /// The rows.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// The rows of the screen inside `width` columns.
    pub fn draw(&self, width: usize) -> Vec<Row> {
        match self.widths(width) {
            Some(widths) => self.grid(&widths),
            None => self.list(width),
        }
    }

    fn column_count(&self) -> usize {
        let widest = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        self.head.len().max(widest)
    }

    /// Widths of the columns, or nothing when they do not fit.
    fn widths(&self, width: usize) -> Option<Vec<usize>> {
        let count = self.column_count();
        let gaps = columns(GAP) * count.saturating_sub(1);
        let room = width.checked_sub(gaps)?;
        let natural: Vec<usize> = (0..count)
            .map(|column| {
                self.column(column)
                    .map(widest_line)
                    .max()
                    .unwrap_or(0)
                    .max(1)
            })
            .collect();
        if natural.iter().sum::<usize>() <= room {
            return Some(natural);
        }
        let least: Vec<usize> = natural.iter().map(|wide| (*wide).min(NARROWEST)).collect();
        if least.iter().sum::<usize>() > room {
            return None;
        }
        Some(share(&natural, &least, room))
    }

    fn column(&self, column: usize) -> impl Iterator<Item = &Cell> {
        std::iter::once(&self.head)
            .chain(&self.rows)
            .filter_map(move |row| row.get(column))
    }

    fn grid(&self, widths: &[usize]) -> Vec<Row> {
        let mut rows = Vec::new();
        if !self.head.is_empty() {
            let head: Vec<Cell> = self.head.iter().map(bold).collect();
            rows.extend(self.grid_row(&head, widths));
            let rule = widths
                .iter()
                .map(|wide| "─".repeat(*wide))
                .collect::<Vec<_>>()
                .join("─┼─");
            rows.push(Row::of(rule, StyleName::Marker));
        }
        for row in &self.rows {
            rows.extend(self.grid_row(row, widths));
        }
        rows
    }

    /// One row of cells: as many rows of the screen as its highest cell.
    fn grid_row(&self, cells: &[Cell], widths: &[usize]) -> Vec<Row> {
        let wrapped: Vec<Vec<Row>> = widths
            .iter()
            .enumerate()
            .map(|(column, wide)| {
                let cell = cells.get(column).map_or(&[][..], Vec::as_slice);
                flow(cell, &Flow::words(*wide))
            })
            .collect();
        let height = wrapped.iter().map(Vec::len).max().unwrap_or(1);
        (0..height)
            .map(|line| {
                let mut pieces = Vec::new();
                for (column, wide) in widths.iter().enumerate() {
                    if column > 0 {
                        pieces.push(Piece::new(GAP, StyleName::Marker));
                    }
                    let part = wrapped.get(column).and_then(|rows| rows.get(line));
                    let part = part.map_or(&[][..], |row| row.pieces.as_slice());
                    let is_last = column + 1 == widths.len();
                    self.set(column, part, *wide, is_last, &mut pieces);
                }
                Row::new(pieces)
            })
            .collect()
    }

    /// One line of a cell, filled to its column.
    fn set(
        &self,
        column: usize,
        part: &[Piece],
        wide: usize,
        is_last: bool,
        into: &mut Vec<Piece>,
    ) {
        let taken: usize = part.iter().map(Piece::columns).sum();
        let free = wide.saturating_sub(taken);
        let before = match self.alignments.get(column) {
            Some(Alignment::Right) => free,
            Some(Alignment::Center) => free / 2,
            _ => 0,
        };
        if before > 0 {
            into.push(Piece::blank(before));
        }
        into.extend_from_slice(part);
        if free > before && !is_last {
            into.push(Piece::blank(free - before));
        }
    }

    /// For narrow places: each row as lines of `heading: value`.
    fn list(&self, width: usize) -> Vec<Row> {
        let mut rows = Vec::new();
        for (index, cells) in self.rows.iter().enumerate() {
            if index > 0 {
                rows.push(Row::empty());
            }
            for (column, cell) in cells.iter().enumerate() {
                let mut line = self.head.get(column).map(bold).unwrap_or_default();
                if !line.is_empty() {
                    line.push(Piece::new(": ", StyleName::Dim));
                }
                line.extend(cell.iter().cloned());
                let rest = [Piece::blank(2.min(width / 4))];
                rows.extend(flow(
                    &line,
                    &Flow {
                        rest: &rest,
                        ..Flow::words(width)
                    },
                ));
            }
        }
        if self.rows.is_empty() {
            for cell in &self.head {
                rows.extend(flow(&bold(cell), &Flow::words(width)));
            }
        }
        rows
    }
}

/// Gives every column its least, then hands out what is left, narrow columns first.
fn share(natural: &[usize], least: &[usize], room: usize) -> Vec<usize> {
    let mut widths = least.to_vec();
    let mut left = room.saturating_sub(least.iter().sum());
    loop {
        let growing: Vec<usize> = (0..widths.len())
            .filter(|column| widths.get(*column) < natural.get(*column))
            .collect();
        if left == 0 || growing.is_empty() {
            return widths;
        }
        let each = (left / growing.len()).max(1);
        for column in growing {
            if let (Some(wide), Some(wanted)) = (widths.get_mut(column), natural.get(column)) {
                let more = each.min(wanted - *wide).min(left);
                *wide += more;
                left -= more;
            }
        }
    }
}

fn widest_line(cell: &Cell) -> usize {
    let text: String = cell.iter().map(|piece| piece.text.as_str()).collect();
    text.split('\n').map(columns).max().unwrap_or(0)
}

fn bold(cell: &Cell) -> Cell {
    cell.iter()
        .map(|piece| {
            let mut paint: Paint = piece.paint.with(Modifier::BOLD);
            if paint.base == StyleName::Text {
                paint.base = StyleName::Strong;
            }
            Piece::new(piece.text.clone(), paint)
        })
        .collect()
}
