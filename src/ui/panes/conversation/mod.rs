//! The conversation: transcripts of all agents, one of them shown.

pub mod pane;

pub use pane::{
    State, apply, cursor, highlighted, input, mouse, painted, paste, show, takes_text, title,
    update, view,
};
