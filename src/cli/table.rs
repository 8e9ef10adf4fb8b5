//! Columns of plain text, cleaned and aligned by what a terminal shows.

use std::io::{self, Write};

use crate::text::{sanitize, width};

/// Writes rows in columns, two spaces apart; the last column is not padded.
pub(super) fn write(out: &mut dyn Write, rows: &[Vec<String>]) -> io::Result<()> {
    let rows: Vec<Vec<String>> = rows
        .iter()
        .map(|row| row.iter().map(|cell| line(cell)).collect())
        .collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| width::columns(cell)).max().unwrap_or(0)
        })
        .collect();
    for row in &rows {
        let mut text = String::new();
        for (index, (cell, width)) in row.iter().zip(&widths).enumerate() {
            text.push_str(cell);
            if index + 1 < row.len() {
                let gap = width.saturating_sub(width::columns(cell)) + 2;
                text.extend(std::iter::repeat_n(' ', gap));
            }
        }
        writeln!(out, "{}", text.trim_end())?;
    }
    Ok(())
}

/// A text on one line.
pub(super) fn line(text: &str) -> String {
    let clean = sanitize::clean(text);
    clean.split_whitespace().collect::<Vec<_>>().join(" ")
}
