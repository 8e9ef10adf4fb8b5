//! Words of the model, as Markdown. A script is never taken for one: it says so above its first words in a turn.

use std::rc::Rc;

use super::{cell::Drawn, scene::Scene};
use crate::ui::{
    markdown::Document,
    rows::{Piece, Row, Stack},
    theme::StyleName,
};

/// Columns in front of the words.
const INDENT: usize = 2;

pub(super) fn draw(document: &Document, is_labelled: bool, scene: &Scene<'_>) -> Drawn {
    let indent = INDENT.min(scene.width / 8);
    let blank = [Piece::blank(indent)];
    let mut rows = Stack::default();
    if is_labelled {
        let label = Row::new(vec![
            Piece::new("script", StyleName::Script),
            Piece::new(" · no language model answers", StyleName::Dim),
        ]);
        rows.push(Rc::from(vec![label.indented(&blank)]));
    }
    rows.extend(&document.rows(scene.width, indent, scene.highlights));
    Drawn {
        rows,
        unsettled: document.is_unsettled(),
        caret: None,
        boxed: None,
    }
}
