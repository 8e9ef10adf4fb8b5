//! How a command ends when it does not end well: an exit code that scripts rely on, and a text.

use std::io;

use crate::{config::ConfigErrors, store::StoreError};

/// Exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done.
    Done = 0,
    /// Failed.
    Failed = 1,
    /// Wrong usage.
    Usage = 2,
    /// Refused for lack of permission.
    Permission = 3,
    /// Cancelled.
    Cancelled = 4,
    /// The set-up is wrong: no profile, no terminal, bad configuration.
    Setup = 5,
}

/// A command that did not end well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The exit code.
    pub exit: Exit,
    /// What is printed on stderr; nothing when empty.
    pub text: String,
}

impl Failure {
    /// A failure with a text of its own.
    pub fn new(exit: Exit, text: impl std::fmt::Display) -> Self {
        Self {
            exit,
            text: format!("error: {text}"),
        }
    }

    /// Adds what to do about it.
    pub fn with_hint(mut self, hint: impl std::fmt::Display) -> Self {
        self.text.push_str(&format!("\n  = help: {hint}"));
        self
    }
}

impl From<ConfigErrors> for Failure {
    fn from(errors: ConfigErrors) -> Self {
        Self {
            exit: Exit::Setup,
            text: errors.to_string(),
        }
    }
}

impl From<crate::config::ConfigError> for Failure {
    fn from(error: crate::config::ConfigError) -> Self {
        ConfigErrors::from(error).into()
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let exit = match error {
            StoreError::Unwritable { .. }
            | StoreError::Unreadable { .. }
            | StoreError::Newer { .. }
            | StoreError::Older
            | StoreError::Damaged { .. } => Exit::Setup,
            _ => Exit::Failed,
        };
        let failure = Self::new(exit, &error);
        match error.hint() {
            Some(hint) => failure.with_hint(hint),
            None => failure,
        }
    }
}

impl From<io::Error> for Failure {
    /// Whoever read our output has seen enough: that is no failure.
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self {
                exit: Exit::Done,
                text: String::new(),
            };
        }
        Self::new(
            Exit::Failed,
            format!("the output cannot be written: {error}"),
        )
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        io::Error::from(error).into()
    }
}
