//! Documents that describe types of agents: Markdown with a head of keys.
//!
//! `head` reads the keys, `document` makes a type of them, `load` finds the files of the person and of a trusted
//! project.

mod document;
mod head;
mod load;

pub use load::{LONGEST, documents, load, type_name};
