//! Which files a listing or a search looks at, and in which order they are told.
//!
//! `visit` walks a tree, `pattern` says which names are wanted, `generated` which folders are not entered and `order`
//! keeps the first files of an order.

mod generated;
mod order;
mod pattern;
mod visit;

pub use order::{Key, Order, Part, Top};
pub use pattern::{Globs, types};
pub use visit::{Selection, Skipped, list, walk};
