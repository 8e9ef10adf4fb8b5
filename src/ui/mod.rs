//! The Elm app: `Message` → `update` → `Model` → `view`; effects are data and only `run` performs them.
//!
//! Reading order: `message`, `model`, `session`, `effect`, `update`, `layout`, `view`, `run`. Then a pane: its
//! `State`, `update`, `view`. A pane takes actions (`update`), raw keys where it takes text (`input`) and engine
//! events (`apply`), and draws itself into the rectangle that `layout` gave it (`view`).

mod away;
pub mod cells;
pub mod commands;
pub mod displays;
pub mod effect;
pub mod files;
pub mod focus;
pub mod highlight;
pub mod keymap;
pub mod layout;
pub mod markdown;
pub mod message;
pub mod model;
pub mod overlays;
pub mod panes;
pub mod perform;
pub mod pointer;
pub mod reports;
pub mod rows;
pub mod run;
pub mod session;
pub mod terminal;
pub mod theme;
pub mod update;
pub mod view;
pub mod widgets;
mod world;

pub use effect::Effect;
pub use message::{Clock, Message};
pub use model::Model;
