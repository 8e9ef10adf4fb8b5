//! The project's files: the only folder that writes them.

pub mod freshness;
pub mod root;
