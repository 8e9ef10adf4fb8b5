//! Everything that needs more than one folder of the program: whole turns, wires, frames, the real binary.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test may fail loudly"
)]

mod architecture;
mod cases;
mod catalogue;
mod cli;
mod engine;
#[cfg(target_os = "linux")]
mod escape;
mod frames;
mod promises;
mod providers;
mod store;
mod support;
mod terminal;
mod tools;
