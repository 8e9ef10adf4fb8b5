//! What stands in place of an output that was left out of the window, and which outputs can go first. Pure.

use std::collections::HashSet;

use super::{
    breakdown::named,
    conversation::{Body, Conversation},
};
use crate::{
    domain::{
        ids::Sequence,
        tool::{CallStatus, ToolCall, ToolResult},
    },
    text::{tokens, truncate::head},
};

/// A marker as long as any: what one takes up.
pub const LIKE_ANY: &str = "[left out of the window: 30000 characters of file_read src/some/file.rs; the whole is \
                            artifact://0123456789012345678901234567890123456789012345678901234567890123]";
/// Tokens below which leaving out saves nothing.
const WORTH: usize = 200;
/// Most columns of what a call was and what it was about.
const NAME: usize = 100;
/// The tools that show or set what a file holds.
const ABOUT_FILES: [&str; 3] = ["file_read", "file_write", "file_edit"];

/// The marker: what was there, and how to have it again.
pub fn marker(result: &ToolResult, call: Option<&ToolCall>) -> ToolResult {
    let what = call.map_or_else(|| "a call".to_owned(), named);
    let what = head(&what, NAME);
    let characters = result.text.chars().count();
    let again = match &result.artifact {
        Some(artifact) => format!("the whole is {}", artifact.uri()),
        None => "make the call again if you need it".to_owned(),
    };
    ToolResult {
        text: format!("[left out of the window: {characters} characters of {what}; {again}]"),
        attachments: Vec::new(),
        ..result.clone()
    }
}

/// Outputs that later ones replace, the oldest first: the same call made again, and a file that was read and is shown
/// or written again later. What was pinned, failed or is small stays.
pub fn superseded(conversation: &Conversation) -> Vec<Sequence> {
    let calls = conversation.calls_by_id();
    let mut seen: HashSet<(&str, String)> = HashSet::new();
    let mut files: HashSet<String> = HashSet::new();
    let mut found = Vec::new();
    for entry in conversation.entries().iter().rev() {
        let Body::Result(result) = &entry.body else {
            continue;
        };
        let Some(call) = calls.get(&result.call) else {
            continue;
        };
        if result.status != CallStatus::Done {
            continue;
        }
        let is_repeated = !seen.insert((call.name.as_str(), call.arguments.to_string()));
        let file = file_of(call);
        let is_older =
            call.name == "file_read" && file.as_ref().is_some_and(|file| files.contains(file));
        files.extend(file.filter(|_| shows_all(call)));
        let can_go =
            !entry.is_pinned && !entry.is_dropped && tokens::estimate(&result.text) > WORTH;
        if (is_repeated || is_older) && can_go {
            found.extend(entry.sequence);
        }
    }
    found.reverse();
    found
}

/// The file that a call shows or sets.
fn file_of(call: &ToolCall) -> Option<String> {
    if !ABOUT_FILES.contains(&call.name.as_str()) {
        return None;
    }
    let path = call.arguments.get("path")?.as_str()?;
    Some(path.trim_start_matches("./").to_owned())
}

/// Whether what the call answers stands for all that earlier ones showed of the file.
fn shows_all(call: &ToolCall) -> bool {
    let parts = ["start", "end", "offset", "limit", "regex", "pages"];
    call.name == "file_write"
        || (call.name == "file_read" && parts.iter().all(|part| call.arguments.get(part).is_none()))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::domain::{
        artifact::ArtifactRef,
        chat::{ChatMessage, ContentBlock, Role},
        ids::{ArtifactId, CallId},
    };

    /// A conversation of calls, each answered by 400 lines. The reply of call `n` (from 0) is record `2n + 1`, its
    /// result `2n + 2`.
    fn conversation(calls: &[(&str, Value)]) -> Conversation {
        use crate::domain::{
            record::{Record, ReplyEnd},
            usage::Usage,
        };
        let mut conversation = Conversation::default();
        for (number, (name, arguments)) in calls.iter().enumerate() {
            let id = CallId::new(format!("c{number}"));
            let call = ToolCall {
                id: id.clone(),
                name: (*name).to_owned(),
                arguments: arguments.clone(),
                malformed: None,
            };
            let reply = Record::Reply {
                message: ChatMessage {
                    role: Role::Assistant,
                    blocks: vec![ContentBlock::ToolCall(call)],
                    provider: None,
                },
                end: ReplyEnd::ToolCalls,
                usage: Usage::default(),
            };
            let result = ToolResult::plain(id, CallStatus::Done, "a line\n".repeat(400));
            let at = number as u64 * 2 + 1;
            conversation.apply(Some(Sequence(at)), &reply);
            conversation.apply(Some(Sequence(at + 1)), &Record::Result { result });
        }
        conversation
    }

    fn check(calls: &[(&str, Value)], expected: &[u64]) {
        let conversation = conversation(calls);

        let found = superseded(&conversation);

        let found: Vec<u64> = found.iter().map(|sequence| sequence.0).collect();
        assert_eq!(found, expected, "{calls:?}");
    }

    #[test]
    fn what_a_later_call_shows_again_can_go() {
        let read = |path: &str| ("file_read", json!({"path": path}));
        let run = |line: &str| ("shell_execute", json!({"command": line}));
        let part = ("file_read", json!({"path": "a", "start": 5}));
        let write = ("file_write", json!({"path": "./a", "content": "new"}));
        let edit = (
            "file_edit",
            json!({"path": "a", "old_string": "x", "new_string": "y"}),
        );

        check(&[read("a"), read("b"), read("a")], &[2]);
        check(&[run("make"), run("ls"), run("make")], &[2]);
        check(&[part.clone(), read("a")], &[2]);
        check(&[read("a"), part.clone()], &[]);
        check(&[read("a"), part, write], &[2, 4]);
        check(&[read("a"), edit], &[]);
        check(&[read("a"), read("b")], &[]);
    }

    #[test]
    fn the_marker_says_what_was_there_and_where_it_is() {
        let call = ToolCall {
            id: CallId::new("c"),
            name: "file_read".to_owned(),
            arguments: json!({"path": "src/a.rs"}),
            malformed: None,
        };
        let mut result = ToolResult::plain(call.id.clone(), CallStatus::Done, "é".repeat(10));
        let told = marker(&result, Some(&call)).text;
        result.artifact = Some(ArtifactRef {
            id: ArtifactId::new("ab12"),
            bytes: 20,
            lines: 1,
            cut: false,
            streams: None,
        });

        assert_eq!(
            told,
            "[left out of the window: 10 characters of file_read src/a.rs; make the call again if you need it]"
        );
        assert!(
            marker(&result, None)
                .text
                .ends_with("a call; the whole is artifact://ab12]")
        );
    }
}
