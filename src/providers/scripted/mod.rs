//! A provider that plays a script: for tests and for trying the program without a language model.
//!
//! `script` holds the queue of replies and what was asked, `reply` builds one reply out of steps, `gate` stops
//! a reply at a place until a test lets it go on. Nothing here waits for time.

mod gate;
mod reply;
mod script;

pub use gate::Gate;
pub use reply::{Reply, Step};
pub use script::Scripted;
