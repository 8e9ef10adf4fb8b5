//! Faults that users of other programs met.

mod edit;
mod wire;
