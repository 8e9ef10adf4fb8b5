//! What each table holds, and the statements that read and change it. All of them run on the worker's thread.

pub mod drafts;
pub mod events;
pub(in crate::store) mod folders;
pub(in crate::store) mod lasting;
pub mod ledgers;
pub(in crate::store) mod scratchpad;
pub(in crate::store) mod sessions;
