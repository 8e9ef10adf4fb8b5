//! Connections on an agent's behalf: `guard` is what every one of them is made by.

pub mod guard;
