//! Lines that match a pattern, file by file.
//!
//! `query` says what is looked for and what is found, `search` goes through the files with ripgrep's own engine,
//! `collect` takes the matches of one and `page` cuts out what is wanted of all.

mod collect;
mod page;
mod query;
mod search;

pub use query::{Detail, FileHits, Query, Report, Row};
pub use search::search;
