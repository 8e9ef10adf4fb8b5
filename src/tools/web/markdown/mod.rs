//! HTML as Markdown, for reading: what is not content is left out.
//!
//! A parser that repairs what browsers repair makes the tree (`parse`), `removed` says what is left out, `blocks` and
//! `inline` write what is left, `table` writes tables. Nesting, time and output are bounded, whatever the page holds.

mod blocks;
mod convert;
mod escape;
mod inline;
mod parse;
mod removed;
mod table;

pub(super) use convert::{Options, Tables, convert};
