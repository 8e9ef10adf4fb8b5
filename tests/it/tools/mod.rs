//! Tools called as a model calls them.
