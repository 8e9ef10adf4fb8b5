//! The panes: one per subject of the screen, each with its state, update and view.

pub mod composer;
pub mod requests;
