//! Markdown as rows for a width.
//!
//! A [`Document`] is a text that may still grow. `split` cuts it into top-level blocks, `writer` turns one block
//! into rows with `inline` (looks of words), `nesting` (quotes and lists around it), `code` and `table`. Blocks are
//! drawn one by one, whole or growing, so a reply that streamed in looks like the same reply drawn at once.

mod code;
mod definitions;
mod document;
mod inline;
mod link;
mod nesting;
mod split;
mod table;
mod writer;

pub use code::{code_rows, shown as shown_code};
pub use document::{CodeBlock, Document};
pub use table::{Cell, Table};
