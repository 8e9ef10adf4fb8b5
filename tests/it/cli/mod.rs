//! The command line of the real binary: what it prints, where, and how it ends.

mod configuration;
mod doctor;
mod program;
mod sessions;
mod starting;
mod tools;
mod usage;
