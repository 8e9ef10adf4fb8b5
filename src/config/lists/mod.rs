//! Lists of tables (`[[…]]`): how each kind of entry is read.
//!
//! `entry` reads the keys of one entry; `rules`, `hooks` and `tools` say which there are; `read` picks the right one.

mod entry;
mod hooks;
mod read;
mod rules;
mod tools;

pub(super) use entry::{Reason, Wrong, article, tables};
pub(super) use read::{Addition, read};
pub(super) use rules::narrows;
pub(super) use tools::FORMS;
