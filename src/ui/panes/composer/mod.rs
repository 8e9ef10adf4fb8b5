//! The composer: where the person writes. Read `editor` first, then `pane`.

pub mod editor;
pub mod motion;
pub mod pane;
pub mod wrapping;

pub use editor::{Edited, Editor};
pub use pane::{
    State, aim, apply, clear, cursor, input, insert, is_empty, mouse, paste, title, update, view,
    wanted_rows,
};
