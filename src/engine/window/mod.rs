//! What the model is sent: the conversation folded from the log, and how full its window is.

pub mod breakdown;
pub mod budget;
pub mod compaction;
pub mod conversation;
pub mod left_out;
pub mod loading;
pub mod retelling;
