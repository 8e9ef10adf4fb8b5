//! What stands in the window, part by part, the largest first.

use std::collections::HashMap;

use super::budget::block_tokens;
use crate::{
    domain::{
        chat::{ChatMessage, ContentBlock, Role},
        ids::CallId,
        tool::{ToolCall, ToolSpec},
        window::{WindowItem, WindowPart},
    },
    text::tokens,
};

/// Most characters of a name.
const NAME_CHARS: usize = 200;

/// The parts of a request.
pub fn breakdown(system: &str, tools: &[ToolSpec], messages: &[ChatMessage]) -> Vec<WindowItem> {
    let mut items = vec![WindowItem {
        part: WindowPart::System,
        name: "prompt".to_owned(),
        tokens: tokens::estimate(system) as u64,
    }];
    items.extend(tools.iter().map(|spec| WindowItem {
        part: WindowPart::Tool,
        name: spec.name.clone(),
        tokens: spec_tokens(spec),
    }));
    let calls: HashMap<&CallId, &ToolCall> = messages
        .iter()
        .flat_map(ChatMessage::calls)
        .map(|call| (&call.id, call))
        .collect();
    for message in messages {
        match message.role {
            Role::Assistant => items.push(reply(message)),
            Role::User => items.extend(message.blocks.iter().map(|block| told(block, &calls))),
        }
    }
    // Of equal ones the earlier first.
    items.sort_by_key(|item| std::cmp::Reverse(item.tokens));
    items
}

/// What the schema of a tool takes up.
pub fn spec_tokens(spec: &ToolSpec) -> u64 {
    (tokens::estimate(&spec.description) + tokens::estimate(&spec.schema.to_string())) as u64
}

fn reply(message: &ChatMessage) -> WindowItem {
    let words = message.text();
    let name = if words.trim().is_empty() {
        let calls: Vec<String> = message.calls().map(named).collect();
        calls.join(", ")
    } else {
        words
    };
    WindowItem {
        part: WindowPart::Reply,
        name: short(&name),
        tokens: message.blocks.iter().map(block_tokens).sum(),
    }
}

fn told(block: &ContentBlock, calls: &HashMap<&CallId, &ToolCall>) -> WindowItem {
    let (part, name) = match block {
        ContentBlock::ToolResult(result) => {
            let call = calls.get(&result.call).map(|call| named(call));
            (WindowPart::Output, call.unwrap_or_default())
        }
        ContentBlock::Text { text } | ContentBlock::Reasoning { text } => {
            (WindowPart::Said, text.clone())
        }
        ContentBlock::ToolCall(call) => (WindowPart::Said, named(call)),
    };
    WindowItem {
        part,
        name: short(&name),
        tokens: block_tokens(block),
    }
}

/// The tool and the first thing that it was told.
fn named(call: &ToolCall) -> String {
    let about = call
        .arguments
        .as_object()
        .and_then(|arguments| arguments.values().find_map(|value| value.as_str()));
    match about {
        Some(about) => format!("{} {about}", call.name),
        None => call.name.clone(),
    }
}

/// The first line that says something.
fn short(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty());
    line.unwrap_or_default().chars().take(NAME_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::domain::tool::{CallStatus, ToolResult};

    #[test]
    fn every_part_is_named_and_the_largest_stands_first() {
        let call = ToolCall {
            id: CallId::new("a"),
            name: "file_read".to_owned(),
            arguments: json!({"path": "long.txt"}),
            malformed: None,
        };
        let output = ToolResult::plain(call.id.clone(), CallStatus::Done, "a line\n".repeat(400));
        let message = |role, block| ChatMessage {
            role,
            blocks: vec![block],
            provider: None,
        };
        let messages = [
            ChatMessage::user("\nread it, please\nand say what it is"),
            message(Role::Assistant, ContentBlock::ToolCall(call)),
            message(Role::User, ContentBlock::ToolResult(output)),
            ChatMessage::assistant("It is long."),
        ];

        let items = breakdown(&"You work. ".repeat(40), &[], &messages);

        let told: Vec<(&str, &str)> = items
            .iter()
            .map(|item| (item.part.name(), item.name.as_str()))
            .collect();
        assert_eq!(told[0], ("output", "file_read long.txt"));
        assert_eq!(told[1], ("system", "prompt"));
        assert!(told.contains(&("words", "read it, please")), "{told:?}");
        assert!(told.contains(&("reply", "file_read long.txt")), "{told:?}");
        assert!(told.contains(&("reply", "It is long.")), "{told:?}");
        assert!(items.is_sorted_by(|one, other| one.tokens >= other.tokens));
    }
}
