//! What the launcher is told: what to do, and within what.

use serde::{Deserialize, Serialize};

use super::{policy::Policy, probe::attempt::Attempts};
use crate::process::{network::proxy::ProxyAddress, program::Program};

/// The hidden first argument of the launcher.
pub const SUBCOMMAND: &str = "__sandbox";

/// What to do, and within what.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Order {
    pub(crate) policy: Policy,
    /// Where the command finds its proxy. Where the network is its own, the launcher listens there and hands the
    /// listener over.
    pub(crate) proxy: Option<ProxyAddress>,
    pub(crate) act: Act,
}

impl Order {
    /// Whether a command is to have a terminal.
    pub(crate) fn is_attended(&self) -> bool {
        matches!(&self.act, Act::Run(program) if program.is_attended())
    }
}

/// What to do.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Act {
    /// Become this.
    Run(Program),
    /// Try what must not be possible.
    Probe(Attempts),
}
