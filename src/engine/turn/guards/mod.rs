//! What ends a turn that does not end by itself: loops, and promises that are not kept.

pub mod loops;
pub mod nudge;
