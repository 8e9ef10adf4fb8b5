//! From the lines of a long text to rows. Rows are byte ranges of a line; those of a long line are kept, since it is
//! asked for them with every row that is scrolled and drawn.

use std::{cell::RefCell, collections::HashMap, ops::Range, rc::Rc};

use crate::text::{
    truncate::floor_boundary,
    wrap::{Row, Wrap},
};

/// Bytes from which on the rows of a line are kept.
const LONG_LINE: usize = 4 * 1_024;
/// Rows that are kept of all lines; one line that has more of them is kept alone.
const KEPT_ROWS: usize = 400_000;
/// Bytes that a line which is cut can need at most, per column.
const BYTES_PER_COLUMN: usize = 32;

/// How lines become rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shape {
    /// Columns of a row.
    pub(super) columns: usize,
    /// Whether long lines are wrapped; else they are cut.
    pub(super) wraps: bool,
}

/// The lines of a text, and the rows of its long ones.
#[derive(Debug, Default)]
pub(super) struct Lines {
    lines: Vec<String>,
    kept: RefCell<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    shape: Shape,
    rows: HashMap<usize, Rc<[Range<usize>]>>,
    total: usize,
    wrapped: usize,
}

impl From<Vec<String>> for Lines {
    fn from(lines: Vec<String>) -> Self {
        Self {
            lines,
            kept: RefCell::default(),
        }
    }
}

impl Lines {
    /// All lines.
    pub(super) fn all(&self) -> &[String] {
        &self.lines
    }

    /// A line; empty when there is none of this number.
    pub(super) fn get(&self, line: usize) -> &str {
        self.lines.get(line).map_or("", String::as_str)
    }

    /// The rows of a line; at least one.
    pub(super) fn rows(&self, line: usize, shape: Shape) -> Rc<[Range<usize>]> {
        let text = self.get(line);
        if text.len() < LONG_LINE || !shape.wraps {
            return rows_of(text, shape);
        }
        let mut kept = self.kept.borrow_mut();
        if kept.shape != shape {
            *kept = Kept {
                shape,
                wrapped: kept.wrapped,
                ..Kept::default()
            };
        }
        if let Some(rows) = kept.rows.get(&line) {
            return Rc::clone(rows);
        }
        let rows = rows_of(text, shape);
        kept.wrapped += 1;
        if kept.total + rows.len() > KEPT_ROWS {
            kept.rows.clear();
            kept.total = 0;
        }
        kept.total += rows.len();
        kept.rows.insert(line, Rc::clone(&rows));
        rows
    }

    /// The row of a line in which a byte stands.
    pub(super) fn row_at(&self, line: usize, byte: usize, shape: Shape) -> usize {
        let rows = self.rows(line, shape);
        rows.partition_point(|row| row.start <= byte)
            .saturating_sub(1)
    }

    /// How often a long line was wrapped: what a frame costs beyond drawing.
    #[cfg(test)]
    pub(super) fn wrapped(&self) -> usize {
        self.kept.borrow().wrapped
    }
}

fn rows_of(line: &str, shape: Shape) -> Rc<[Range<usize>]> {
    if !shape.wraps {
        let most = shape.columns.saturating_mul(BYTES_PER_COLUMN);
        let end = if line.len() > most {
            floor_boundary(line, most)
        } else {
            line.len()
        };
        return std::iter::once(0..end).collect();
    }
    Wrap::words(shape.columns)
        .rows(line)
        .map(|row: Row| row.range())
        .collect()
}
