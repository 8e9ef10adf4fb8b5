//! The shape of the program, held by tests: who may import whom, how large things get, what stands where.
//!
//! `source` reads the files and takes comments, strings and test code apart; `order` holds who imports whom,
//! `sizes` how large files, folders and types get, `contents` what must not stand where. `exceptions` is the one
//! list of what is excused, with reasons; it may only shrink, and an excuse that is no longer needed fails.

mod contents;
mod exceptions;
mod order;
mod sizes;
pub(crate) mod source;
