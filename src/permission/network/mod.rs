//! Where connections on an agent's behalf may go.
//!
//! Read `policy` first (what is asked of it and what it answers), then `target` (where a URL or a `host:port` leads, in
//! whatever spelling) and `address` (which addresses are this machine's or its surroundings').

pub mod address;
pub mod policy;
pub mod target;

pub use address::Place;
pub use policy::{NetworkPolicy, Refusal};
pub use target::Target;
