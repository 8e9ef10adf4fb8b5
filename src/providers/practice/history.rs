//! The conversation as the script reads it: the person's words, the calls since then, and the items that are open.
//!
//! Words in the user's role that the program itself wrote begin with a bracket and are never taken for a wish.

use serde_json::Value;

use crate::domain::{
    chat::{ChatMessage, ContentBlock, Role},
    ids::CallId,
    tool::{CallStatus, ToolCall, ToolResult},
};

/// A call and what came of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exchange<'a> {
    /// The call.
    pub(super) call: &'a ToolCall,
    /// Its result.
    pub(super) result: &'a ToolResult,
}

impl<'a> Exchange<'a> {
    /// Whether the tool did its work.
    pub(super) fn is_done(&self) -> bool {
        self.result.status == CallStatus::Done
    }

    /// One of the arguments as text.
    pub(super) fn argument(&self, name: &str) -> Option<&'a str> {
        self.call.arguments.get(name).and_then(Value::as_str)
    }
}

/// The conversation.
#[derive(Clone, Copy, Debug)]
pub(super) struct History<'a> {
    messages: &'a [ChatMessage],
}

impl<'a> History<'a> {
    /// Reads a conversation.
    pub(super) fn new(messages: &'a [ChatMessage]) -> Self {
        Self { messages }
    }

    /// Everything that a person (or a parent) said, with the place where it was said, oldest first.
    pub(super) fn words(&self) -> impl DoubleEndedIterator<Item = (usize, &'a str)> {
        let messages = self.messages.iter().enumerate();
        messages.flat_map(|(index, message)| {
            texts(message)
                .filter(move |text| message.role == Role::User && !is_note(text))
                .map(move |text| (index, text))
        })
    }

    /// Whether the last thing said is the program's reminder of open items.
    pub(super) fn is_nudged(&self) -> bool {
        self.ends_with("[checklist]")
    }

    /// Whether the last thing said is the program's reminder of a goal.
    pub(super) fn is_reminded(&self) -> bool {
        self.ends_with("[goal] The goal is not reached")
    }

    fn ends_with(&self, beginning: &str) -> bool {
        self.messages.last().is_some_and(|message| {
            message.role == Role::User
                && texts(message)
                    .last()
                    .is_some_and(|text| text.starts_with(beginning))
        })
    }

    /// The calls made behind a place, with their results, oldest first.
    pub(super) fn exchanges_since(&self, index: usize) -> Vec<Exchange<'a>> {
        let behind = self.messages.get(index..).unwrap_or_default();
        behind
            .iter()
            .flat_map(ChatMessage::calls)
            .filter_map(|call| {
                let result = result(behind, &call.id)?;
                Some(Exchange { call, result })
            })
            .collect()
    }

    /// The calls of the last reply, when nothing was said since.
    pub(super) fn last_batch(&self) -> Vec<Exchange<'a>> {
        let last_reply = self
            .messages
            .iter()
            .rposition(|message| message.role == Role::Assistant);
        match last_reply {
            Some(index)
                if self
                    .words()
                    .next_back()
                    .is_none_or(|(said, _)| said < index) =>
            {
                self.exchanges_since(index)
            }
            _ => Vec::new(),
        }
    }

    /// Ids of the items that are open, as the last checklist result says.
    pub(super) fn open_items(&self) -> Vec<u32> {
        let lists = self.exchanges_since(0).into_iter().rev();
        let last = lists
            .filter(|exchange| exchange.call.name.starts_with("checklist_") && exchange.is_done())
            .map(|exchange| exchange.result.text.as_str())
            .next();
        last.unwrap_or_default()
            .lines()
            .filter(|line| line.contains(". [pending] ") || line.contains(". [in_progress] "))
            .filter_map(|line| line.split_once('.').and_then(|(id, _)| id.parse().ok()))
            .collect()
    }
}

fn texts(message: &ChatMessage) -> impl DoubleEndedIterator<Item = &str> {
    message.blocks.iter().filter_map(|block| match block {
        ContentBlock::Text { text } => Some(text.as_str()),
        _ => None,
    })
}

fn result<'a>(messages: &'a [ChatMessage], id: &CallId) -> Option<&'a ToolResult> {
    messages
        .iter()
        .flat_map(|message| &message.blocks)
        .find_map(|block| match block {
            ContentBlock::ToolResult(result) if result.call == *id => Some(result),
            _ => None,
        })
}

/// A note of the program: `[environment]`, `[checklist]`, `[the person ran …]`.
fn is_note(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next() == Some('[')
        && letters
            .next()
            .is_some_and(|letter| letter.is_ascii_lowercase())
        && text.contains(']')
}
