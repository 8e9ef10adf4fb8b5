//! The language model itself.

mod model_unload;

use super::contract::{AnyTool, Typed};

/// The family.
pub(super) const TOOLS: &[&dyn AnyTool] = &[&Typed::<model_unload::ModelUnload>::new()];
