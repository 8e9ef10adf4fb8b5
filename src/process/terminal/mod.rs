//! A pseudo-terminal for a command, so that the person can type into it.
//!
//! The process that becomes the command opens it where the command will look for it, hands one end over to us
//! (`pair`; `unconfined` is that process where there is no sandbox) and makes the other one the command's own. `near`
//! is our end, `keyboard` what comes to it from the person.

mod keyboard;
mod near;
pub(super) mod pair;
pub mod unconfined;

pub use keyboard::Keyboard;
pub(super) use near::Near;
