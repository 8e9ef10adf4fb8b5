//! Proves that a command line only looks.
//!
//! `proof` holds the table of programs whose options are known and looks through a whole line; `git` is the part of it
//! about git; `held` has the programs that only look as long as a sandbox keeps secrets from them: `options` those of which
//! only some options are known, `special` those whose words have a grammar of their own.

mod git;
mod held;
mod options;
mod proof;
mod special;

pub(super) use git::{GIT, GitCommand, NO_COLOUR, Rest};
pub use held::{looks_when_held, only_prints};
pub use proof::{Proof, only_looks};
