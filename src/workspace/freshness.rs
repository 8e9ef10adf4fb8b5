//! Which files an agent has read, and with what content.

/// The read state of one agent.
#[derive(Debug, Default)]
pub struct Freshness {}
