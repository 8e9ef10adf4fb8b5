//! What ends a turn that does not end by itself: loops, and promises that are not kept; and what begins one by itself:
//! a goal that is not reached.

pub mod loops;
pub mod nudge;
pub mod reminder;
