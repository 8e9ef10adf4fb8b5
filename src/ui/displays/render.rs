//! From a shape to its rows, one line each.

use super::{
    amount::Amount, checklist, code, diff, diff::DiffStyle, files, table, terminal, text, tree,
};
use crate::{
    domain::display::Display,
    ui::{highlight::Highlights, rows::Row},
};

/// What a shape is drawn on.
#[derive(Clone, Copy, Debug)]
pub struct Canvas<'a> {
    /// Columns.
    pub width: usize,
    /// How much is shown.
    pub amount: Amount,
    /// How changes are shown.
    pub diff: DiffStyle,
    /// Colours of code as far as they are known.
    pub highlights: &'a Highlights,
    /// The key that opens the whole, for the fold row; empty when there is none.
    pub open_key: &'a str,
    /// Whether hidden characters are shown (where a person decides) and not taken out.
    pub reveal: bool,
    /// Whether lines of a preview are wrapped and not cut to one row each: what is told of what went wrong is read.
    pub wraps: bool,
}

/// Rows of a shape.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rendered {
    /// The rows.
    pub rows: Vec<Row>,
    /// Whether something is not shown.
    pub folded: bool,
    /// Whether colours of code are still to come.
    pub unsettled: bool,
}

impl Rendered {
    /// Rows of which nothing is missing.
    pub fn whole(rows: Vec<Row>) -> Self {
        Self {
            rows,
            ..Self::default()
        }
    }
}

/// Draws a shape.
pub fn render(display: &Display, canvas: &Canvas<'_>) -> Rendered {
    match display {
        Display::Text { text } => text::render(text, canvas),
        Display::Markdown { text } => text::markdown(text, canvas),
        Display::Code {
            path,
            first_line,
            text,
        } => code::render(path, *first_line, text, canvas),
        Display::Diff(change) => diff::render(change, canvas),
        Display::Terminal {
            output,
            exit,
            omitted_lines,
            ..
        } => terminal::render(output, *exit, *omitted_lines, canvas),
        Display::Table { headings, rows } => table::render(headings, rows, canvas),
        Display::Files { files, omitted } => files::render(files, *omitted, canvas),
        Display::Tree { nodes } => tree::render(nodes, canvas),
        Display::Checklist(list) => checklist::render(list, canvas),
    }
}
