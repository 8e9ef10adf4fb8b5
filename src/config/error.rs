//! What is wrong with a configuration: where, what, and what to write instead.

use std::{fmt, path::PathBuf};

use crate::{domain::agent_policy::RuleOrigin, text::sanitize::clean_line};

/// Where a value comes from; the later ones win.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// Our own default.
    #[default]
    BuiltIn,
    /// The person's file.
    User(Place),
    /// The project's file.
    Project(Place),
    /// An environment variable.
    Environment(String),
    /// A flag of the command line.
    Flag(String),
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file.
    pub file: PathBuf,
    /// The line, from 1; 0 when the whole file is meant.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl Place {
    /// File and line for the screen: `~` for the person's home, nothing that a terminal would obey.
    pub(super) fn short(&self) -> String {
        let below = std::env::home_dir().and_then(|home| {
            let below = self.file.strip_prefix(&home).ok()?;
            Some(PathBuf::from("~").join(below))
        });
        let file = below.as_deref().unwrap_or(&self.file);
        clean_line(&format!("{}:{}", file.display(), self.line)).into_owned()
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if self.line > 0 {
            write!(f, ":{}:{}", self.line, self.column)?;
        }
        Ok(())
    }
}

impl Origin {
    /// The same for a rule and for the screen.
    pub(super) fn of_rule(&self) -> RuleOrigin {
        RuleOrigin {
            is_project: matches!(self, Self::Project(_)),
            place: match self {
                Self::User(place) | Self::Project(place) => place.short(),
                other => clean_line(&other.to_string()).into_owned(),
            },
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn => f.write_str("built in"),
            Self::User(place) | Self::Project(place) => place.fmt(f),
            Self::Environment(name) => write!(f, "environment variable {name}"),
            Self::Flag(name) => write!(f, "{name} on the command line"),
        }
    }
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// Where.
    pub origin: Origin,
    /// The whole key with dots; empty when no key is meant.
    pub key: String,
    /// What is wrong, one line without a full stop.
    pub problem: String,
    /// What to write instead.
    pub hint: Option<String>,
}

impl ConfigError {
    /// Something wrong with a key.
    pub(super) fn new(origin: Origin, key: &str, problem: impl Into<String>) -> Self {
        Self {
            origin,
            key: key.to_owned(),
            problem: problem.into(),
            hint: None,
        }
    }

    /// Adds what to write instead.
    pub(super) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.problem)?;
        if self.origin != Origin::BuiltIn {
            write!(f, "\n  --> {}", self.origin)?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "\n  = help: {hint}")?;
        }
        Ok(())
    }
}

/// Everything that is wrong, so that it can be mended at once. Never empty.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct ConfigErrors(pub Vec<ConfigError>);

impl fmt::Display for ConfigErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("\n\n")?;
            }
            error.fmt(f)?;
        }
        Ok(())
    }
}

impl From<ConfigError> for ConfigErrors {
    fn from(error: ConfigError) -> Self {
        Self(vec![error])
    }
}
