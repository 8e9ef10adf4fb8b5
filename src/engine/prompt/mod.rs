//! What stands in front of the conversation: a fixed head, and notes that change.

pub mod environment;
pub mod system;
