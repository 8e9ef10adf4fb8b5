//! Every wire against recorded and scripted streams.

mod finding;
mod recorded;
mod sockets;
mod unload;
