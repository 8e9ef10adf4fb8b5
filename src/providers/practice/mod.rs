//! The practice model: built in, offline, deterministic, and a script that says so.
//!
//! `provider` turns a request into a stream; `script` decides what is said next from the conversation alone.
//! `history` reads the conversation, `wish` the person's words. `tour` is the long story, `errand` the short ones,
//! `scout` what its sub-agents do; `remark` comments on results and `draft` is the reply being put together.

mod draft;
mod errand;
mod history;
mod provider;
mod remark;
mod scout;
mod script;
mod tour;
mod tour_text;
mod wish;

pub use provider::Practice;
