//! How full the context window is, and with what.

use serde::{Deserialize, Serialize};

use super::usage::Usage;
use crate::domain::ids::Sequence;

/// Tokens by source. All are estimates except where the provider reported a total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WindowShares {
    /// System prompt.
    pub system: u64,
    /// Tool schemas.
    pub tools: u64,
    /// Words of the person and the model.
    pub conversation: u64,
    /// Tool results.
    pub outputs: u64,
}

/// The gauge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextGauge {
    /// Tokens in the window: the provider's last report plus an estimate of what came since.
    pub used: u64,
    /// Size of the window; `None` when unknown.
    pub window: Option<u64>,
    /// Share of the window, in percent, at which something must go.
    pub ceiling_percent: u8,
    /// Whether `used` rests on a provider's report (else on an estimate alone).
    pub reported: bool,
    /// Tokens by source.
    pub shares: WindowShares,
}

impl ContextGauge {
    /// How full the window is in percent, when its size is known.
    pub fn percent(&self) -> Option<u64> {
        let window = self.window.filter(|window| *window > 0)?;
        let percent = u128::from(self.used) * 100 / u128::from(window);
        Some(u64::try_from(percent).unwrap_or(u64::MAX))
    }
}

/// What a part of the window is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowPart {
    /// The system prompt.
    System,
    /// The schema of a tool.
    Tool,
    /// Words in the user's role.
    Said,
    /// A reply of the model, its calls included.
    Reply,
    /// What a tool answered.
    Output,
    /// What stands for what was compacted.
    Summary,
}

impl WindowPart {
    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Tool => "tool",
            Self::Said => "words",
            Self::Reply => "reply",
            Self::Output => "output",
            Self::Summary => "summary",
        }
    }
}

/// A change to what stands in the window. What is dropped stays in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WindowChange {
    /// An output is left out; a marker says where it can be had.
    Dropped,
    /// An output that was left out stands there again.
    Restored,
    /// It outlives compactions.
    Pinned,
    /// It no longer does.
    Unpinned,
}

/// What happens when a window is nearly full.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compacting {
    /// Room is made.
    #[default]
    Auto,
    /// The person is told.
    Remind,
    /// Nothing.
    Never,
}

impl Compacting {
    /// All of them, for settings.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Remind, Self::Never];

    /// The name in the configuration.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Remind => "remind",
            Self::Never => "never",
        }
    }
}

/// What the person does to a window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WindowEdit {
    /// Changes these parts.
    Change(Vec<Sequence>, WindowChange),
    /// Takes the latest compaction back.
    Uncompact,
}

impl WindowChange {
    /// The row in the conversation.
    pub fn told(self, count: usize, is_person: bool) -> String {
        let who = if is_person { "you " } else { "" };
        let what = match self {
            Self::Dropped => "left out of the window",
            Self::Restored => "put back into the window",
            Self::Pinned => "pinned in the window",
            Self::Unpinned => "no longer pinned in the window",
        };
        let parts = if count == 1 { "part" } else { "parts" };
        format!("{who}{what}: {count} {parts}")
    }
}

/// Who wrote the summary of a compaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CompactionBy {
    /// The agent itself, after it had saved what it must.
    Agent,
    /// A request of its own to the model.
    Summarizer,
    /// Nobody: what was said was cut.
    Cut,
    /// The person, who changed what was proposed.
    Person,
}

impl CompactionBy {
    /// Behind "summary ".
    pub fn name(self) -> &'static str {
        match self {
            Self::Agent => "by the agent",
            Self::Summarizer => "by a request of its own",
            Self::Cut => "cut without a model",
            Self::Person => "changed by you",
        }
    }
}

/// The boundary behind which a summary stands for what was said. Nothing is deleted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Compaction {
    /// What the model reads in place of the rest.
    pub summary: String,
    /// What stays as it is, in the order of the log.
    pub kept: Vec<Kept>,
    /// Who wrote the summary.
    pub by: CompactionBy,
    /// Tokens in the window before, estimated.
    pub before: u64,
    /// And after.
    pub after: u64,
    /// What a request of its own for the summary used.
    #[serde(default)]
    pub usage: Usage,
}

impl Compaction {
    /// The row in the conversation.
    pub fn told(&self) -> String {
        format!(
            "compacted: {} → {} tokens, summary {}; nothing is deleted",
            self.before,
            self.after,
            self.by.name()
        )
    }
}

/// A record that stays in the window past a compaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// Its place in the log.
    pub sequence: Sequence,
    /// Whether a marker stands for it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_dropped: bool,
    /// Whether it was pinned.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_pinned: bool,
}

/// A part of the window and its size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowItem {
    /// Its place in the log; `None` for what stands in front of the conversation, or is not stored yet.
    pub sequence: Option<Sequence>,
    /// Whether a marker stands for it.
    pub is_dropped: bool,
    /// Whether it outlives compactions.
    pub is_pinned: bool,
    /// What it is.
    pub part: WindowPart,
    /// Which: the tool, the first words.
    pub name: String,
    /// Tokens, estimated.
    pub tokens: u64,
}
