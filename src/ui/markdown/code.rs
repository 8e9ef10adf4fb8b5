//! Blocks of code: a guide at the left, tabs opened, colours as far as they are known.

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

use super::{
    document::CodeBlock,
    split::{is_hostile, options},
};
use crate::{
    text::{
        sanitize::clean,
        width::{TAB_STOP, expand_tabs},
    },
    ui::{
        highlight::{Highlights, Mark},
        rows::{Flow, Paint, Piece, Row, flow},
        theme::StyleName,
    },
};

/// A line of code as pieces, coloured by marks that count its bytes.
pub(super) fn pieces(line: &str, marks: &[Mark], plain: Paint) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(marks.len() * 2 + 1);
    let mut at = 0;
    for mark in marks {
        let (Some(before), Some(marked)) = (
            line.get(at..mark.start.max(at)),
            line.get(mark.start.max(at)..mark.end.min(line.len())),
        ) else {
            continue;
        };
        if !before.is_empty() {
            pieces.push(Piece::new(before, plain));
        }
        if !marked.is_empty() {
            pieces.push(Piece::new(
                marked,
                Paint {
                    base: mark.name,
                    ..plain
                },
            ));
        }
        at = mark.end.min(line.len());
    }
    if let Some(rest) = line.get(at..)
        && !rest.is_empty()
    {
        pieces.push(Piece::new(rest, plain));
    }
    pieces
}

/// Code without hazards and with its tabs opened, as it is shown and highlighted.
pub fn shown(code: &str) -> String {
    expand_tabs(&clean(code), 0, TAB_STOP).into_owned()
}

/// Code as pieces line by line, and whether its colours are settled. The code must have been made by [`shown`].
pub fn code_rows(code: &str, language: &str, highlights: &Highlights) -> (Vec<Vec<Piece>>, bool) {
    let (found, settled) = highlights.find(language, code);
    let lines = code
        .lines()
        .enumerate()
        .map(|(index, line)| {
            let marks = found
                .as_deref()
                .and_then(|found| found.lines.get(index))
                .map_or(&[][..], Vec::as_slice);
            pieces(line, marks, Paint::of(StyleName::Text))
        })
        .collect();
    (lines, settled)
}

/// The rows of a block of code inside `width` columns.
pub(super) fn block_rows(
    code: &str,
    language: &str,
    width: usize,
    highlights: &Highlights,
) -> (Vec<Row>, bool) {
    let (lines, settled) = code_rows(&shown(code), language, highlights);
    let guide = [Piece::new("│ ", StyleName::Guide)];
    let how = Flow {
        width,
        first: &guide,
        rest: &guide,
        words: false,
    };
    let mut rows: Vec<Row> = lines.iter().flat_map(|line| flow(line, &how)).collect();
    if rows.is_empty() {
        rows = flow(&[], &how);
    }
    (rows, settled)
}

/// All blocks of code of a text, as they were written.
pub(super) fn blocks(source: &str) -> Vec<CodeBlock> {
    let mut blocks = Vec::new();
    if is_hostile(source) {
        return blocks;
    }
    let mut open: Option<CodeBlock> = None;
    for event in Parser::new_ext(source, options()) {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                open = Some(CodeBlock {
                    language: match kind {
                        CodeBlockKind::Fenced(word) => word.into_string(),
                        CodeBlockKind::Indented => String::new(),
                    },
                    text: String::new(),
                });
            }
            Event::Text(text) => {
                if let Some(block) = &mut open {
                    block.text.push_str(&text);
                }
            }
            Event::End(TagEnd::CodeBlock) => blocks.extend(open.take()),
            _ => {}
        }
    }
    blocks
}
