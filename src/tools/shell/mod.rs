//! Commands.

mod shell_execute;

use super::contract::{AnyTool, Typed};

/// The family.
pub(super) const TOOLS: &[&dyn AnyTool] = &[&Typed::<shell_execute::ShellExecute>::new()];
