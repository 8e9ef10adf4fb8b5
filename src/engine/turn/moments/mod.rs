//! Moments of a turn at which hooks are heard: before and after a call, before the model reads new words, at the end.
//!
//! `occasion` says what they are told of and what comes back; `steps` is the part of the turn machine where a turn begins,
//! goes on and ends; `review` is that of a call. `telling` has the hooks asked: `chain` one by one, with what `before` and
//! `after` a call make of their answers, about its `subject`.

mod after;
mod before;
mod chain;
pub mod occasion;
pub mod review;
pub mod steps;
mod subject;
pub mod telling;
