//! Tools called as a model calls them.

mod files;
mod inspect;
mod scratchpad;
mod search;
mod web;
