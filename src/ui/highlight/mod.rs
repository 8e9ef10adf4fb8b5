//! Syntax colours as meanings. Code is plain until a worker has looked at it.
//!
//! `job` does the work (never on the UI path), `scopes` maps grammar scopes to style names, `store` remembers
//! results and says what is wanted.

mod job;
mod scopes;
mod store;

pub use job::{Highlighted, Job, Key, Mark};
pub use store::Highlights;
