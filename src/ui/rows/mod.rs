//! Rows of styled text: what cells, displays and Markdown are made of.
//!
//! A row names meanings, never colours, so a new theme needs no new rows. `piece` holds the types, `flow` breaks
//! pieces into rows, `draw` puts rows on the screen.

mod draw;
mod flow;
mod piece;
mod stack;

pub use draw::{draw, plain};
pub use flow::{Flow, flow};
pub use piece::{Joint, Paint, Piece, Row};
pub use stack::Stack;
