//! A reply being put together, and its way into stream events.

use serde_json::{Value, json};

use crate::{
    domain::{
        chat::{ChatMessage, ContentBlock},
        usage::Usage,
    },
    providers::contract::{ChatRequest, FinishReason, StreamEvent},
};

/// Longest piece of words in one event, in bytes; a piece ends behind a space where there is one.
const PIECE: usize = 14;

/// Longest piece of arguments in one event, in bytes.
const FRAGMENT: usize = 48;

/// One reply.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Draft {
    /// What stands in front, folded on the screen.
    pub(super) reasoning: String,
    /// What is said.
    pub(super) text: String,
    /// The tools called: name and arguments.
    pub(super) calls: Vec<(&'static str, Value)>,
}

impl Draft {
    /// A reply of words.
    pub(super) fn says(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    /// Puts reasoning in front.
    pub(super) fn thinking(mut self, reasoning: impl Into<String>) -> Self {
        self.reasoning = reasoning.into();
        self
    }

    /// Adds a paragraph.
    pub(super) fn paragraph(mut self, text: impl AsRef<str>) -> Self {
        let text = text.as_ref();
        if !text.is_empty() {
            if !self.text.is_empty() {
                self.text.push_str("\n\n");
            }
            self.text.push_str(text);
        }
        self
    }

    /// Calls a tool.
    pub(super) fn call(mut self, name: &'static str, arguments: Value) -> Self {
        self.calls.push((name, arguments));
        self
    }

    /// The events of the reply, with the usage that a provider would report.
    pub(super) fn into_events(self, request: &ChatRequest) -> Vec<StreamEvent> {
        let mut events = Vec::new();
        let mut output = tokens(&self.reasoning) + tokens(&self.text);
        events.extend(pieces(&self.reasoning, PIECE).map(StreamEvent::Reasoning));
        events.extend(pieces(&self.text, PIECE).map(StreamEvent::Text));
        for (slot, (name, arguments)) in self.calls.iter().enumerate() {
            let arguments = arguments.to_string();
            output += tokens(name) + tokens(&arguments);
            events.push(StreamEvent::CallStarted {
                slot,
                id: String::new(),
                name: (*name).to_owned(),
            });
            events.extend(
                pieces(&arguments, FRAGMENT)
                    .map(|fragment| StreamEvent::CallArguments { slot, fragment }),
            );
        }
        events.push(StreamEvent::Usage(Usage {
            input: input_tokens(request),
            cached: 0,
            output,
            cost: None,
        }));
        events.push(StreamEvent::Finished(if self.calls.is_empty() {
            FinishReason::Stop
        } else {
            FinishReason::ToolCalls
        }));
        events
    }
}

/// Cuts a text into pieces of at most `limit` bytes (or one character), preferably behind a space.
fn pieces(text: &str, limit: usize) -> impl Iterator<Item = String> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut end = rest.floor_char_boundary(limit);
        if end == 0 {
            end = rest.ceil_char_boundary(1);
        }
        if end < rest.len()
            && let Some(space) = rest.get(..end).and_then(|head| head.rfind(' '))
        {
            end = space + 1;
        }
        let (piece, tail) = rest.split_at(end);
        rest = tail;
        Some(piece.to_owned())
    })
}

fn input_tokens(request: &ChatRequest) -> u64 {
    let tools: u64 = request
        .tools
        .iter()
        .map(|tool| tokens(&tool.description) + tokens(&tool.schema.to_string()))
        .sum();
    let messages: u64 = request.messages.iter().map(message_tokens).sum();
    tokens(&request.system) + tools + messages
}

fn message_tokens(message: &ChatMessage) -> u64 {
    message
        .blocks
        .iter()
        .map(|block| match block {
            ContentBlock::Text { text } | ContentBlock::Reasoning { text } => tokens(text),
            ContentBlock::ToolCall(call) => tokens(&json!([call.name, call.arguments]).to_string()),
            ContentBlock::ToolResult(result) => tokens(&result.text),
        })
        .sum()
}

fn tokens(text: &str) -> u64 {
    text.len().div_ceil(4) as u64
}

#[cfg(test)]
#[path = "draft_tests.rs"]
mod tests;
