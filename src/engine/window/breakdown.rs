//! What stands in the window, part by part, the largest first.

use std::collections::HashMap;

use super::conversation::{Body, Conversation, Entry};
use crate::{
    domain::{
        ids::CallId,
        tool::{ToolCall, ToolSpec},
        window::{WindowItem, WindowPart},
    },
    engine::toolset::subject,
    text::tokens,
};

/// Most characters of a name.
const NAME_CHARS: usize = 200;

/// The parts of a request.
pub fn breakdown(system: &str, tools: &[ToolSpec], conversation: &Conversation) -> Vec<WindowItem> {
    let mut items = vec![head(
        WindowPart::System,
        "prompt",
        tokens::estimate(system) as u64,
    )];
    items.extend(
        tools
            .iter()
            .map(|spec| head(WindowPart::Tool, &spec.name, spec_tokens(spec))),
    );
    let calls = conversation.calls_by_id();
    items.extend(
        conversation
            .entries()
            .iter()
            .map(|entry| item(entry, &calls)),
    );
    // Of equal ones the earlier first.
    items.sort_by_key(|item| std::cmp::Reverse(item.tokens));
    items
}

/// What stands in front of the conversation.
fn head(part: WindowPart, name: &str, tokens: u64) -> WindowItem {
    WindowItem {
        sequence: None,
        is_dropped: false,
        is_pinned: false,
        part,
        name: name.to_owned(),
        tokens,
    }
}

/// What the schema of a tool takes up.
pub fn spec_tokens(spec: &ToolSpec) -> u64 {
    (tokens::estimate(&spec.description) + tokens::estimate(&spec.schema.to_string())) as u64
}

fn item(entry: &Entry, calls: &HashMap<&CallId, &ToolCall>) -> WindowItem {
    let (part, name) = match &entry.body {
        Body::Words { text, .. } => (WindowPart::Said, text.clone()),
        Body::Summary(text) => (WindowPart::Summary, text.clone()),
        Body::Reply(message) => {
            let words = message.text();
            let name = if words.trim().is_empty() {
                let calls: Vec<String> = message.calls().map(named).collect();
                calls.join(", ")
            } else {
                words
            };
            (WindowPart::Reply, name)
        }
        Body::Result(result) => {
            let call = calls.get(&result.call).map(|call| named(call));
            (WindowPart::Output, call.unwrap_or_default())
        }
    };
    WindowItem {
        sequence: entry.sequence,
        is_dropped: entry.is_dropped,
        is_pinned: entry.is_pinned,
        part,
        name: short(&name),
        tokens: entry.tokens(),
    }
}

/// The tool and what its call was about.
pub(super) fn named(call: &ToolCall) -> String {
    let told = format!("{} {}", call.name, subject(call));
    told.trim_end().to_owned()
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
    use crate::domain::{
        chat::{ChatMessage, ContentBlock, Role},
        ids::Sequence,
        record::{Lane, Record, ReplyEnd, Speaker},
        tool::{CallStatus, ToolResult},
        usage::Usage,
    };

    #[test]
    fn every_part_is_named_and_the_largest_stands_first() {
        let call = ToolCall {
            id: CallId::new("a"),
            name: "file_read".to_owned(),
            arguments: json!({"path": "long.txt"}),
            malformed: None,
        };
        let result = ToolResult::plain(call.id.clone(), CallStatus::Done, "a line\n".repeat(400));
        let reply = |block| Record::Reply {
            message: ChatMessage {
                role: Role::Assistant,
                blocks: vec![block],
                provider: None,
            },
            end: ReplyEnd::Complete,
            usage: Usage::default(),
        };
        let records = [
            Record::Said {
                speaker: Speaker::Person,
                lane: Lane::Steer,
                text: "\nread it, please\nand say what it is".to_owned(),
            },
            reply(ContentBlock::ToolCall(call)),
            Record::Result { result },
            reply(ContentBlock::Text {
                text: "It is long.".to_owned(),
            }),
        ];
        let mut conversation = Conversation::default();
        for (record, at) in records.iter().zip(1..) {
            conversation.apply(Some(Sequence(at)), record);
        }

        let items = breakdown(&"You work. ".repeat(40), &[], &conversation);

        let told: Vec<(&str, &str, Option<u64>)> = items
            .iter()
            .map(|item| {
                let at = item.sequence.map(|at| at.0);
                (item.part.name(), item.name.as_str(), at)
            })
            .collect();
        assert_eq!(told[0], ("output", "file_read long.txt", Some(3)));
        assert_eq!(told[1], ("system", "prompt", None));
        assert!(
            told.contains(&("words", "read it, please", Some(1))),
            "{told:?}"
        );
        assert!(
            told.contains(&("reply", "file_read long.txt", Some(2))),
            "{told:?}"
        );
        assert!(
            told.contains(&("reply", "It is long.", Some(4))),
            "{told:?}"
        );
        assert!(items.is_sorted_by(|one, other| one.tokens >= other.tokens));
    }
}
