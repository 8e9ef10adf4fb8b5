//! Files that are no text: told by their content, and looked through before a model gets them.
//!
//! `sniff` says what a file is, `check` whether it is whole and of a size that can be shown: a damaged one would be
//! refused by every later request that holds it. Pure: bytes in, words out.

mod check;
mod picture;
mod sniff;

pub use check::{Flaw, check};
pub use sniff::{Media, sniff};
