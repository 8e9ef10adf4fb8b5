//! Named working notes that cost no context until they are read.
//!
//! `name` says which names are fit; `passage` cuts what a read returns.

mod name;
mod passage;
mod scratchpad_list;
mod scratchpad_read;
mod scratchpad_write;

use super::contract::{AnyTool, Typed};

/// The family.
pub(super) const TOOLS: &[&dyn AnyTool] = &[
    &Typed::<scratchpad_write::ScratchpadWrite>::new(),
    &Typed::<scratchpad_read::ScratchpadRead>::new(),
    &Typed::<scratchpad_list::ScratchpadList>::new(),
];
