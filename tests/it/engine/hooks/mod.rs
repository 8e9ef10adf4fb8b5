//! Hooks around real calls: real scripts, each event, each answer, each way to fail.

mod answers;
mod faults;
mod moments;
mod world;
