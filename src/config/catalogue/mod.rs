//! Every setting of the configuration: `list` in the order of the manual, `context` those of the window.

mod context;
mod list;

pub use list::SETTINGS;
pub(super) use list::open_named;
