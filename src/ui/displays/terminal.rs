//! Output of a program. Broken anywhere, never between words: columns of a program's table stay columns.

use super::{
    amount::{Amount, plain, select},
    render::{Canvas, Rendered},
};
use crate::{
    text::figures::counted,
    ui::{rows::Row, theme::StyleName},
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
    let mut selected = select(output, canvas.amount);
    let is_preview = canvas.amount == Amount::Preview;
    if is_preview && selected.is_folded() {
        selected.folded += omitted_lines;
    }
    let told = is_preview && selected.is_folded();
    let mut rows = if is_preview && canvas.wraps {
        selected.wrapped_rows(canvas.width, canvas.open_key, StyleName::Text)
    } else {
        selected.rows(
            canvas.width,
            canvas.amount,
            canvas.open_key,
            plain(StyleName::Text),
        )
    };
    if omitted_lines > 0 && !told {
        rows.push(Row::of(
            format!(
                "{} left out of the middle",
                counted(omitted_lines, "line was", "lines were")
            ),
            StyleName::Dim,
        ));
    }
    Rendered {
        rows,
        folded: selected.is_folded() || omitted_lines > 0,
        unsettled: false,
    }
}
