//! A Markdown text that may still grow, and its rows.
//!
//! Rows of a block are kept as long as block, width and highlighting stay the same; appended text costs only the
//! last block. The memo changes no cell: forgetting it gives the same rows.

use std::{cell::RefCell, rc::Rc};

use super::{
    definitions::Definitions,
    split::Split,
    writer::{is_cut, write},
};
use crate::ui::{
    highlight::Highlights,
    rows::{Piece, Row, Stack},
};

/// A fenced or indented block of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeBlock {
    /// The word behind the fence.
    pub language: String,
    /// The code as it was written.
    pub text: String,
}

/// A Markdown text.
#[derive(Clone, Debug, Default)]
pub struct Document {
    source: String,
    memo: RefCell<Memo>,
}

#[derive(Clone, Debug, Default)]
struct Memo {
    split: Split,
    definitions: Definitions,
    /// Up to where definitions were collected.
    defined: usize,
    /// Moves when a definition is added: links of earlier blocks may change.
    definitions_revision: usize,
    blocks: Vec<Cached>,
}

#[derive(Clone, Debug)]
struct Cached {
    key: CacheKey,
    /// Highlighting that may still come changes the looks.
    highlighted: Option<u64>,
    rows: Rc<[Row]>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct CacheKey {
    range: (usize, usize),
    width: usize,
    indent: usize,
    definitions: usize,
}

impl PartialEq for Document {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl Document {
    /// A text.
    pub fn new(source: impl Into<String>) -> Self {
        Self {
            source: source.into(),
            memo: RefCell::default(),
        }
    }

    /// Appends to the text.
    pub fn push(&mut self, more: &str) {
        self.source.push_str(more);
    }

    /// The text.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Forgets the rows.
    pub fn forget(&self) {
        self.memo.take();
    }

    /// The rows at a width, moved to the right by `indent` columns of it. Blocks are parted by an empty row.
    pub fn rows(&self, width: usize, indent: usize, highlights: &Highlights) -> Stack {
        let mut memo = self.memo.borrow_mut();
        memo.follow(&self.source);
        let Memo {
            split,
            definitions,
            definitions_revision,
            blocks,
            ..
        } = &mut *memo;
        let mut stack = Stack::default();
        let mut count = 0;
        for (index, range) in split.blocks(self.source.len()).enumerate() {
            count = index + 1;
            let key = CacheKey {
                range,
                width,
                indent,
                definitions: *definitions_revision,
            };
            let known = blocks.get(index).filter(|cached| {
                cached.key == key
                    && cached
                        .highlighted
                        .is_none_or(|revision| revision == highlights.revision())
            });
            if let Some(cached) = known {
                stack.push(Rc::clone(&cached.rows));
                continue;
            }
            let source = self.source.get(range.0..range.1).unwrap_or_default();
            let room = width.saturating_sub(indent);
            let written = write(source, definitions, room, highlights);
            let mut rows = written.rows;
            if indent > 0 {
                let blank = [Piece::blank(indent)];
                rows = rows.into_iter().map(|row| row.indented(&blank)).collect();
            }
            if index > 0 && !rows.is_empty() {
                rows.insert(0, Row::empty());
            }
            let cached = Cached {
                key,
                highlighted: (!written.settled).then(|| highlights.revision()),
                rows: rows.into(),
            };
            stack.push(Rc::clone(&cached.rows));
            blocks.truncate(index);
            blocks.push(cached);
        }
        blocks.truncate(count);
        stack
    }

    /// Whether colours of code that was drawn last are still to come.
    pub fn is_unsettled(&self) -> bool {
        let memo = self.memo.borrow();
        memo.blocks.iter().any(|block| block.highlighted.is_some())
    }

    /// Whether the end of a block is not shown, because it is too long.
    pub fn is_cut(&self) -> bool {
        let mut memo = self.memo.borrow_mut();
        memo.follow(&self.source);
        let blocks = memo.split.blocks(self.source.len());
        let mut sources = blocks.filter_map(|(start, end)| self.source.get(start..end));
        sources.any(is_cut)
    }

    /// All blocks of code, in order.
    pub fn code_blocks(&self) -> Vec<CodeBlock> {
        super::code::blocks(&self.source)
    }
}

impl Memo {
    fn follow(&mut self, source: &str) {
        if source.len() < self.defined {
            *self = Self::default();
        }
        let finished = source.rfind('\n').map_or(0, |at| at + 1);
        if let Some(fresh) = source.get(self.defined..finished) {
            for line in fresh.split_inclusive('\n') {
                self.definitions_revision += usize::from(self.definitions.read(line));
            }
            self.defined = finished;
        }
        let last = source.get(finished..).unwrap_or_default();
        self.definitions_revision += usize::from(self.definitions.read_unfinished(last));
        self.split.follow(source);
    }
}

#[cfg(test)]
#[path = "document_tests.rs"]
mod tests;
