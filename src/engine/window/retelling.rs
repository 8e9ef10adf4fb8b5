//! A conversation told again in less room: for whoever summarises it, and where nobody does. Pure.

use super::conversation::{Body, Entry};
use crate::text::{
    tokens,
    truncate::{by_characters, head},
};

/// Head and tail of a text that is longer than both.
pub fn shortened(text: &str, (head, tail): (usize, usize)) -> String {
    by_characters(text, head, tail).joined().into_owned()
}

/// A summary that needs no model: who said and did what, in short, the oldest left out.
pub fn cut(entries: &[Entry], room: u64) -> String {
    let mut lines = Vec::new();
    let mut left = room;
    for entry in entries.iter().rev() {
        let line = match &entry.body {
            Body::Words { text, is_asked } => {
                let who = if *is_asked { "person" } else { "program" };
                format!("- {who}: {}", one_line(text, 300))
            }
            Body::Summary(text) => shortened(text, (6_000, 1_000)),
            Body::Reply(message) => {
                let calls: Vec<String> = message
                    .calls()
                    .map(|call| {
                        format!(
                            "{} {}",
                            call.name,
                            one_line(&call.arguments.to_string(), 120)
                        )
                    })
                    .collect();
                let words = one_line(&message.text(), 300);
                match (words.is_empty(), calls.is_empty()) {
                    (_, true) => format!("- agent: {words}"),
                    (true, false) => format!("- agent called {}", calls.join("; ")),
                    (false, false) => format!("- agent: {words} (called {})", calls.join("; ")),
                }
            }
            Body::Result(result) => format!("  → {}", one_line(&result.text, 160)),
        };
        let Some(rest) = left.checked_sub(tokens::estimate(&line) as u64) else {
            lines.push("[earlier steps are left out]".to_owned());
            break;
        };
        left = rest;
        lines.push(line);
    }
    lines.reverse();
    format!(
        "## What happened, in short (cut by the program)\n{}",
        lines.join("\n")
    )
}

fn one_line(text: &str, columns: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    head(&words.join(" "), columns).into_owned()
}

/// The conversation as a text for whoever summarises it: long blocks cut, the oldest left out where there is no room,
/// but never what an earlier summary says, since nothing else says it any more.
pub fn transcript(entries: &[Entry], room: u64) -> String {
    const BLOCK: (usize, usize) = (1_000, 500);
    let earlier = entries.iter().find_map(|entry| match &entry.body {
        Body::Summary(text) => Some(earlier_summary(text, room / 2)),
        _ => None,
    });
    let earlier_tokens = earlier.as_deref().map_or(0, tokens::estimate) as u64;
    let mut parts = Vec::new();
    let mut left = room.saturating_sub(earlier_tokens);
    for entry in entries.iter().rev() {
        let part = match &entry.body {
            Body::Words { text, is_asked } => {
                let who = if *is_asked { "person" } else { "program" };
                format!("<{who}>\n{}\n</{who}>", shortened(text, BLOCK))
            }
            Body::Summary(_) => continue,
            Body::Reply(message) => {
                let mut part = format!("<agent>\n{}", shortened(&message.text(), BLOCK));
                for call in message.calls() {
                    let arguments = shortened(&call.arguments.to_string(), BLOCK);
                    part.push_str(&format!("\n[calls {} {arguments}]", call.name));
                }
                part.push_str("\n</agent>");
                part
            }
            Body::Result(result) => {
                format!(
                    "<tool_result>\n{}\n</tool_result>",
                    shortened(&result.text, BLOCK)
                )
            }
        };
        let Some(rest) = left.checked_sub(tokens::estimate(&part) as u64) else {
            parts.push("[what was said before is left out]".to_owned());
            break;
        };
        left = rest;
        parts.push(part);
    }
    parts.extend(earlier);
    parts.reverse();
    parts.join("\n")
}

/// An earlier summary, of a long one both ends.
fn earlier_summary(text: &str, room: u64) -> String {
    let whole = tokens::estimate(text).max(1);
    let room = usize::try_from(room).unwrap_or(usize::MAX);
    let part = if whole <= room {
        text.to_owned()
    } else {
        let characters = text.chars().count().saturating_mul(room) / whole;
        shortened(text, (characters / 4 * 3, characters / 4))
    };
    format!("<earlier_summary>\n{part}\n</earlier_summary>")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        domain::{
            record::{Lane, Record, Speaker},
            usage::Usage,
            window::{Compaction, CompactionBy},
        },
        engine::window::conversation::Conversation,
    };

    /// A summary, and so many words of the person behind it.
    fn summarised(summary: &str, messages: usize) -> Conversation {
        let mut conversation = Conversation::default();
        let compaction = Compaction {
            summary: summary.to_owned(),
            kept: Vec::new(),
            by: CompactionBy::Agent,
            before: 0,
            after: 0,
            usage: Usage::default(),
        };
        conversation.apply(None, &Record::Compacted { compaction });
        for number in 0..messages {
            let said = Record::Said {
                speaker: Speaker::Person,
                lane: Lane::Steer,
                text: format!("message {number} {}", "word ".repeat(150)),
            };
            conversation.apply(None, &said);
        }
        conversation
    }

    #[test]
    fn an_earlier_summary_is_retold_whatever_came_after_it() {
        let rules = format!("never touch main.rs{}", " and more".repeat(4_000));
        for (summary, messages) in [("never touch main.rs", 200), (rules.as_str(), 10)] {
            let conversation = summarised(summary, messages);

            let retold = transcript(conversation.entries(), 4_000);

            assert!(retold.contains("<earlier_summary>\nnever touch main.rs"));
            assert!(retold.contains(&format!("message {} ", messages - 1)));
            assert!(tokens::estimate(&retold) < 4_400);
        }
    }
}
