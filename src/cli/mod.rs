//! Arguments and wiring.
//!
//! `arguments` is what can be typed, `run` sends each subcommand to its one function, `failure` is how any of them
//! ends otherwise. `startup` brings paths, trust, settings and the store together for all of them; `options` makes of them
//! what the engine is started with.

pub mod arguments;
mod config;
mod doctor;
pub mod environment;
pub mod failure;
pub mod log;
pub mod options;
pub mod profiles;
mod run;
mod session;
pub mod startup;
mod table;
mod tool;
mod transcript;
pub mod workbench;

pub use run::run;
