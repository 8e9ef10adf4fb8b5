//! Tools of the configuration: commands whose arguments the model fills in.
//!
//! `values` reads what the model sent; `tool` is one of them as the registry stores it; `known` makes them last.

mod known;
mod tool;
mod values;

pub(super) use known::{declare, find};
