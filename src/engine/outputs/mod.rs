//! What tools answer, and `answer` what agents did: `spill` bounds it and keeps the whole, `attach` says which files go with a
//! request, `janitor` removes what nothing names any more; `lending` is about entries of the
//! scratchpad that are not the agent's own.

pub mod answer;
pub mod attach;
pub mod janitor;
pub mod lending;
pub mod spill;
