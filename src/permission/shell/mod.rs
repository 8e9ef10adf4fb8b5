//! What a command line runs, read with bash's own grammar.
//!
//! `line` holds what was understood: `tree` turns the parsed line into simple commands, `tamed` keeps from the grammar
//! what it reads differently than bash, `redirects` says what stands behind `<` and `>`, `word` says what a word is once
//! quotes are gone, `evaluated` where bash makes more of a text than words and `assignments` which variables may be set,
//! `wrappers` opens what runs something else (`sudo`, `env`), `repeated` what does so again and again (`xargs`), `shells`
//! what makes a command of a text (`sh -c`, `eval`), `sed` reads its scripts, `crude` finds what might run in a text that the grammar cannot read,
//! `readonly` proves the few commands that only look, wide where a sandbox holds them, and `argv` takes one of those as
//! words. What is not fully understood is a [`Line::doubts`] entry: such a line is asked about, never allowed by a
//! pattern. Deny rules see every command that the line might run, understood or not.

mod argv;
mod assignments;
mod crude;
mod evaluated;
mod line;
mod options;
mod readonly;
mod redirects;
mod repeated;
mod sed;
mod shells;
mod tamed;
mod tree;
mod word;
mod wrappers;

pub use argv::{Argv, quoted};
pub use line::{Doubt, Input, Line, Redirect, Role, Simple};
pub use options::has_tricks;
pub use readonly::{Proof, looks_when_held, only_looks, only_prints};
pub use shells::{SHELLS, printed};
pub use word::Word;
