//! Language models: one contract, several wires.
//!
//! Read `contract` first; `registry` is the one list; every wire has its own folder. Around the wires: `account`
//! and `keys` say where to ask and with which key, `http` and `sse` carry bytes, `failure` names what went wrong
//! (with `words` and `window_full`), `retry` and `rate_gate` say when to ask again, `catalog` knows models,
//! `media` what can be sent to them beside text, and `detection` finds servers.

pub mod account;
pub mod catalog;
pub mod contract;
pub mod detection;
pub mod error;
mod failure;
mod http;
pub mod keys;
pub mod media;
mod openai_chat;
pub mod practice;
pub mod rate_gate;
pub mod registry;
pub mod retry;
pub mod scripted;
mod sse;
mod window_full;
mod words;
