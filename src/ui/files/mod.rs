//! The person's files: themes and keymaps, how their mistakes are told, and how the panes were arranged.

pub mod folders;
pub mod panes;
pub mod problem;

pub use folders::Folders;
pub use problem::Problem;
