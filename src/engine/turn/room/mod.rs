//! Making room in the window: when, and by whom the summary is written.
//!
//! `machine` decides; `making` begins, `summarizing` asks the model for a summary, `installing` puts it in place; `editing`
//! is what the person does to a window.

mod editing;
mod installing;
pub mod machine;
pub mod making;
mod summarizing;
