//! Words: plain as they are, Markdown as a document.

use super::{
    amount::{Amount, fold_row, plain, select, shown},
    render::{Canvas, Rendered},
};
use crate::ui::{
    markdown::Document,
    rows::{Flow, Piece, Row, flow},
    theme::StyleName,
};

/// Plain words, broken between words.
pub(super) fn render(text: &str, canvas: &Canvas<'_>) -> Rendered {
    let selected = select(text, canvas.amount);
    let rows = match canvas.amount {
        Amount::Preview if canvas.wraps => {
            selected.wrapped_rows(canvas.width, canvas.open_key, StyleName::Text)
        }
        Amount::Preview => selected.rows(
            canvas.width,
            canvas.amount,
            canvas.open_key,
            plain(StyleName::Text),
        ),
        Amount::Whole => {
            let mut rows: Vec<Row> = selected
                .head
                .iter()
                .flat_map(|line| flow(&[Piece::text(shown(line))], &Flow::words(canvas.width)))
                .collect();
            if selected.is_folded() {
                rows.push(fold_row(selected.folded, canvas.open_key, canvas.width));
            }
            rows
        }
    };
    Rendered {
        rows,
        folded: selected.is_folded(),
        unsettled: false,
    }
}

/// Markdown; a preview shows its first rows.
pub(super) fn markdown(text: &str, canvas: &Canvas<'_>) -> Rendered {
    let document = Document::new(text);
    let stack = document.rows(canvas.width, 0, canvas.highlights);
    let unsettled = document.is_unsettled();
    let (head, tail) = canvas.amount.ends();
    let most = head + tail;
    if stack.len() <= most + 1 {
        return Rendered {
            rows: stack.iter().cloned().collect(),
            folded: false,
            unsettled,
        };
    }
    let mut rows: Vec<Row> = stack.iter().take(most).cloned().collect();
    rows.push(fold_row(stack.len() - most, canvas.open_key, canvas.width));
    Rendered {
        rows,
        folded: true,
        unsettled,
    }
}
