//! One agent's turn: a pure machine and the driver that performs its effects.
//!
//! Read `input` and `effect` (what goes in and out), then `state` (every decision), then `driver` (every deed).

pub mod batch;
pub mod effect;
pub mod input;
pub mod listening;
pub mod loops;
pub mod nudge;
pub mod reply;
pub mod schedule;
pub mod state;
