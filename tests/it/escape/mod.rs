//! Attempts to leave the sandbox, in every one that works here: none succeeds.
//!
//! `attempts` is the table; `run` makes them and looks at the world around from outside.

mod attempts;
mod run;
