//! What an agent's work leaves and takes: its checklist, its notes, stored outputs, jobs, terminals of its commands, files
//! for the model, tokens, the window.

pub mod artifact;
pub mod checklist;
pub mod goal;
pub mod job;
pub mod media;
pub mod scratchpad;
pub mod terminal;
pub mod usage;
pub mod window;
