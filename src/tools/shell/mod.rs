//! Commands: a line run with bash, or a program that only looks; its whole process tree is under our hand.
//!
//! The running itself is `crate::process`; here are arguments, limits and words.

pub(super) mod answer;
pub(super) mod denials;
mod shell_execute;
mod shell_inspect;

use super::contract::{AnyTool, Typed};

/// The family.
pub(super) const TOOLS: &[&dyn AnyTool] = &[
    &Typed::<shell_execute::ShellExecute>::new(),
    &Typed::<shell_inspect::ShellInspect>::new(),
];
