//! Strings as a terminal sees them: widths, wrapping, cutting, cleaning.
//!
//! Read `width` first (what a column is), then `wrap` and `truncate` (fitting text into columns), `sanitize`
//! (the one boundary for untrusted text) and `ansi` (output of programs) and `figures` (numbers). `diff`, `find`, `fuzzy` and `tokens` compare,
//! find and estimate.

pub mod ansi;
pub mod diff;
pub mod figures;
pub mod find;
pub mod fuzzy;
mod overprint;
pub mod sanitize;
pub mod tokens;
pub mod truncate;
pub mod width;
pub mod wrap;
