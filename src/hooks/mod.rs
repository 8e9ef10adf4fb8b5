//! Hooks: programs of the configuration that are told of what an agent does and may answer.
//!
//! Read `answer` (what one may say, and what its end means), then `run` (the child). Which hooks are asked when, and what
//! follows from their answers, is the turn's business.

pub mod answer;
pub mod run;
