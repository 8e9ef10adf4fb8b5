//! What the program itself says: a row style of its own, never mixed with the model's words.

use super::scene::Scene;
use crate::{
    domain::notice::Severity,
    ui::{
        displays::{Amount, select, shown},
        rows::{Flow, Piece, Row, flow},
        theme::StyleName,
    },
};

/// Lines of a stage direction.
const MOST_LINES: usize = 20;

pub(super) fn draw(severity: Severity, text: &str, scene: &Scene<'_>) -> Vec<Row> {
    let (glyph, glyph_name, name) = match severity {
        Severity::Info => ("· ", StyleName::Stage, StyleName::Stage),
        Severity::Warning => ("! ", StyleName::Warn, StyleName::Stage),
        Severity::Error => ("✗ ", StyleName::Error, StyleName::Error),
    };
    let first = [Piece::new(glyph, glyph_name)];
    let rest = [Piece::new("  ", StyleName::Stage)];
    let mut rows = Vec::new();
    for (index, line) in select(text, Amount::Whole)
        .head
        .iter()
        .take(MOST_LINES)
        .enumerate()
    {
        let how = Flow {
            width: scene.width,
            first: if index == 0 { &first } else { &rest },
            rest: &rest,
            words: true,
        };
        rows.extend(flow(&[Piece::new(shown(line), name)], &how));
    }
    rows
}
