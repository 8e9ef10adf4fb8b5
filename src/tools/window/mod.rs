//! The live context window, seen by the agent that fills it.

mod context_check;

use super::contract::{AnyTool, Typed};

/// The family.
pub(super) const TOOLS: &[&dyn AnyTool] = &[&Typed::<context_check::ContextCheck>::new()];
