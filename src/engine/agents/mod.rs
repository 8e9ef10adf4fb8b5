//! Making agents and waiting for them.

pub mod actor;
pub mod spawn;
