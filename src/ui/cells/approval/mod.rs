//! The box in which a person decides. Everything that is asked is shown: every argument, hidden characters made
//! visible, and for an edit the change. What does not fit is counted, with the key that shows it.
//!
//! Reading order: `frame` (the whole box), `findings` (what must not be missed), `asked` (the call as it would run now),
//! `change` (what an edit does), `values`, `lines` (what a hidden row stands for), `notes` (why it is asked, where it
//! runs), `answer` (the keys, or what is being written), `room` (what of all that is shown where there is little room).

mod answer;
mod asked;
mod change;
mod findings;
mod frame;
mod lines;
mod notes;
mod room;
mod values;

pub use change::ChangeMemo;
pub use findings::findings;
pub(super) use frame::draw;
pub use frame::{approval_rows, least_rows};
