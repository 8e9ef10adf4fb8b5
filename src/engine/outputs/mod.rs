//! What tools answer: `spill` bounds it and keeps the whole, `janitor` removes what nothing names any more.

pub mod janitor;
pub mod spill;
