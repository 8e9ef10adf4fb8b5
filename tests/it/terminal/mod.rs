//! The real binary in a real pseudo-terminal.

mod answers;
mod colors;
mod links;
mod modes;
mod stories;
mod typing;
