//! Named working notes that cost no context until they are read.
//!
//! `name` says which names are fit; `passage` cuts what a read returns.

mod name;
pub(in crate::tools) mod passage;
mod scratchpad_delete;
mod scratchpad_edit;
mod scratchpad_list;
mod scratchpad_load_file;
mod scratchpad_merge;
mod scratchpad_read;
mod scratchpad_rename;
mod scratchpad_save_file;
mod scratchpad_write;

use super::contract::{AnyTool, Typed};

/// The family.
pub(super) const TOOLS: &[&dyn AnyTool] = &[
    &Typed::<scratchpad_write::ScratchpadWrite>::new(),
    &Typed::<scratchpad_read::ScratchpadRead>::new(),
    &Typed::<scratchpad_edit::ScratchpadEdit>::new(),
    &Typed::<scratchpad_list::ScratchpadList>::new(),
    &Typed::<scratchpad_merge::ScratchpadMerge>::new(),
    &Typed::<scratchpad_rename::ScratchpadRename>::new(),
    &Typed::<scratchpad_delete::ScratchpadDelete>::new(),
    &Typed::<scratchpad_load_file::ScratchpadLoadFile>::new(),
    &Typed::<scratchpad_save_file::ScratchpadSaveFile>::new(),
];
