//! The hardline floor: what no level, mode, rule, grant or answer lets an agent run.
//!
//! It is judged on the parsed line, so that words which only look dangerous (`grep 'DROP TABLE'`) pass and the same
//! words on their way into a shell or a database do not. A person who wants such a thing runs it with `!`. Start with
//! `find`; `table` and `programs` know what programs do, `code` what is given to interpreters and databases, `paths` what is broad.

mod code;
mod find;
mod paths;
mod programs;
mod table;

pub use find::Finding;
pub(super) use find::{FETCHERS, find};
