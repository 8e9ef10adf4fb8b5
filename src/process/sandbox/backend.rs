//! What can hold a command, by name.

use serde::{Deserialize, Serialize};

/// What holds a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Backend {
    /// Namespaces that we make ourselves, with Landlock and a filter of system calls inside.
    Namespaces,
    /// Namespaces that bubblewrap makes, with the same inside.
    Bubblewrap,
    /// Landlock and a filter of system calls alone.
    Landlock,
    /// The sandbox of macOS.
    Seatbelt,
}

/// What the person wants to hold commands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// The best that works.
    #[default]
    Auto,
    /// This one or nothing runs.
    Only(Backend),
    /// None: every command runs as the person.
    None,
}

impl Backend {
    /// All of them, the best first.
    pub const ALL: &[Self] = &[
        Self::Namespaces,
        Self::Bubblewrap,
        Self::Landlock,
        Self::Seatbelt,
    ];

    /// Whether this system could have it.
    pub fn is_of_this_system(self) -> bool {
        match self {
            Self::Namespaces | Self::Bubblewrap | Self::Landlock => cfg!(target_os = "linux"),
            Self::Seatbelt => cfg!(target_os = "macos"),
        }
    }

    /// Whether the command has namespaces for itself: its own `/tmp`, its own processes, and its own network when it has
    /// not the machine's.
    pub fn has_namespaces(self) -> bool {
        match self {
            Self::Namespaces | Self::Bubblewrap => true,
            Self::Landlock | Self::Seatbelt => false,
        }
    }

    /// Its name in the configuration and on screen.
    pub fn name(self) -> &'static str {
        match self {
            Self::Namespaces => "namespaces",
            Self::Bubblewrap => "bubblewrap",
            Self::Landlock => "landlock",
            Self::Seatbelt => "seatbelt",
        }
    }
}

impl Choice {
    /// Reads a name of the configuration.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "auto" => Some(Self::Auto),
            "none" => Some(Self::None),
            _ => Backend::ALL
                .iter()
                .find(|backend| backend.name() == name)
                .map(|backend| Self::Only(*backend)),
        }
    }

    /// The backends to try, in order.
    pub fn candidates(self) -> Vec<Backend> {
        match self {
            Self::Auto => Backend::ALL
                .iter()
                .copied()
                .filter(|backend| backend.is_of_this_system())
                .collect(),
            Self::Only(backend) => vec![backend],
            Self::None => Vec::new(),
        }
    }
}
