//! Cells of Jupyter notebooks, changed in the text of the file so that everything else stays as it is.
//!
//! `parts` says where the parts of the JSON stand, `cells` reads the notebook with it, `spacing` writes JSON as it is
//! written around, and `plan` turns a change into replacements of the file's text. `found`
//! says whether there are notebooks at all.

mod cells;
mod found;
mod parts;
mod plan;
mod spacing;

pub use cells::Kind;
pub use found::is_in;
pub use plan::{Change, Plan, plan};
