//! One agent's turn: a pure machine and the driver that performs its effects.
//!
//! Read `input` and `effect` (what goes in and out), then `state` with `listening`, `moments`, `batch` and `entry` (every decision),
//! then `driver` (every deed). `inner` is for calls that a running call makes.

pub mod batch;
pub mod call;
pub mod driver;
pub mod effect;
pub mod entry;
pub mod guards;
pub mod inner;
pub mod input;
pub mod listening;
pub mod moments;
pub mod prompting;
pub mod recording;
pub mod reply;
pub mod room;
pub mod running;
pub mod schedule;
pub mod state;
pub mod turns;
pub mod waiting;
