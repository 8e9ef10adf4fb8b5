//! Tool calls and their results, as they are stored and sent.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    artifact::ArtifactRef,
    display::Display,
    ids::{ArtifactId, CallId},
    media::Attachment,
    permission::{Level, Risk},
};

/// What a provider needs to know of a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// Name as the model calls it.
    pub name: String,
    /// What it does; the first line stands alone.
    pub description: String,
    /// JSON Schema of the arguments.
    pub schema: Value,
}

/// A tool as lists show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedTool {
    /// Its name.
    pub name: String,
    /// What it does, one line.
    pub summary: String,
    /// What even the least of its calls needs.
    pub level: Level,
    /// What could go wrong at the least.
    pub risk: Risk,
    /// Whether the configuration adds it.
    pub is_declared: bool,
    /// Why it is not offered; `None` when it is.
    pub why_not: Option<String>,
}

/// A request by the model to run a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Unique within the session.
    pub id: CallId,
    /// The name as the model wrote it (perhaps an alias, perhaps unknown).
    pub name: String,
    /// The arguments. `{}` when the model sent none.
    pub arguments: Value,
    /// The raw text when it was not a JSON object; `arguments` is `{}` then and the call never runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub malformed: Option<String>,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallStatus {
    /// It ran. A command that exits non-zero is output, not a failure.
    Done,
    /// It could not do what was asked.
    Failed,
    /// Permission was not given.
    Refused,
    /// It was stopped before its end; what it did until then is unknown.
    Interrupted,
}

/// What a tool answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolResult {
    /// The call that this answers.
    pub call: CallId,
    /// How it ended.
    pub status: CallStatus,
    /// The text that the model reads.
    pub text: String,
    /// What a person sees.
    pub display: Display,
    /// One short phrase for the folded line: `12 matches · 4 files`, `exit 101`.
    #[serde(default)]
    pub outcome: String,
    /// The whole output, when `text` holds only a part of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact: Option<ArtifactRef>,
    /// Files that the model gets with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    /// Wall time of the run in milliseconds; 0 when it never ran.
    #[serde(default)]
    pub elapsed_ms: u64,
    /// The file that the agent knows from it, and may therefore change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<SeenFile>,
}

/// A file that was read or written, as it was then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenFile {
    /// Its real path.
    pub path: String,
    /// What identifies its content.
    pub digest: String,
}

impl ToolResult {
    /// The stored outputs that it names.
    pub fn artifacts(&self) -> impl Iterator<Item = &ArtifactId> {
        let whole = self.artifact.iter();
        let attached = self.attachments.iter().map(|attached| &attached.id);
        whole
            .flat_map(|whole| std::iter::once(&whole.id).chain(&whole.streams))
            .chain(attached)
    }

    /// A result that holds only a text: a refusal, a failure, an interruption.
    pub fn plain(call: CallId, status: CallStatus, text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            call,
            status,
            display: Display::Text { text: text.clone() },
            outcome: String::new(),
            text,
            artifact: None,
            attachments: Vec::new(),
            elapsed_ms: 0,
            seen: None,
        }
    }
}
