//! Output of a program. Broken anywhere, never between words: columns of a program's table stay columns.

use super::{
    amount::{plain, select},
    render::{Canvas, Rendered},
};
use crate::{
    text::truncate::grouped,
    ui::{
        rows::{Piece, Row},
        theme::StyleName,
    },
};

pub(super) fn render(
    output: &str,
    exit: Option<i32>,
    omitted_lines: usize,
    canvas: &Canvas<'_>,
) -> Rendered {
    if output.trim().is_empty() {
        let words = match exit {
            Some(_) => "no output",
            None => "no output yet",
        };
        return Rendered::whole(vec![Row::of(words, StyleName::Faint)]);
    }
    let selected = select(output, canvas.amount);
    let mut rows = selected.rows(
        canvas.width,
        canvas.amount,
        canvas.open_key,
        plain(StyleName::Text),
    );
    if omitted_lines > 0 {
        rows.push(Row::new(vec![Piece::new(
            format!(
                "{} lines were left out of the middle",
                grouped(omitted_lines)
            ),
            StyleName::Dim,
        )]));
    }
    Rendered {
        rows,
        folded: selected.is_folded() || omitted_lines > 0,
        unsettled: false,
    }
}
