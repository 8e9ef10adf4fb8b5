//! The terminal: what is switched on and off in it, what it is asked, and what comes from it.
//!
//! Reading order: `guard` (everything that is undone), `capabilities` (what is asked), `events` (what comes),
//! `input`, `signals`,
//! then `clipboard`, `title`, `notify`, `panic`.

pub mod capabilities;
pub mod clipboard;
pub mod events;
pub mod guard;
pub mod input;
pub mod notify;
pub mod panic;
pub mod signals;
pub mod title;

pub use capabilities::Capabilities;
pub use clipboard::Clipboard;
pub use guard::Guard;
pub use input::Input;
pub use signals::Signals;
