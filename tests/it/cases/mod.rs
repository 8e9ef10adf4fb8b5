//! Faults that users of other programs met.

mod edit;
mod rendering;
mod shell;
mod wire;
