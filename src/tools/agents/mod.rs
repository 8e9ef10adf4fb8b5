//! Other agents: starting them and seeing them.

mod agent_list;
mod agent_spawn;

use super::contract::{AnyTool, Typed};

/// The family.
pub(super) const TOOLS: &[&dyn AnyTool] = &[
    &Typed::<agent_spawn::AgentSpawn>::new(),
    &Typed::<agent_list::AgentList>::new(),
];
