//! Outputs kept whole, as files named by the SHA-256 of their bytes.
//!
//! Read `calls` first (what others call), then `file` (keeping and reading), `streams` (the parts of one output), `temporary` (files on their
//! way), `publishing` (what is kept and not yet in a log) and `collect` (what no log names goes). Nothing here needs
//! the database but `collect`, which opens it for itself: none of it waits for the worker.

mod calls;
mod collect;
mod file;
mod publishing;
mod streams;
mod temporary;

pub use collect::Collected;
pub(super) use file::Kept;
pub use file::{ArtifactRead, ArtifactSource};
pub use streams::{StreamContent, StreamSource};
