//! A reply while it comes: stream events in, a chat message out.
//!
//! Nothing is repaired: a call whose arguments are not a JSON object is marked malformed and never runs.

use serde_json::{Map, Value};

use super::guards::loops;
use crate::{
    domain::{
        chat::{ChatMessage, ContentBlock, ProviderFields, Role},
        ids::CallId,
        tool::ToolCall,
        usage::Usage,
    },
    providers::contract::{FinishReason, StreamEvent},
    tools::sent,
};

/// Most bytes of text and reasoning of one reply. The largest output that a model gives is 128,000 tokens, about
/// half a mebibyte: what passes eight times that has no end.
const WORDS_BYTES: usize = 4 * 1024 * 1024;

/// What has come so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    parts: Vec<Part>,
    /// Bytes of all parts.
    words: usize,
    calls: Vec<CallPart>,
    private: Option<Value>,
    /// What the step used, as last reported.
    pub usage: Usage,
    /// The end marker.
    pub finish: Option<FinishReason>,
    /// Set when a streamed argument repeats itself, or it or the words are too large.
    pub runaway: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
enum Part {
    Text(String),
    Reasoning(String),
}

#[derive(Clone, Debug, PartialEq)]
struct CallPart {
    slot: usize,
    id: String,
    name: String,
    arguments: String,
    checked: usize,
}

impl Reply {
    /// Whether nothing has come that a person could have seen.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty() && self.calls.is_empty()
    }

    /// Whether it holds tool calls.
    pub fn has_calls(&self) -> bool {
        !self.calls.is_empty()
    }

    /// Names of the tools called so far, in order.
    pub fn called(&self) -> Vec<String> {
        self.calls.iter().map(|call| call.name.clone()).collect()
    }

    /// Name and size of the arguments of the call in `slot`.
    pub fn draft(&self, slot: usize) -> Option<(&str, usize)> {
        let call = self.calls.iter().find(|call| call.slot == slot)?;
        Some((&call.name, call.arguments.len()))
    }

    /// The words so far, without calls, as they are stored while they come.
    pub fn seen(&self) -> ChatMessage {
        self.message("", false, |id| CallId::new(id))
    }

    /// Takes the next event.
    pub fn push(&mut self, event: StreamEvent) {
        match event {
            StreamEvent::Text(text) => {
                let text = self.bounded(text);
                match self.parts.last_mut() {
                    Some(Part::Text(last)) => last.push_str(&text),
                    _ => self.parts.push(Part::Text(text)),
                }
            }
            StreamEvent::Reasoning(text) => {
                let text = self.bounded(text);
                match self.parts.last_mut() {
                    Some(Part::Reasoning(last)) => last.push_str(&text),
                    _ => self.parts.push(Part::Reasoning(text)),
                }
            }
            StreamEvent::CallStarted { slot, id, name } => self.calls.push(CallPart {
                slot,
                id,
                name,
                arguments: String::new(),
                checked: 0,
            }),
            StreamEvent::CallArguments { slot, fragment } => self.push_arguments(slot, &fragment),
            StreamEvent::Private(fields) => self.private = Some(fields),
            StreamEvent::Usage(usage) => self.usage = usage,
            StreamEvent::Finished(reason) => self.finish = Some(reason),
        }
    }

    /// The words as far as they may be kept.
    fn bounded(&mut self, mut text: String) -> String {
        let room = WORDS_BYTES.saturating_sub(self.words);
        if text.len() > room {
            text.truncate(text.floor_char_boundary(room));
            self.runaway = Some(format!(
                "the reply passed {} MiB and was cut there; no call of it ran",
                WORDS_BYTES / 1024 / 1024
            ));
        }
        self.words += text.len();
        text
    }

    fn push_arguments(&mut self, slot: usize, fragment: &str) {
        let Some(call) = self.calls.iter_mut().find(|call| call.slot == slot) else {
            return;
        };
        call.arguments.push_str(fragment);
        if call.arguments.len() > loops::ARGUMENT_BYTES {
            self.runaway = Some(format!(
                "the arguments of {} ran away: they passed {} KiB; ask in other words, or try another model",
                call.name,
                loops::ARGUMENT_BYTES / 1024
            ));
        } else if call.arguments.len() >= call.checked + 64 {
            call.checked = call.arguments.len();
            if let Some(pattern) = loops::repeats(&call.arguments) {
                self.runaway = Some(format!(
                    "the arguments of {} ran away: {} bytes so far, at the end again and again {pattern:?}; \
                     ask in other words, or try another model",
                    call.name,
                    call.arguments.len()
                ));
            }
        }
    }

    /// The message so far. `with_calls` is false for a reply that did not end well: such calls never run.
    /// `fresh_id` makes an id for a call whose own is missing or in use already.
    pub fn message(
        &self,
        backend: &str,
        with_calls: bool,
        mut fresh_id: impl FnMut(&str) -> CallId,
    ) -> ChatMessage {
        let mut blocks: Vec<ContentBlock> = self
            .parts
            .iter()
            .map(|part| match part {
                Part::Text(text) => ContentBlock::Text { text: text.clone() },
                Part::Reasoning(text) => ContentBlock::Reasoning { text: text.clone() },
            })
            .collect();
        if with_calls {
            let mut calls: Vec<&CallPart> = self.calls.iter().collect();
            calls.sort_by_key(|call| call.slot);
            blocks.extend(calls.into_iter().map(|call| {
                let (arguments, malformed) = parse_arguments(&call.arguments);
                ContentBlock::ToolCall(ToolCall {
                    id: fresh_id(&call.id),
                    name: call.name.clone(),
                    arguments,
                    malformed,
                })
            }));
        }
        ChatMessage {
            role: Role::Assistant,
            blocks,
            provider: self.private.clone().map(|fields| ProviderFields {
                backend: backend.to_owned(),
                fields,
            }),
        }
    }
}

