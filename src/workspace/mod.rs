//! The project's files: the only folder that writes them.
//!
//! Reading order: `root` says which file a path means and whether it may be written, `secrets` which files nobody reads,
//! `freshness` what an agent has seen. `encoding` and `line_ends` turn bytes into the text a model sees and back;
//! `gate` loads and saves with both, `way` opens what was judged and nothing else, `replace` puts the bytes on disk. `edit` finds the place of a change, `read` shows
//! a window of lines, `raw` what is no text, `walk` lists files and `grep` searches them.

pub mod edit;
pub mod encoding;
pub mod error;
mod excerpt;
pub mod freshness;
pub mod gate;
pub mod grep;
pub mod line_ends;
pub mod notebook;
pub mod raw;
pub mod read;
mod replace;
pub mod root;
pub mod secrets;
pub mod walk;
mod way;
