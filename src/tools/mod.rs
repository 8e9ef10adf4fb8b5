//! What an agent can do. One tool, one file; one list.
//!
//! Read `contract` first, then a short tool such as `plan/checklist_read`. The families are private:
//! only `registry` names them.

pub mod arguments;
pub mod context;
pub mod contract;
mod disk;
pub mod enclosure;
pub mod error;
pub mod host;
pub mod output;
pub mod registry;
pub mod schema;
pub mod sent;
mod shown;

mod agents;
mod code;
mod declared;
mod files;
mod model;
mod person;
mod plan;
mod scratchpad;
mod search;
mod shell;
mod web;
mod window;

#[cfg(test)]
mod fake_host;
