//! Files: read, write and change them.
//!
//! `change` shows what a write does, `listing` what is in a folder, `picture` what is no text; the work itself is in `crate::workspace`.

pub(in crate::tools) mod change;
mod file_edit;
mod file_read;
mod file_write;
mod listing;
mod notebook_edit;
mod picture;
mod save_answer;

use super::contract::{AnyTool, Typed};

/// The family.
pub(super) const TOOLS: &[&dyn AnyTool] = &[
    &Typed::<file_read::FileRead>::new(),
    &Typed::<file_edit::FileEdit>::new(),
    &Typed::<file_write::FileWrite>::new(),
    &Typed::<notebook_edit::NotebookEdit>::new(),
    &Typed::<save_answer::SaveAnswer>::new(),
];
