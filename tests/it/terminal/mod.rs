//! The real binary in a real pseudo-terminal.
