//! May it? Pure judgement of prepared calls.
//!
//! Read `evaluate` first: it holds the order in which things are looked at. `call` is what it judges,
//! `floor`, `bounds`, `rule`, `grants`, `agent` and `mode` are what it looks at, `shell` says what a command line runs, and
//! `findings` what of it a person is told.
//! `network` judges where a connection is to go, `web` what rules say about addresses of the web.

mod agent;
mod bounds;
pub mod call;
mod consult;
pub mod evaluate;
mod findings;
pub mod floor;
pub mod grants;
pub mod kinds;
mod mode;
pub mod network;
mod program_kinds;
pub mod rule;
pub mod shell;
mod sieve;
pub mod web;

pub use bounds::places;
pub use call::{PreparedCall, Target};
pub use consult::RUNNER;
pub use evaluate::{Limits, evaluate, evaluate_capped, evaluate_limited};
pub use findings::findings;
pub use grants::Grants;
