//! The conversation: transcripts of all agents, one of them shown.
//!
//! `entry` is what a transcript is made of, `transcript`, `records` and `label` build it, `layout` knows heights, `scroll` says
//! which part is seen, `at_work` whether anything moves. `pane` is the pane's face to the rest: `actions`, `search`,
//! `selection`, `drawing`, `boxed` and `links` are parts of it.

mod actions;
mod at_work;
mod boxed;
mod drawing;
mod entry;
mod label;
mod layout;
mod links;
pub mod pane;
mod records;
mod scroll;
mod search;
mod selection;
mod transcript;

pub use actions::{output, prompt_beside, shows, update};
pub use at_work::{spinner, waits_only_for_person};
pub use boxed::{box_in_sight, rows_for_box};
pub use drawing::{cursor, title, view};
pub use entry::{Body, Call, CallStage, Entry, EntryKey, Fold};
pub use links::links;
pub use pane::{State, apply, follow, highlighted, highlights, painted, show, show_call};
pub use scroll::{Anchor, Scroll};
pub use search::{has_matches, input, paste, takes_text};
pub use selection::{drag, is_marking, mouse};
pub use transcript::Transcript;
