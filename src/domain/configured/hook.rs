//! A program of the configuration that is told of what an agent does and may answer.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::domain::{ids::CallId, notice::Severity};

/// Characters of a value that the transcript's line shows.
const SHOWN: usize = 300;
/// The same of words that were not sent: the person may want them back.
const SHOWN_UNSENT: usize = 4_000;

/// What a hook is told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HookEvent {
    /// A tool is about to be called.
    PreToolCall,
    /// A tool has answered.
    PostToolCall,
    /// A task is about to be handed to another agent.
    PreAsk,
    /// The other agent has answered.
    PostAsk,
    /// The model is about to read new words.
    PreGeneration,
    /// A turn ends.
    TurnEnd,
}

impl HookEvent {
    /// Every event, with the name that the configuration gives it.
    pub const ALL: [(&'static str, Self); 6] = [
        ("pre_tool_call", Self::PreToolCall),
        ("post_tool_call", Self::PostToolCall),
        ("pre_ask", Self::PreAsk),
        ("post_ask", Self::PostAsk),
        ("pre_generation", Self::PreGeneration),
        ("turn_end", Self::TurnEnd),
    ];

    /// Its name in the configuration and in what a hook is told.
    pub fn name(self) -> &'static str {
        let named = Self::ALL.iter().find(|(_, event)| *event == self);
        named.map_or("", |(name, _)| *name)
    }

    /// Whether it has a tool or an agent that a matcher can look at.
    pub fn has_subject(self) -> bool {
        !matches!(self, Self::PreGeneration | Self::TurnEnd)
    }
}

/// What a hook runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HookCommand {
    /// A line that bash reads.
    Line(String),
    /// A program, then its arguments.
    Words(Vec<String>),
}

/// A hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hook {
    /// What it is called in the transcript.
    pub name: String,
    /// What it is told of.
    pub event: HookEvent,
    /// What runs.
    pub command: HookCommand,
    /// Which tools, or which agents, it is about.
    pub matcher: String,
    /// How long it may take, in milliseconds.
    pub timeout_ms: u64,
    /// Whether nothing goes on without its word.
    pub required: bool,
    /// Whether it runs in the sandbox of commands.
    pub sandbox: bool,
}

/// What a hook did, as the log keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HookNote {
    /// The hook.
    pub hook: String,
    /// What it was told of.
    pub event: HookEvent,
    /// The call that it was about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<CallId>,
    /// What it did.
    pub deed: HookDeed,
}

/// What a hook did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "deed", rename_all = "snake_case")]
pub enum HookDeed {
    /// It wrote other arguments.
    Changed {
        /// The arguments before.
        from: Value,
        /// The arguments since.
        to: Value,
    },
    /// It let something not happen.
    Denied {
        /// Why, in its words.
        words: String,
    },
    /// It wants the person asked.
    Asked {
        /// Why, in its words.
        words: String,
    },
    /// It told the model something.
    Added {
        /// Its words.
        text: String,
    },
    /// It put another output in the place of the tool's.
    Replaced {
        /// Characters of the new one.
        characters: usize,
    },
    /// It kept words from the model.
    Blocked {
        /// The words that were not sent.
        text: String,
        /// Why, in its words.
        words: String,
    },
    /// It did not do its work.
    Failed {
        /// Why.
        why: String,
        /// Whether something did not happen for it.
        stopped: bool,
    },
}

impl HookNote {
    /// What it did, as a line of the transcript.
    pub fn told(&self) -> (Severity, String) {
        let hook = &self.hook;
        let because = |words: &str| {
            if words.is_empty() {
                String::new()
            } else {
                format!(": {words}")
            }
        };
        match &self.deed {
            HookDeed::Changed { from, to } => (
                Severity::Info,
                format!(
                    "the hook {hook} changed the arguments from {} to {}",
                    short(&from.to_string(), SHOWN),
                    short(&to.to_string(), SHOWN)
                ),
            ),
            HookDeed::Denied { words } if self.event == HookEvent::TurnEnd => (
                Severity::Info,
                format!("the hook {hook} lets the turn go on{}", because(words)),
            ),
            HookDeed::Denied { words } if self.is_late() => (
                Severity::Info,
                format!("the hook {hook} objects{}", because(words)),
            ),
            HookDeed::Denied { words } => (
                Severity::Info,
                format!("the hook {hook} denied the call{}", because(words)),
            ),
            HookDeed::Asked { words } => (
                Severity::Info,
                format!("the hook {hook} wants you asked{}", because(words)),
            ),
            HookDeed::Added { text } => (
                Severity::Info,
                format!("the hook {hook} told the model: {}", short(text, SHOWN)),
            ),
            HookDeed::Replaced { characters } => (
                Severity::Info,
                format!("the hook {hook} replaced the output ({characters} characters)"),
            ),
            HookDeed::Blocked { text, words } => (
                Severity::Warning,
                format!(
                    "the hook {hook} kept this from the model{}. Not sent: {}",
                    because(words),
                    short(text, SHOWN_UNSENT)
                ),
            ),
            HookDeed::Failed { why, stopped } => (
                Severity::Warning,
                format!(
                    "the hook {hook} failed ({}): {why}; {}",
                    self.event.name(),
                    if *stopped {
                        "it is required, so nothing was run"
                    } else {
                        "the turn goes on without it"
                    }
                ),
            ),
        }
    }

    /// Whether what it was told of had happened already.
    fn is_late(&self) -> bool {
        matches!(self.event, HookEvent::PostToolCall | HookEvent::PostAsk)
    }
}

/// The beginning of a text.
fn short(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
