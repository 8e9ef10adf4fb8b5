//! What tools answer, and `answer` what agents did: `spill` bounds it and keeps the whole, `attach` says which files go with a
//! request, `janitor` removes what nothing names any more.

pub mod answer;
pub mod attach;
pub mod janitor;
pub mod spill;
