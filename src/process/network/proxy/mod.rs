//! The proxy through which a command in a sandbox reaches other machines, and nothing else does.
//!
//! It runs in the supervisor of the command and ends with it. Read `serve` first (from a connection to its end), then
//! `head` (what a client asks for), `relay` (what follows) and `address` (how a command is told of it).

pub(crate) mod address;
mod head;
mod relay;
pub(crate) mod serve;

pub(crate) use address::ProxyAddress;
pub(crate) use serve::Proxy;
