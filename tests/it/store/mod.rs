//! Sessions on disk under kills and damage.
