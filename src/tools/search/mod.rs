//! Finding files by name and by content.
//!
//! `answer` is what a search says, `notes` what it left out; the work itself is in `crate::workspace`.

mod answer;
mod file_find;
mod file_search;
mod notes;

use super::contract::{AnyTool, Typed};

/// The family.
pub(super) const TOOLS: &[&dyn AnyTool] = &[
    &Typed::<file_find::FileFind>::new(),
    &Typed::<file_search::FileSearch>::new(),
];
