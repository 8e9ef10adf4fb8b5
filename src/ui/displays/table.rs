//! Rows under headings, drawn like a Markdown table.

use super::{
    amount::{fold_row, shown},
    render::{Canvas, Rendered},
};
use crate::ui::{markdown::Table, rows::Piece};

pub(super) fn render(headings: &[String], rows: &[Vec<String>], canvas: &Canvas<'_>) -> Rendered {
    let (head, tail) = canvas.amount.ends();
    let most = head + tail;
    let folded = if rows.len() > most + 1 {
        rows.len() - most
    } else {
        0
    };
    let cell = |text: &String| vec![Piece::text(shown(text))];
    let table = Table {
        alignments: Vec::new(),
        head: headings.iter().map(cell).collect(),
        rows: rows
            .iter()
            .take(rows.len() - folded)
            .map(|row| row.iter().map(cell).collect())
            .collect(),
    };
    let mut drawn = table.draw(canvas.width);
    if folded > 0 {
        drawn.push(fold_row(folded, canvas.open_key, canvas.width));
    }
    Rendered {
        rows: drawn,
        folded: folded > 0,
        unsettled: false,
    }
}
