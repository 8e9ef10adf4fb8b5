//! Calls that a running call makes: each is a call of its own, on the same way as one of the model's.
//!
//! `calls` makes them; `call` takes one from its judgement to its result.

mod call;
mod calls;

pub use calls::InnerCalls;
