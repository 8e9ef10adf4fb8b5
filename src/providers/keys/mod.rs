//! Keys: `secret` is one that cannot be printed, `renewing` reads one again that is no longer taken.

pub mod renewing;
pub mod secret;
