//! Children: the only folder that starts them, so that whole trees can be ended.
//!
//! Read `spawn` first (a command from start to end), `program` (what it is made of), `sandbox` (what the kernel lets it do), then `tree` (the processes of a command as we hold them),
//! `supervisor` (the small process between us and each command, which ends the tree when we are gone), `output`
//! (what a command printed), `whole` (a text of any size, bounded) and `spool` (its files), `environment` (what a child may know), `network` (connections for agents), `table` (jobs
//! that a command left behind), `terminal` (one into which a person can type), `exchange` (a program that is handed a text and answers with one), `asking`
//! (one that asks us for things while it runs) and `kill`.

pub mod asking;
pub mod editor;
pub mod environment;
pub mod error;
pub mod exchange;
pub mod kill;
pub mod network;
pub mod output;
pub mod program;
pub mod sandbox;
pub mod secret_command;
pub mod spawn;
pub mod spool;
pub mod supervisor;
pub mod table;
pub mod terminal;
mod tree;
mod whole;
