//! Programs that the configuration adds: hooks.

pub mod hook;
