//! The checklist after a change.

use ratatui::style::Modifier;

use super::{
    amount::{fold_row, shown},
    render::{Canvas, Rendered},
};
use crate::{
    domain::checklist::{Checklist, Item, ItemStatus},
    ui::{
        rows::{Flow, Paint, Piece, Row, flow},
        theme::StyleName,
    },
};

pub(super) fn render(list: &Checklist, canvas: &Canvas<'_>) -> Rendered {
    let (head, tail) = canvas.amount.ends();
    let most = (head + tail).max(12);
    let folded = if list.items.len() > most + 1 {
        list.items.len() - most
    } else {
        0
    };
    let mut rows: Vec<Row> = list
        .items
        .iter()
        .take(list.items.len() - folded)
        .flat_map(|item| item_rows(item, canvas.width))
        .collect();
    if list.items.is_empty() {
        rows.push(Row::of("the checklist is empty", StyleName::Faint));
    }
    if folded > 0 {
        rows.push(fold_row(folded, canvas.open_key, canvas.width));
    }
    Rendered {
        rows,
        folded: folded > 0,
        unsettled: false,
    }
}

/// Mark and looks of a state.
fn look(status: ItemStatus) -> (&'static str, StyleName, Paint) {
    match status {
        ItemStatus::Completed => ("✓ ", StyleName::Good, Paint::of(StyleName::Dim)),
        ItemStatus::InProgress => ("▶ ", StyleName::Accent, Paint::of(StyleName::Strong)),
        ItemStatus::Pending => ("○ ", StyleName::Dim, Paint::of(StyleName::Text)),
        ItemStatus::Deferred => ("◌ ", StyleName::Warn, Paint::of(StyleName::Dim)),
        ItemStatus::Canceled => (
            "✗ ",
            StyleName::Faint,
            Paint::of(StyleName::Faint).with(Modifier::CROSSED_OUT),
        ),
    }
}

fn item_rows(item: &Item, width: usize) -> Vec<Row> {
    let (mark, name, paint) = look(item.status);
    let mut pieces = vec![Piece::new(shown(&item.text), paint)];
    if let Some(reason) = &item.reason {
        pieces.push(Piece::new(format!(" ({})", shown(reason)), StyleName::Dim));
    }
    let first = [Piece::new(mark, name)];
    let rest = [Piece::blank(2)];
    flow(
        &pieces,
        &Flow {
            width,
            first: &first,
            rest: &rest,
            words: true,
        },
    )
}
