//! The body of a chat completions request.
//!
//! Order is what servers insist on: the system prompt first, each message with tool calls followed at once by
//! one `tool` message per call in the order of the calls, then the words. The conversation itself is not
//! mended here: what is paired in the request is paired on the wire.

use std::collections::VecDeque;

use serde_json::{Map, Value, json};

use super::{
    BACKEND, media,
    quirks::{Quirks, ThinkingField},
    reasoning,
};
use crate::{
    domain::{
        chat::{ChatMessage, ContentBlock, Role},
        model_info::Thinking,
        tool::{ToolCall, ToolResult, ToolSpec},
    },
    providers::contract::ChatRequest,
};

/// What stands for an empty tool result: some servers refuse an empty text.
const NO_OUTPUT: &str = "(no output)";
/// The longest name of a tool.
const NAME_LIMIT: usize = 64;

/// The body. `origin` is the server that the request goes to; only its own private fields go back.
pub(super) fn body(request: &ChatRequest, origin: &str, quirks: Quirks) -> Value {
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(request.model.model_id));
    body.insert(
        "messages".to_owned(),
        Value::Array(messages(request, origin, quirks)),
    );
    if !request.tools.is_empty() {
        let tools = request.tools.iter().map(tool).collect();
        body.insert("tools".to_owned(), Value::Array(tools));
    }
    if let Some(limit) = request.model.max_output_tokens {
        body.insert(quirks.output_limit.to_owned(), json!(limit));
    }
    think(&mut body, &request.model.thinking, quirks.thinking);
    body.insert("stream".to_owned(), json!(true));
    if quirks.stream_options {
        body.insert("stream_options".to_owned(), json!({"include_usage": true}));
    }
    Value::Object(body)
}

/// Says how to think, where the profile says so and the server has a field for it.
fn think(body: &mut Map<String, Value>, thinking: &Thinking, field: ThinkingField) {
    if field == ThinkingField::Object {
        let mut object = Map::new();
        if let Some(effort) = &thinking.effort {
            object.insert("effort".to_owned(), json!(effort));
        }
        if let Some(enabled) = thinking.enabled {
            object.insert("enabled".to_owned(), json!(enabled));
        }
        if !object.is_empty() {
            body.insert("reasoning".to_owned(), Value::Object(object));
        }
        return;
    }
    if let Some(effort) = &thinking.effort {
        body.insert("reasoning_effort".to_owned(), json!(effort));
    }
    if let (Some(enabled), ThinkingField::Template) = (thinking.enabled, field) {
        // Templates call it by one of two names and pass over the other.
        let variables = json!({"enable_thinking": enabled, "thinking": enabled});
        body.insert("chat_template_kwargs".to_owned(), variables);
    }
}

fn tool(spec: &ToolSpec) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": spec.name,
            "description": spec.description,
            "parameters": spec.schema,
        },
    })
}

fn messages(request: &ChatRequest, origin: &str, quirks: Quirks) -> Vec<Value> {
    let mut written = Vec::new();
    if !request.system.is_empty() {
        written.push(json!({"role": "system", "content": &*request.system}));
    }
    let mut waiting: VecDeque<&ChatMessage> = request.messages.iter().collect();
    while let Some(message) = waiting.pop_front() {
        match message.role {
            Role::Assistant => written.extend(assistant(message, origin, quirks)),
            Role::User => {
                // What the person's side says until the model speaks again: results first, then words.
                let mut said = vec![message];
                while let Some(next) = waiting.pop_front_if(|next| next.role == Role::User) {
                    said.push(next);
                }
                results(&said, &mut written, quirks);
                let words = said.iter().map(|message| message.text());
                let words: Vec<String> = words.filter(|text| !text.is_empty()).collect();
                // One message: some templates refuse two of the same role in a row.
                if let Some(content) = media::turn(&said, &words.join("\n\n"), &request.media) {
                    written.push(json!({"role": "user", "content": content}));
                }
            }
        }
    }
    written
}

/// The results among these messages, those of the last written calls in the order of the calls.
fn results(said: &[&ChatMessage], written: &mut Vec<Value>, quirks: Quirks) {
    let mut results: Vec<&ToolResult> = said
        .iter()
        .flat_map(|message| &message.blocks)
        .filter_map(|block| match block {
            ContentBlock::ToolResult(result) => Some(result),
            _ => None,
        })
        .collect();
    let calls: Vec<&str> = written
        .last()
        .and_then(|last| last.get("tool_calls")?.as_array())
        .into_iter()
        .flatten()
        .filter_map(|call| call.get("id")?.as_str())
        .collect();
    let place = |result: &ToolResult| {
        let id = quirks.call_id(result.call.as_str());
        calls.iter().position(|call| *call == id)
    };
    // Stable, and a result without a call stays behind the others.
    results.sort_by_key(|result| place(result).unwrap_or(usize::MAX));
    for result in results {
        let text = if result.text.is_empty() {
            NO_OUTPUT
        } else {
            result.text.as_str()
        };
        written.push(json!({
            "role": "tool",
            "tool_call_id": quirks.call_id(result.call.as_str()),
            "content": text,
        }));
    }
}

/// A message of the model; `None` when it holds nothing that can be sent.
fn assistant(message: &ChatMessage, origin: &str, quirks: Quirks) -> Option<Value> {
    let text = message.text();
    let kept = message
        .provider
        .as_ref()
        .filter(|provider| provider.backend == BACKEND)
        .and_then(|provider| reasoning::replayed(&provider.fields, origin));
    let mut calls: Vec<Value> = message.calls().map(|entry| call(entry, quirks)).collect();
    if text.is_empty() && calls.is_empty() {
        return None;
    }
    let mut written = Map::new();
    written.insert("role".to_owned(), json!("assistant"));
    let content = if text.is_empty() {
        Value::Null
    } else {
        Value::String(text)
    };
    written.insert("content".to_owned(), content);
    if let Some(kept) = kept {
        for (name, value) in reasoning::message_fields(kept) {
            written.insert(name.clone(), value.clone());
        }
        let extras = kept.get(reasoning::CALLS).and_then(Value::as_array);
        for (call, extra) in calls.iter_mut().zip(extras.into_iter().flatten()) {
            if let (Some(call), false) = (call.as_object_mut(), extra.is_null()) {
                call.insert("extra_content".to_owned(), extra.clone());
            }
        }
    }
    if !calls.is_empty() {
        written.insert("tool_calls".to_owned(), Value::Array(calls));
    }
    Some(Value::Object(written))
}

fn call(call: &ToolCall, quirks: Quirks) -> Value {
    // A malformed call has `{}` here: a text that is no JSON object would make every later request invalid.
    let arguments = if call.arguments.is_object() {
        call.arguments.to_string()
    } else {
        "{}".to_owned()
    };
    json!({
        "id": quirks.call_id(call.id.as_str()),
        "type": "function",
        "function": {"name": name(&call.name), "arguments": arguments},
    })
}

/// The name as it can be sent: models make up names that servers refuse.
fn name(name: &str) -> String {
    let fitting =
        |character: char| character.is_ascii_alphanumeric() || character == '_' || character == '-';
    let mended: String = name
        .chars()
        .take(NAME_LIMIT)
        .map(|character| if fitting(character) { character } else { '_' })
        .collect();
    if mended.is_empty() {
        "unnamed".to_owned()
    } else {
        mended
    }
}

#[cfg(test)]
#[path = "request_tests.rs"]
mod tests;
