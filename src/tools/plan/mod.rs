//! The checklist: what an agent has committed to do, and the goal that it leads to.
//!
//! `checklist_read` is the shortest tool of all; `listing` writes the list for the model.

mod checklist_add;
mod checklist_edit;
mod checklist_read;
mod goal_get;
mod goal_update;
mod listing;

use super::contract::{AnyTool, Typed};

/// The family.
pub(super) const TOOLS: &[&dyn AnyTool] = &[
    &Typed::<checklist_add::ChecklistAdd>::new(),
    &Typed::<checklist_edit::ChecklistEdit>::new(),
    &Typed::<checklist_read::ChecklistRead>::new(),
    &Typed::<goal_get::GoalGet>::new(),
    &Typed::<goal_update::GoalUpdate>::new(),
];
