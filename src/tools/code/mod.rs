//! Code that is run by an interpreter instead of a shell, and can call tools while it runs.
//!
//! `interpreter` says how it is started, `bridge` reads what it calls, `code_execute` is the tool.

mod bridge;
mod code_execute;
mod interpreter;

use super::contract::{AnyTool, Typed};

/// The family.
pub(super) const TOOLS: &[&dyn AnyTool] = &[&Typed::<code_execute::CodeExecute>::new()];
