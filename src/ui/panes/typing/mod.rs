//! Typing into a call that has a terminal, from the conversation. While that lasts, every key goes to the program but the
//! one that leaves.
//!
//! `state` is which calls can be typed into and which one is, `keyboard` how that begins and ends, `bytes` what a key
//! sends.

mod bytes;
mod keyboard;
mod state;

pub use keyboard::{begin, input, joined, leave, paste, refused, run};
pub use state::{
    State, apply, chosen, follow_size, has_any, is_on, is_over, left, next_tick_ms, shown, takes,
    tick, waits_for, written_in,
};
