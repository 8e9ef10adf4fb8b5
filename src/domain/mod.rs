//! Plain data that every layer shares: no behaviour beyond invariants, no async, no input or output.
//!
//! Read `ids`, `chat` and `tool` first, then `record` (the session's log), then `approval`,
//! `permission` and `question` (what a person is asked).

pub mod access;
pub mod agent;
pub mod agent_policy;
pub mod approval;
pub mod chat;
pub mod configured;
pub mod display;
pub mod ids;
pub mod model_info;
pub mod notice;
pub mod permission;
pub mod question;
pub mod record;
pub mod sandbox;
pub mod session;
pub mod tool;
pub mod work;

pub use configured::{declared, hook};
pub use work::{artifact, checklist, goal, job, media, scratchpad, terminal, usage, window};
