//! What floats above the panes and takes all keys: `Esc` closes the top one, and what lies beneath comes back (`open`).
//!
//! `picker` is the list with a query that the palette and every choice are made of; `choices` fills it and does what
//! was chosen. `inbox` lists what waits for the person, `rules` what decides about calls. `viewer`, `help`, `start`, `endpoint` and `ask` (with `trust_words`) are the others; `route` sends everything to the open one.

pub mod ask;
pub mod choices;
pub mod endpoint;
pub mod help;
pub mod inbox;
pub mod line;
pub mod open;
pub mod picker;
pub mod picker_view;
pub mod route;
pub mod rules;
pub mod surface;
mod trust_words;
pub mod viewer;
mod viewer_rows;
mod viewer_source;
pub mod viewer_view;

pub use open::Overlays;
pub use route::{Overlay, apply, comes, input, mouse, painted, paste, update, view};
