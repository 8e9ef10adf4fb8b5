//! What the launcher is told: what to do, and within what.

use serde::{Deserialize, Serialize};

use super::{policy::Policy, probe::attempt::Attempts};

/// The hidden first argument of the launcher.
pub const SUBCOMMAND: &str = "__sandbox";

/// What to do, and within what.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Order {
    pub(crate) policy: Policy,
    pub(crate) act: Act,
}

/// What to do.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Act {
    /// Become the shell that runs this.
    Shell(String),
    /// Try what must not be possible.
    Probe(Attempts),
}
