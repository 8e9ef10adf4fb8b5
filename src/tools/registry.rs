//! The one list of tools.

use super::contract::AnyTool;

/// Every built-in tool, family by family, in the order in which a model sees them.
pub fn all() -> impl Iterator<Item = &'static dyn AnyTool> {
    let families: [&'static [&'static dyn AnyTool]; 0] = [];
    families.into_iter().flatten().copied()
}

/// A tool by its name or one of its aliases.
pub fn find(name: &str) -> Option<&'static dyn AnyTool> {
    all()
        .find(|tool| tool.about().name == name)
        .or_else(|| all().find(|tool| tool.about().aliases.contains(&name)))
}
