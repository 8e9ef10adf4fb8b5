//! The agent: takes commands, answers with events, and knows nothing of any screen.
//!
//! Read `command` and `event` first: nothing else crosses to a front end. Then `turn::state`.

pub mod command;
pub mod event;
pub mod handle;
pub mod outbox;
pub mod toolset;
pub mod turn;
