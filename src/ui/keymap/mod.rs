//! Which keys do what. `action` is the one list; `keymaps/*.toml` bind it.
//!
//! Reading order: `action`, `scope`, `chord`, `load`, `resolve`, `hints`.

pub mod action;
pub mod chord;
pub mod hints;
pub mod load;
pub mod resolve;
pub mod scope;

pub use action::Action;
pub use chord::{Chord, Sequence};
pub use load::Keymap;
pub use resolve::Resolution;
pub use scope::Scope;
