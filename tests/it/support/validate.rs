//! What a strict server refuses in a chat request.
//!
//! Stricter than most real ones, so that what passes here passes there: calls and results are paired and
//! adjacent, arguments are JSON objects, names fit the published pattern, nothing is empty.

use serde_json::Value;

/// The first fault of a request body, in words, or `None`.
pub(super) fn fault(body: &Value) -> Option<String> {
    let Some(body) = body.as_object() else {
        return Some("the body is not a JSON object".to_owned());
    };
    if body
        .get("model")
        .and_then(Value::as_str)
        .is_none_or(str::is_empty)
    {
        return Some("'model' is missing".to_owned());
    }
    let Some(messages) = body.get("messages").and_then(Value::as_array) else {
        return Some("Expected 'messages' to be an array".to_owned());
    };
    if messages.is_empty() {
        return Some("'messages' is empty".to_owned());
    }
    let mut waiting: Vec<&str> = Vec::new();
    for (place, message) in messages.iter().enumerate() {
        if let Err(fault) = check_message(place, message, &mut waiting) {
            return Some(format!("messages[{place}]: {fault}"));
        }
    }
    if let Some(id) = waiting.first() {
        return Some(format!(
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each \
             'tool_call_id'; no answer to {id}"
        ));
    }
    body.get("tools").and_then(tool_fault)
}

fn check_message<'a>(
    place: usize,
    message: &'a Value,
    waiting: &mut Vec<&'a str>,
) -> Result<(), String> {
    let role = message.get("role").and_then(Value::as_str).unwrap_or("");
    if role == "tool" {
        let id = message.get("tool_call_id").and_then(Value::as_str);
        let Some(found) = waiting.iter().position(|open| Some(*open) == id) else {
            return Err(format!("no tool call {id:?} is open for this tool message"));
        };
        waiting.remove(found);
        return words(message);
    }
    if let Some(id) = waiting.first() {
        return Err(format!("a {role} message stands before the answer to {id}"));
    }
    match role {
        "system" if place == 0 => words(message),
        "system" => Err("a system message that is not the first".to_owned()),
        "user" => turn(message),
        "assistant" => {
            let Some(calls) = message.get("tool_calls") else {
                return words(message);
            };
            let calls = calls.as_array().ok_or("'tool_calls' is not an array")?;
            if calls.is_empty() {
                return Err("'tool_calls' is empty".to_owned());
            }
            for call in calls {
                let id = check_call(call)?;
                if waiting.contains(&id) {
                    return Err(format!("two calls have the id {id}"));
                }
                waiting.push(id);
            }
            Ok(())
        }
        _ => Err(format!("unknown role {role:?}")),
    }
}

fn words(message: &Value) -> Result<(), String> {
    match message.get("content").and_then(Value::as_str) {
        Some(text) if !text.is_empty() => Ok(()),
        _ => Err("'content' is not a text that says something".to_owned()),
    }
}

/// The user's turn: words, or parts of which each says or shows something.
fn turn(message: &Value) -> Result<(), String> {
    let Some(parts) = message.get("content").and_then(Value::as_array) else {
        return words(message);
    };
    if parts.is_empty() {
        return Err("'content' has no parts".to_owned());
    }
    for part in parts {
        let text = |value: &Value| value.as_str().unwrap_or("").to_owned();
        let data = |value: &Value, kind: &str| {
            let url = text(value);
            let (head, data) = url.split_once(";base64,").unwrap_or(("", ""));
            head.starts_with(kind) && !data.is_empty()
        };
        let is_good = match part["type"].as_str().unwrap_or("") {
            "text" => !text(&part["text"]).is_empty(),
            "image_url" => data(&part["image_url"]["url"], "data:image/"),
            "video_url" => data(&part["video_url"]["url"], "data:video/"),
            "file" => {
                !text(&part["file"]["filename"]).is_empty()
                    && data(&part["file"]["file_data"], "data:application/pdf")
            }
            _ => false,
        };
        if !is_good {
            let part: String = part.to_string().chars().take(100).collect();
            return Err(format!("a part of 'content' is none: {part}"));
        }
    }
    Ok(())
}

fn check_call(call: &Value) -> Result<&str, String> {
    let id = call.get("id").and_then(Value::as_str).unwrap_or("");
    if id.is_empty() {
        return Err("a call has no id".to_owned());
    }
    if call.get("type").and_then(Value::as_str) != Some("function") {
        return Err(format!("call {id} is not of type function"));
    }
    let function = call.get("function").ok_or("a call without function")?;
    let name = function.get("name").and_then(Value::as_str).unwrap_or("");
    if !is_name(name) {
        return Err(format!(
            "the name {name:?} does not fit ^[a-zA-Z0-9_-]{{1,64}}$"
        ));
    }
    let arguments = function
        .get("arguments")
        .and_then(Value::as_str)
        .ok_or("'arguments' is not a text")?;
    match serde_json::from_str::<Value>(arguments) {
        Ok(Value::Object(_)) => Ok(id),
        _ => Err(format!(
            "the arguments of {id} are not a JSON object: {arguments}"
        )),
    }
}

fn tool_fault(tools: &Value) -> Option<String> {
    let Some(tools) = tools.as_array().filter(|tools| !tools.is_empty()) else {
        return Some("'tools' is not an array with entries".to_owned());
    };
    tools.iter().find_map(|tool| {
        let function = tool.get("function")?;
        let name = function.get("name").and_then(Value::as_str).unwrap_or("");
        let is_object = function["parameters"]["type"] == "object";
        (!is_name(name) || !is_object || tool["type"] != "function")
            .then(|| format!("the tool {name:?} is not a function with an object schema"))
    })
}

fn is_name(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}
