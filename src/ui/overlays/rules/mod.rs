//! What decides about calls, to be looked at and changed: what the person allowed or forbade, the configuration's rules,
//! and the latest judgements.
//!
//! Reading order: `list` (what is listed), `keys` (what is done with it), `form` (a rule that is added), `view`.

mod form;
mod keys;
mod list;
mod view;

pub use keys::{Next, apply, input, mouse, offers, open, paste, update};
pub use list::{Page, State};
pub use view::view;
