//! Faults that users of other programs met.

mod approvals;
mod commands;
mod edit;
mod input;
mod judge;
mod looking;
mod network;
mod notebook;
mod rendering;
mod sandbox;
mod shell;
mod supervision;
mod wire;
mod work;
