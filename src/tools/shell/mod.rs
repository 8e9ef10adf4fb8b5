//! Commands: a shell line run with bash, its whole process tree under our hand.
//!
//! The running itself is `crate::process`; here are arguments, limits and words.

mod denials;
mod enclosure;
mod shell_execute;

use super::contract::{AnyTool, Typed};

/// The family.
pub(super) const TOOLS: &[&dyn AnyTool] = &[&Typed::<shell_execute::ShellExecute>::new()];
