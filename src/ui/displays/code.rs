//! Source text of a file with its line numbers.

use super::{
    amount::{Amount, fold_row, one_row, select},
    render::{Canvas, Rendered},
};
use crate::ui::{
    markdown::{code_rows, shown_code},
    rows::{Flow, Piece, Row, flow},
    theme::StyleName,
};

pub(super) fn render(path: &str, first_line: usize, text: &str, canvas: &Canvas<'_>) -> Rendered {
    let selected = select(text, canvas.amount);
    let count = selected.head.len() + selected.folded + selected.tail.len();
    let digits = (first_line + count.saturating_sub(1)).to_string().len();
    let (lines, settled) = match canvas.amount {
        Amount::Whole => colours(path, &selected.head, canvas),
        Amount::Preview => (preview(&selected.head, digits, canvas), true),
    };
    let mut rows = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        rows.extend(numbered(first_line + index, digits, line, canvas.width));
    }
    if selected.is_folded() {
        rows.push(fold_row(selected.folded, canvas.open_key, canvas.width));
    }
    let after = first_line + selected.head.len() + selected.folded;
    for (index, line) in preview(&selected.tail, digits, canvas).iter().enumerate() {
        rows.extend(numbered(after + index, digits, line, canvas.width));
    }
    Rendered {
        rows,
        folded: selected.is_folded(),
        unsettled: !settled,
    }
}

fn colours(path: &str, lines: &[&str], canvas: &Canvas<'_>) -> (Vec<Vec<Piece>>, bool) {
    let mut text = lines.join("\n");
    text.push('\n');
    code_rows(&shown_code(&text), path, canvas.highlights)
}

fn preview(lines: &[&str], digits: usize, canvas: &Canvas<'_>) -> Vec<Vec<Piece>> {
    let room = canvas.width.saturating_sub(digits + 2).max(1);
    lines
        .iter()
        .map(|line| vec![Piece::text(one_row(line, room))])
        .collect()
}

/// A line with its number; rows that go on with it have none.
fn numbered(number: usize, digits: usize, line: &[Piece], width: usize) -> Vec<Row> {
    let first = [Piece::new(
        format!("{number:>digits$}  "),
        StyleName::LineNumber,
    )];
    let rest = [Piece::blank(digits + 2)];
    flow(
        line,
        &Flow {
            width,
            first: &first,
            rest: &rest,
            words: false,
        },
    )
}
