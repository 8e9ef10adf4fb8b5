//! The real binary in a real pseudo-terminal.

mod colors;
mod modes;
mod stories;
