//! What the program promises about its everyday tools, one row each, with the tests that show it.
//!
//! `row` says what a row is, `found` which tests there are, `held` checks the one against the other. Every other file
//! holds the rows of a group of tools. A promise that is decided otherwise than elsewhere stands there with the reason.

mod added;
mod agents;
mod code;
mod files;
mod finding;
mod found;
mod held;
mod outputs;
mod person;
mod plan;
mod row;
mod scratchpad;
mod shell;
mod turns;
mod web;
