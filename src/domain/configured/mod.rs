//! Programs that the configuration adds: hooks and tools; and what of a folder's own configuration was seen.

pub mod declared;
pub mod hook;
pub mod seen;
