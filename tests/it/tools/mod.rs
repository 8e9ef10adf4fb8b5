//! Tools called as a model calls them.

mod files;
mod inspect;
mod paging;
mod scratchpad;
mod search;
mod web;
