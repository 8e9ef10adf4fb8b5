//! Everything that waits for the person, one row each, with the box of the selected one below: it is answered there
//! with the same keys under the same guard.
//!
//! The list has no state of its own: what has the keyboard among the requests is what is selected. Reading order:
//! `keys`, `view`.

mod keys;
mod view;

pub use keys::{mouse, offers, open, settle, update};
pub use view::{box_in_sight, view};