/// Nothing, blanks and `null` mean no arguments; anything else must be a JSON object.
fn parse_arguments(text: &str) -> (Value, Option<String>) {
    let empty = Value::Object(Map::new());
    let trimmed = text.trim();
    if trimmed.is_empty() || trimmed == "null" || trimmed == "\"null\"" || trimmed == "\"\"" {
        return (empty, None);
    }
    match sent::parse(trimmed) {
        Ok(object) => (Value::Object(object), None),
        Err(_) => (empty, Some(text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn reply(events: Vec<StreamEvent>) -> Reply {
        let mut reply = Reply::default();
        for event in events {
            reply.push(event);
        }
        reply
    }

    fn started(slot: usize, id: &str) -> StreamEvent {
        StreamEvent::CallStarted {
            slot,
            id: id.to_owned(),
            name: "file_read".to_owned(),
        }
    }

    fn arguments(slot: usize, fragment: &str) -> StreamEvent {
        StreamEvent::CallArguments {
            slot,
            fragment: fragment.to_owned(),
        }
    }

    #[test]
    fn interleaved_fragments_go_to_their_own_call_and_calls_keep_slot_order() {
        let reply = reply(vec![
            started(1, "b"),
            started(0, "a"),
            arguments(1, "{\"path\":"),
            arguments(0, "{\"path\":\"x\"}"),
            arguments(1, "\"y\"}"),
        ]);

        let message = reply.message("wire", true, |id| CallId::new(id));

        let calls: Vec<(&str, &Value)> = message
            .calls()
            .map(|call| (call.id.as_str(), &call.arguments))
            .collect();
        assert_eq!(
            calls,
            [("a", &json!({"path": "x"})), ("b", &json!({"path": "y"}))]
        );
    }

    #[test]
    fn missing_arguments_are_an_empty_object_and_bad_ones_are_marked() {
        for text in ["", "  ", "null", "\"null\""] {
            assert_eq!(parse_arguments(text), (json!({}), None), "{text:?}");
        }
        for text in [
            "{\"path\":",
            "[1]",
            "\"a\"",
            "{} {}",
            "{\"path\": \"a\", \"path\": \"b\"}",
        ] {
            assert_eq!(
                parse_arguments(text),
                (json!({}), Some(text.to_owned())),
                "{text:?}"
            );
        }
    }

    #[test]
    fn a_reply_that_did_not_end_well_has_no_calls() {
        let reply = reply(vec![
            StreamEvent::Text("I will read.".to_owned()),
            started(0, "a"),
            arguments(0, "{\"path\":\"x\"}"),
        ]);

        let message = reply.message("wire", false, |id| CallId::new(id));

        assert_eq!(message.calls().count(), 0);
        assert_eq!(message.text(), "I will read.");
    }

    #[test]
    fn words_without_end_are_cut_and_what_came_before_stays() {
        let piece = "猫".repeat(512 * 1024);
        let mut reply = Reply::default();

        reply.push(StreamEvent::Reasoning(piece.clone()));
        reply.push(StreamEvent::Text(piece.clone()));
        assert_eq!(reply.runaway, None);
        reply.push(StreamEvent::Text(piece.clone()));

        assert_eq!(
            reply.runaway.as_deref(),
            Some("the reply passed 4 MiB and was cut there; no call of it ran")
        );
        let message = reply.seen();
        let kept = message.text();
        assert!(kept.starts_with(&piece) && kept.len() > piece.len());
        assert_eq!(kept.len() + piece.len(), WORDS_BYTES - 1);
    }

    #[test]
    fn a_runaway_argument_is_stopped() {
        let endless = reply(vec![started(0, "a"), arguments(0, &"ha! ".repeat(100))]);
        let huge: String = (0..40_000).map(|n| format!("{n} ")).collect();
        let large = reply(vec![
            started(0, "a"),
            arguments(0, &huge),
            arguments(0, &huge),
        ]);

        assert_eq!(
            endless.runaway.as_deref(),
            Some(
                "the arguments of file_read ran away: 400 bytes so far, at the end again and again \"ha! \"; \
                 ask in other words, or try another model"
            )
        );
        assert_eq!(
            large.runaway.as_deref(),
            Some(
                "the arguments of file_read ran away: they passed 256 KiB; ask in other words, or try another model"
            )
        );
    }
}
