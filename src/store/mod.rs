//! Sessions on disk: one worker thread owns the database connection.
//!
//! Read `handle` first (what others call), `log` (its part about the log), then `worker` (the thread) and `tables`
//! (`events` is the log).
//! `open`, `migrate` and `damage` are the way to a usable file; `lock` keeps one writer to a session;
//! `artifacts` are files beside the database.

pub mod artifacts;
mod damage;
pub mod error;
pub mod handle;
pub mod lock;
mod log;
mod migrate;
mod open;
pub mod places;
pub mod tables;
mod worker;

pub use artifacts::{ArtifactRead, ArtifactSource, Collected, StreamContent, StreamSource};
pub use error::StoreError;
pub use handle::StoreHandle;
pub use lock::SessionLock;
pub use places::{Clock, StoreOptions, StorePlaces};
pub use tables::{drafts::DraftKey, events::Page, ledgers::StoredLedger};
