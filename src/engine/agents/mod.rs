//! Making agents and waiting for them: `terms` is what one gets, `spawn` its way from start to report, `actor` its task.

pub mod actor;
pub mod spawn;
mod terms;
