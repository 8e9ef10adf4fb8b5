//! The declared tools that this program has met.
//!
//! Everywhere a tool is a thing that lasts as long as the program; one of the configuration is made so once, however often
//! the configuration is read.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::tool::Declared;
use crate::{domain::declared::DeclaredTool, tools::contract::AnyTool};

static KNOWN: Mutex<Vec<&'static Declared>> = Mutex::new(Vec::new());

fn known() -> MutexGuard<'static, Vec<&'static Declared>> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The tool of this description.
pub(in crate::tools) fn declare(description: &DeclaredTool) -> &'static dyn AnyTool {
    let mut known = known();
    if let Some(tool) = known.iter().find(|tool| tool.is(description)) {
        return *tool;
    }
    let tool: &'static Declared = Box::leak(Box::new(Declared::new(description.clone())));
    known.push(tool);
    tool
}

/// The latest of this name.
pub(in crate::tools) fn find(name: &str) -> Option<&'static dyn AnyTool> {
    let known = known();
    let mut latest = known.iter().rev();
    latest
        .find(|tool| tool.about().name == name)
        .map(|tool| *tool as &dyn AnyTool)
}
