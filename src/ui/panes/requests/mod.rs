//! Requests from agents to the person: approvals and question forms, oldest first.
//!
//! Read `gate` first (when a key may answer), then `form` and `field` (a form being filled in), then `pane`.

pub mod field;
pub mod form;
pub mod gate;
pub mod pane;

pub use pane::{
    State, apply, cursor, focus_next, input, later, leave, next_tick_ms, painted, paste, scope,
    takes_composer, update, view, waiting, wanted_rows,
};
