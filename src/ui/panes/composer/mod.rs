//! The composer: where the person writes. Read `editor` first, then `state`.

pub mod editor;
pub mod motion;
pub mod wrapping;

pub use editor::{Edited, Editor};
