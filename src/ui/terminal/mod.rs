//! The terminal: what is switched on and off in it, what it is asked, and what comes from it.
//!
//! Reading order: `guard` (everything that is undone), `input` (what comes), which has its bytes told apart by `decode`
//! with `sequence` (where one ends), `keys` and `capabilities` (what is asked and answered), and its events told as
//! messages by `events`; `signals`; `clusters` and `links` (what the drawing library
//! does not know of), then `clipboard`, `title`, `notify`, `panic`.

pub mod capabilities;
pub mod clipboard;
pub mod clusters;
pub mod decode;
pub mod events;
pub mod guard;
pub mod input;
pub mod keys;
pub mod links;
pub mod notify;
pub mod panic;
pub mod sequence;
pub mod signals;
pub mod title;

pub use capabilities::Answer;
pub use clipboard::Clipboard;
pub use guard::Guard;
pub use input::Input;
pub use signals::Signals;
