//! Whether a backend really holds: what must not be possible is tried from inside (`attempt`) and looked at from outside
//! (`trial`); `enforced` is what came of it.

pub(crate) mod attempt;
pub mod enforced;
mod trial;

pub use enforced::Enforced;
pub use trial::try_backend;
