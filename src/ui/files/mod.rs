//! Theme and keymap files: where they are, and how their mistakes are told.

pub mod folders;
pub mod problem;

pub use folders::Folders;
pub use problem::Problem;
