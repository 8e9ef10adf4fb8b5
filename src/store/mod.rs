//! Sessions on disk: one worker thread owns the database connection.
//!
//! Read `handle` first (what others call), then `worker` (the thread), `events` (the log), `sessions`.
//! `open`, `migrate` and `damage` are the way to a usable file; `lock` keeps one writer to a session;
//! `artifacts` are files beside the database; `scratchpad`, `drafts` and `folders` are small tables.

pub mod artifacts;
mod damage;
pub mod drafts;
pub mod error;
mod events;
mod folders;
pub mod handle;
mod lasting;
pub mod lock;
mod migrate;
mod open;
pub mod places;
mod scratchpad;
mod sessions;
mod worker;

pub use artifacts::{ArtifactRead, ArtifactSource, Collected, StreamContent, StreamSource};
pub use drafts::DraftKey;
pub use error::StoreError;
pub use events::Page;
pub use handle::StoreHandle;
pub use lock::SessionLock;
pub use places::{Clock, StoreOptions, StorePlaces};
