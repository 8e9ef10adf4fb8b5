//! Language models: one contract, several wires.
//!
//! Read `contract` first; `registry` is the one list; every wire has its own private folder.

pub mod contract;
pub mod error;
pub mod practice;
pub mod retry;
pub mod scripted;
