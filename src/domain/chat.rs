//! The conversation as the model sees it: chat messages made of content blocks.
//!
//! What only one provider understands (reasoning signatures and the like) travels as opaque fields
//! that are stored as they came and replayed to that provider only.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::tool::{ToolCall, ToolResult};

/// Who said it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The person, or the program in their place (tool results, nudges).
    User,
    /// The language model.
    Assistant,
}

/// One piece of a chat message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ContentBlock {
    /// Words.
    Text {
        /// The words.
        text: String,
    },
    /// The model's reasoning, shown folded.
    Reasoning {
        /// The reasoning, as far as the provider shows it.
        text: String,
    },
    /// A request to run a tool.
    ToolCall(ToolCall),
    /// What a tool answered.
    ToolResult(ToolResult),
}

/// Fields that only `backend` understands, kept as they came.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProviderFields {
    /// Name of the wire that sent them, for example `openai-chat-completions`.
    pub backend: String,
    /// The fields.
    pub fields: Value,
}

/// One entry of the conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChatMessage {
    /// Who said it.
    pub role: Role,
    /// What was said, in order.
    pub blocks: Vec<ContentBlock>,
    /// Provider-private fields of this message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<ProviderFields>,
}

impl ChatMessage {
    /// A message from the person that holds only words.
    pub fn user(text: impl Into<String>) -> Self {
        Self {
            role: Role::User,
            blocks: vec![ContentBlock::Text { text: text.into() }],
            provider: None,
        }
    }

    /// A message from the model that holds only words.
    pub fn assistant(text: impl Into<String>) -> Self {
        Self {
            role: Role::Assistant,
            blocks: vec![ContentBlock::Text { text: text.into() }],
            provider: None,
        }
    }

    /// All words of the message, blocks joined by a blank line.
    pub fn text(&self) -> String {
        let mut joined = String::new();
        for block in &self.blocks {
            if let ContentBlock::Text { text } = block {
                if !joined.is_empty() {
                    joined.push_str("\n\n");
                }
                joined.push_str(text);
            }
        }
        joined
    }

    /// The tool calls of the message, in order.
    pub fn calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.blocks.iter().filter_map(|block| match block {
            ContentBlock::ToolCall(call) => Some(call),
            _ => None,
        })
    }
}
