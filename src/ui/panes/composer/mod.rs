//! Pane 2: the message being written.
//!
//! Reading order: `state`, `update` (keys, pastes, events), `view`; below them `editor` (the text itself, with
//! `buffer`, `editor_keys`, `motion`, `wrapping` and `chips`), `history`, `returned` (words that come back),
//! `completion` (the list above, drawn by `popup`) and `submission` (what a finished draft is).

mod buffer;
pub mod chips;
pub mod completion;
pub mod editor;
pub mod editor_keys;
pub mod history;
pub mod motion;
pub mod popup;
pub mod returned;
pub mod state;
pub mod submission;
pub mod update;
pub mod view;
pub mod wrapping;

pub use editor::{Edited, Editor};
pub use returned::{edited, refused};
pub use state::State;
pub use update::{
    aim, apply, clear, input, insert, is_empty, mouse, next_tick_ms, paste, save_draft, tick,
    update,
};
pub use view::{cursor, title, view, waits_for_next, wanted_rows};
