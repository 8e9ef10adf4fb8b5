//! Commands about what happens inside the open session, each to the place that owns it: `commands` takes them all,
//! `fetches` those that only ask to be told.

mod commands;
mod fetches;
