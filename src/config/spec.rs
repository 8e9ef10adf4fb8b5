//! What is known of a setting: its type, how it is set, who may set it; and the words of its choices.

use super::settings::Settings;
use crate::domain::{
    declared::DeclaredTool,
    hook::Hook,
    permission::{Level, Mode, Network, Rule},
};

/// One setting.
#[derive(Clone, Copy, Debug)]
pub struct SettingSpec {
    /// The whole key with dots.
    pub key: &'static str,
    /// Its type, and how it is set.
    pub field: Field,
    /// The default as it would be written; empty when there is none.
    pub default: &'static str,
    /// Whether a project may set it.
    pub reach: Reach,
    /// What it means, one sentence.
    pub doc: &'static str,
}

impl SettingSpec {
    /// A setting without default that only the person may set.
    pub const fn of_person(key: &'static str, field: Field, doc: &'static str) -> Self {
        Self {
            key,
            field,
            default: "",
            reach: Reach::Person,
            doc,
        }
    }
}

/// The type of a setting with the way to set it; the second argument is the name that stands for `*`.
#[derive(Clone, Copy, Debug)]
pub enum Field {
    /// Any text.
    Text(fn(&mut Settings, &str, String)),
    /// True or false.
    Flag(fn(&mut Settings, &str, bool)),
    /// A whole number.
    Whole {
        /// The least.
        least: u64,
        /// The most.
        most: u64,
        /// Sets it.
        set: fn(&mut Settings, &str, u64),
    },
    /// A number that is not negative.
    Decimal(fn(&mut Settings, &str, f64)),
    /// One of these words.
    Choice {
        /// The words.
        words: &'static [&'static str],
        /// Sets it; called with one of the words only.
        set: fn(&mut Settings, &str, &str),
    },
    /// A list of texts; lists of several files add up.
    Texts(fn(&mut Settings, &str, Vec<String>)),
    /// A list of permission rules, added one by one.
    Rules(fn(&mut Settings, Rule)),
    /// A list of hooks, added one by one.
    Hooks(fn(&mut Settings, Hook)),
    /// A list of tools, added one by one.
    Tools(fn(&mut Settings, DeclaredTool)),
}

/// Whether a project may set it.
#[derive(Clone, Copy, Debug)]
pub enum Reach {
    /// Only the person.
    Person,
    /// A trusted project too.
    Project,
    /// A trusted project too, when this says that the second settings allow no more than the first.
    Narrowing(fn(&Settings, &Settings) -> bool),
}

impl Field {
    /// The type in words, for the manual and for errors.
    pub fn describe(&self) -> String {
        match self {
            Self::Text(_) => "a string".to_owned(),
            Self::Flag(_) => "true or false".to_owned(),
            Self::Whole { least, most, .. } => format!("a whole number from {least} to {most}"),
            Self::Decimal(_) => "a number that is not negative".to_owned(),
            Self::Choice { words: [only], .. } => format!("\"{only}\""),
            Self::Choice { words, .. } => format!("one of {}", words.join(", ")),
            Self::Texts(_) => "a list of strings".to_owned(),
            Self::Rules(_) => "a list of rules".to_owned(),
            Self::Hooks(_) => "a list of hooks".to_owned(),
            Self::Tools(_) => "a list of tools".to_owned(),
        }
    }

    /// Whether it is a list of tables, whose entries are read one by one.
    pub fn is_list(&self) -> bool {
        matches!(self, Self::Rules(_) | Self::Hooks(_) | Self::Tools(_))
    }
}

/// The level of this name.
pub fn level(word: &str) -> Option<Level> {
    [
        Level::None,
        Level::Read,
        Level::Workspace,
        Level::Unrestricted,
    ]
    .into_iter()
    .find(|level| level.name() == word)
}

/// The mode of this name.
pub fn mode(word: &str) -> Option<Mode> {
    [Mode::Strict, Mode::Adaptive, Mode::Open]
        .into_iter()
        .find(|mode| mode.name() == word)
}

/// The network setting of this name.
pub fn network(word: &str) -> Option<Network> {
    [Network::All, Network::Remote, Network::None]
        .into_iter()
        .find(|network| network.name() == word)
}
