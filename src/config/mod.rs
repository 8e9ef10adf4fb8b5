//! Files, environment and flags to settings.
