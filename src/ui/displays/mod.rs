//! How each shape of a result is drawn, one file per `domain::Display`.
//!
//! `render` routes a shape to its file; `amount` says how much of it is shown. Rows come without the guide that
//! the transcript puts beside them.

mod amount;
mod checklist;
mod code;
mod diff;
mod diff_sides;
mod files;
mod render;
mod table;
mod terminal;
mod text;
mod tree;

pub use amount::{Amount, Selected, fold_row, one_row, select, shown};
pub use diff::{DiffStyle, change_rows, revealed_pieces};
pub use render::{Canvas, Rendered, render};
