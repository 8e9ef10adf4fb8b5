//! What all agents of an open session share.
//!
//! `state` holds it; `recorder` writes the log; `permissions` judges and keeps grants; `tree` keeps the agents;
//! `requests` keeps what a person is asked; `opening` makes a session ready, new or resumed.

pub mod opening;
pub mod permissions;
pub mod recorder;
pub mod repair;
pub mod requests;
pub mod state;
pub mod telling;
pub mod tree;
