//! Pieces of a streamed chat reply, as a server puts them on the wire.
//!
//! Every function returns one whole event with its blank line, so a stream is the pieces joined.

use serde_json::{Value, json};

/// The event that ends a stream.
pub(crate) const DONE: &str = "data: [DONE]\n\n";

/// One event that holds this JSON.
pub(crate) fn data(value: &Value) -> String {
    format!("data: {value}\n\n")
}

/// A delta of the only choice.
pub(crate) fn delta(delta: &Value) -> String {
    data(&json!({"choices": [{"index": 0, "delta": delta, "finish_reason": null}]}))
}

/// Words.
pub(crate) fn text(text: &str) -> String {
    delta(&json!({"content": text}))
}

/// Reasoning, in the field that most servers use.
pub(crate) fn reasoning(text: &str) -> String {
    delta(&json!({"reasoning_content": text}))
}

/// A piece of a tool call; `None` leaves a field out.
pub(crate) fn call(
    index: u64,
    id: Option<&str>,
    name: Option<&str>,
    arguments: Option<&str>,
) -> String {
    let mut function = json!({});
    if let Some(name) = name {
        function["name"] = json!(name);
    }
    if let Some(arguments) = arguments {
        function["arguments"] = json!(arguments);
    }
    let mut entry = json!({"index": index, "function": function});
    if let Some(id) = id {
        entry["id"] = json!(id);
        entry["type"] = json!("function");
    }
    delta(&json!({"tool_calls": [entry]}))
}

/// The end of the reply for this reason.
pub(crate) fn end(reason: &str) -> String {
    data(&json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}))
}

/// A usage report in an event of its own.
pub(crate) fn usage(input: u64, cached: u64, output: u64) -> String {
    data(&json!({"choices": [], "usage": {
        "prompt_tokens": input,
        "completion_tokens": output,
        "total_tokens": input + output,
        "prompt_tokens_details": {"cached_tokens": cached},
    }}))
}
