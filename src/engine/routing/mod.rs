//! Commands about what happens inside the open session, each to the place that owns it: `commands` takes them all,
//! `fetches` those that only ask to be told; `trust` is what one of them does.

mod commands;
mod fetches;
pub mod trust;
