//! Requests from agents to the person: approvals and question forms, one queue for the whole tree, oldest first.
//!
//! An approval box stands in the transcript of the agent that asks (drawn there from [`state::ApprovalBox`]); a form
//! takes the composer's place. Reading order: `gate` (when a key may answer), `approval`, `state`, `update`, `keyboard` (what has
//! it), `approval_keys`, `answers`, `answering`, `details`; for forms `form`, `field`, `form_keys`, `form_view`, `form_rows`.

pub mod answering;
pub mod answers;
pub mod approval;
pub mod approval_keys;
pub mod details;
pub mod field;
pub mod form;
pub mod form_keys;
pub mod form_rows;
pub mod form_view;
pub mod gate;
pub mod keyboard;
pub mod state;
pub mod update;

pub use form_view::{cursor, title, view, wanted_rows};
pub use keyboard::{
    focus_next, give_to_composer, go_to, interrupt, is_text, keep_in_sight, later, leave,
    return_keyboard,
};
pub use state::{ApprovalBox, State, Waiting};
pub use update::{
    LEAST_BOX_ROWS, apply, comes, input, is_typed_on, next_tick_ms, noted, painted, paste, refused,
    resized, scope, takes_composer, tick, update, waiting, waits_for,
};
