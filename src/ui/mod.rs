//! The Elm app: `Message` → `update` → `Model` → `view`; effects are data and only `run` performs them.

pub mod panes;
pub mod theme;

pub mod highlight;
pub mod markdown;
pub mod rows;
