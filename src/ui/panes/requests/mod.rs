//! Requests from agents to the person: approvals and question forms, oldest first.
//!
//! Read `gate` first (when a key may answer), then `form` and `field` (a form being filled in), then `state`.

pub mod field;
pub mod form;
pub mod gate;
