//! Tools called as a model calls them.

mod files;
mod search;
