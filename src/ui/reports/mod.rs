//! Texts about the whole session that are read in a viewer.

mod cost;
mod doctor;
mod tools;

pub use cost::cost;
pub use doctor::doctor;
pub use tools::tools;
