//! Typing into a call that has a terminal, from the conversation. While that lasts, every key goes to the program but the
//! one that leaves.
//!
//! `state` is which calls can be typed into and which one is; `bytes` is what a key sends.

mod bytes;
mod state;

pub use state::{
    State, apply, begin, chosen, follow_size, has_any, input, is_on, is_over, joined, leave, left,
    next_tick_ms, paste, shown, takes, tick, waits_for, written_in,
};
