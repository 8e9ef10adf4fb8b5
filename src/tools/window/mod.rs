//! The live context window, seen by the agent that fills it.

mod context_check;
mod context_compact;
mod context_replace;

use super::contract::{AnyTool, Typed};

/// The family.
pub(super) const TOOLS: &[&dyn AnyTool] = &[
    &Typed::<context_check::ContextCheck>::new(),
    &Typed::<context_compact::ContextCompact>::new(),
    &Typed::<context_replace::ContextReplace>::new(),
];
