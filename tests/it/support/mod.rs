//! What the tests share.
#![allow(dead_code, reason = "a helper may wait for the tests that need it")]

pub(crate) mod bench;
pub(crate) mod cage;
pub(crate) mod chat;
pub(crate) mod frames;
pub(crate) mod golden;
pub(crate) mod host;
pub(crate) mod picture;
pub(crate) mod sample;
pub(crate) mod server;
pub(crate) mod talk;
pub(crate) mod terminal;
mod validate;
