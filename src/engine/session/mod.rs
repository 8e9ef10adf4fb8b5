//! What all agents of an open session share.
//!
//! `state` holds it; `recorder` writes the log; `permissions` judges and keeps grants; `tree` keeps the agents;
//! `requests` keeps what a person is asked and `terminals` where they type; `rules` tells what decides about calls; `goal`
//! keeps what is to be reached; `opening` makes a session ready, new or resumed; `ledger` is what its log says beyond the
//! words; `own_files` watches what acts in a trusted folder.

pub mod goal;
pub mod ledger;
pub mod opening;
pub mod own_files;
pub mod permissions;
pub mod recorder;
pub mod repair;
pub mod requests;
pub mod rules;
pub mod state;
pub mod telling;
pub mod terminals;
pub mod tree;
