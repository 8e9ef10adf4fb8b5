//! Where a change goes: the piece of text that a model means, found in a file or refused.
//!
//! `plan` resolves all edits of a call against the original text and refuses what is ambiguous or overlaps;
//! `matching` holds the three passes, strictest first; `indent` fits new lines to the file's own indentation;
//! `closest` says what the file has instead when nothing matches.

mod closest;
mod indent;
mod matching;
mod plan;

pub use plan::{Change, Edit, Plan, plan};
