//! Connections on an agent's behalf: `guard` is what every one of them is made by, `proxy` makes them for commands in a
//! sandbox.

pub mod guard;
pub(super) mod proxy;
