//! The panes. Each file: `State`, `update` (actions), `input` and `paste` (text), `apply` (engine events), `mouse`,
//! `title`, `view`, `cursor`; `route` sends each of these to the pane that is meant.

pub mod agents;
pub mod checklist;
pub mod composer;
pub mod context_gauge;
pub mod conversation;
pub mod footer;
pub mod goal;
pub mod header;
pub mod offered;
pub mod prompt;
pub mod requests;
pub mod route;
pub mod scratchpad;
pub mod side_list;
pub mod typing;

pub use route::{apply, cursor, input, mouse, paste, refused, scope, title, update, view};
