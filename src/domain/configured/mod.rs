//! Programs that the configuration adds: hooks and tools.

pub mod declared;
pub mod hook;
