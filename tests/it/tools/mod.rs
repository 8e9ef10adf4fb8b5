//! Tools called as a model calls them.

mod arguments;
mod code;
mod files;
mod inspect;
mod levels;
mod paging;
mod scratchpad;
mod search;
mod side_by_side;
mod web;
