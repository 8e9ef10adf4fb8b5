//! Rows of the transcript, one file per kind of entry.
//!
//! `scene` is what a cell may look at, `cell` routes an entry to its file. A cell returns rows; it never scrolls, remembers or decides.

mod approval;
mod assistant;
mod cell;
mod decision;
mod dialogue;
mod notice;
mod question;
mod reasoning;
mod recap;
mod scene;
mod tool_call;
mod user;

pub use approval::{ChangeMemo, approval_rows, findings, least_rows};
pub use cell::{BoxPlace, Drawn, default_fold, draw};
pub use scene::Scene;
