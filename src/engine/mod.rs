//! The agent: takes commands, answers with events, and knows nothing of any screen.
//!
//! Read `command` and `event` first: nothing else crosses to a front end. `worker` takes the commands, `routing`
//! sends each where it belongs; `session` is what all agents share; `turn` is one agent at work (read `turn::state`
//! for every decision); `window` is what a model is sent; `outputs` is what becomes of
//! a tool's answer; `host` is what tools can ask for.

pub mod agents;
pub mod clock;
pub mod command;
pub mod completion;
pub mod error;
pub mod event;
pub mod handle;
pub mod host;
pub mod jobs;
pub mod options;
pub mod outbox;
pub mod outputs;
pub mod person_shell;
pub mod prompt;
pub mod routing;
pub mod session;
pub mod toolset;
pub mod turn;
pub mod window;
pub mod worker;

pub use error::EngineError;
pub use handle::EngineHandle;
pub use worker::start;
