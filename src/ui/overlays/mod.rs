//! What floats above the panes and takes all keys: one at a time, `Esc` closes it.

pub mod route;
pub mod viewer;

pub use route::{Overlay, apply, input, mouse, paste, update, view};
