//! Files, environment and flags to settings.
//!
//! Read `settings` (what everyone uses), then `spec` and `catalogue` (the one list of keys), then `layers` (who wins).
//! `paths` says where everything is; `reader` turns a file into settings, `lists` their lists of tables; `edit` changes the person's file
//! and keeps its comments; `agents` are the documents of agent types; `trust` is what a project must have before its files count, and `project` reads these.

pub mod accounts;
pub mod agents;
pub mod catalogue;
pub mod credentials;
pub mod edit;
pub mod error;
pub mod layers;
mod lists;
pub mod nearest;
pub mod paths;
pub mod profiles;
pub mod project;
mod reader;
pub mod settings;
pub mod shown;
pub mod spec;
pub mod trust;

pub use error::{ConfigError, ConfigErrors, Origin};
pub use layers::{Loaded, Override, Sources, key_variables, load};
pub use paths::Paths;
pub use settings::Settings;
