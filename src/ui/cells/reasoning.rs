//! The model's reasoning: one line, its latest lines, or the whole.

use ratatui::style::Modifier;

use super::scene::Scene;
use crate::{
    text::{truncate::head, width::columns},
    ui::{
        displays::{Amount, fold_row, one_row, select, shown},
        panes::conversation::{self, Fold},
        rows::{Flow, Paint, Piece, Row, flow},
        theme::StyleName,
    },
};

/// Rows of the latest lines.
const TAIL: usize = 4;
/// Bytes that are looked at for them.
const TAIL_BYTES: usize = 8 * 1_024;

pub(super) fn draw(text: &str, streaming: bool, fold: Fold, scene: &Scene<'_>) -> Vec<Row> {
    let text = text.trim();
    let paint = Paint::of(StyleName::Reasoning).with(Modifier::ITALIC);
    let mut rows = vec![header(text, streaming, fold, scene)];
    let guide = [Piece::new("  │ ", StyleName::Guide)];
    let how = Flow {
        width: scene.width,
        first: &guide,
        rest: &guide,
        words: true,
    };
    match fold {
        Fold::Line => {}
        Fold::Preview => {
            let from = text.ceil_char_boundary(text.len().saturating_sub(TAIL_BYTES));
            let tail = text.get(from..).unwrap_or_default();
            let wrapped: Vec<Row> = tail
                .lines()
                .filter(|line| !line.trim().is_empty())
                .flat_map(|line| flow(&[Piece::new(shown(line), paint)], &how))
                .collect();
            let skip = wrapped.len().saturating_sub(TAIL);
            rows.extend(wrapped.into_iter().skip(skip));
        }
        Fold::Whole => {
            let selected = select(text, Amount::Whole);
            for line in &selected.head {
                rows.extend(flow(&[Piece::new(shown(line), paint)], &how));
            }
            if selected.is_folded() {
                rows.push(
                    fold_row(
                        selected.folded,
                        &scene.open_key(),
                        scene.width.saturating_sub(4),
                    )
                    .indented(&guide),
                );
            }
        }
    }
    rows
}

/// What it is, and its first words when nothing else is shown.
fn header(text: &str, streaming: bool, fold: Fold, scene: &Scene<'_>) -> Row {
    let (glyph, name) = match (streaming, fold) {
        (true, _) => (conversation::spinner(scene.model), "thinking"),
        (false, Fold::Line) => ("▸", "thought"),
        (false, _) => ("▾", "thought"),
    };
    let mut pieces = vec![
        Piece::new(format!("{glyph} "), StyleName::Reasoning),
        Piece::new(name, Paint::of(StyleName::Reasoning)),
    ];
    let used = 2 + columns(name) + 2;
    let room = scene.width.saturating_sub(used);
    if fold == Fold::Line && room > 8 {
        let first = text.lines().next().unwrap_or_default();
        let first = one_row(first.trim_start_matches(['#', '*', ' ']), room);
        let first = head(&first, room).into_owned();
        pieces.push(Piece::new("  ", StyleName::Faint));
        pieces.push(Piece::new(
            first.trim_end_matches("**").to_owned(),
            Paint::of(StyleName::Faint).with(Modifier::ITALIC),
        ));
    }
    Row::new(pieces).with_gutter(2)
}
