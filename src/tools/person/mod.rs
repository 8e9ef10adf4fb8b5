//! The person in front of the screen, asked for what only they know.
//!
//! `questions` reads the questions that a model sends; `answers` puts the answers into words.

mod answers;
mod ask_user;
mod questions;

use super::contract::{AnyTool, Typed};

/// The family.
pub(super) const TOOLS: &[&dyn AnyTool] = &[&Typed::<ask_user::AskUser>::new()];
