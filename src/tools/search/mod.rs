//! Finding files by name and by content.
//!
//! `notes` says what a search left out; the work itself is in `crate::workspace`.

mod file_find;
mod file_search;
mod notes;

use super::contract::{AnyTool, Typed};

/// The family.
pub(super) const TOOLS: &[&dyn AnyTool] = &[
    &Typed::<file_find::FileFind>::new(),
    &Typed::<file_search::FileSearch>::new(),
];
