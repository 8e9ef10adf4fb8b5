//! Lists of tables (`[[…]]`): how each kind of entry is read.
//!
//! `entry` reads the keys of one entry; `rules` and `hooks` say which there are; `read` picks the right one.

mod entry;
mod hooks;
mod read;
mod rules;

pub(super) use entry::{Reason, Wrong, article, tables};
pub(super) use read::read;
