//! Quarterdeck: a terminal workbench for working with AI coding agents.
//!
//! Reading order, lowest layer first (a layer imports only from those above it in this list):
//! `text` → `domain` → `config` → `permission` → `store`, `providers` → `process` → `hooks`, `workspace` →
//! `tools` → `engine` → `ui` → `cli`.
//!
//! Six words mean several things in this field; here each bare word has one meaning:
//!
//! | word | meaning here | the other meaning is called |
//! |---|---|---|
//! | message | what the Elm loop receives (`ui::Message`) | chat message |
//! | model | the screen's state (`ui::Model`) | language model, `ModelInfo` |
//! | command | screen to engine (`engine::Command`) | shell command, palette action |
//! | event | engine to screen (`engine::Event`) | terminal event, stream event |
//! | context | never used bare | context window, tool context |
//! | token | never used bare | output token, cancellation token |

pub mod cli;
pub mod config;
pub mod domain;
pub mod engine;
pub mod hooks;
pub mod media;
pub mod permission;
pub mod process;
pub mod providers;
pub mod store;
pub mod text;
pub mod tools;
pub mod ui;
pub mod workspace;
