//! A conversation told again in less room: for whoever summarises it, and where nobody does. Pure.

use super::conversation::{Body, Entry};
use crate::text::{tokens, truncate::head};

/// Head and tail of a text that is longer than both.
pub fn shortened(text: &str, (head, tail): (usize, usize)) -> String {
    let characters = text.chars().count();
    if characters <= head + tail {
        return text.to_owned();
    }
    let first: String = text.chars().take(head).collect();
    let last: String = text.chars().skip(characters - tail).collect();
    format!(
        "{first}\n[… {} characters …]\n{last}",
        characters - head - tail
    )
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

/// The conversation as a text for whoever summarises it: long blocks cut, the oldest left out where there is no room.
pub fn transcript(entries: &[Entry], room: u64) -> String {
    const BLOCK: (usize, usize) = (1_000, 500);
    let mut parts = Vec::new();
    let mut left = room;
    for entry in entries.iter().rev() {
        let part = match &entry.body {
            Body::Words { text, is_asked } => {
                let who = if *is_asked { "person" } else { "program" };
                format!("<{who}>\n{}\n</{who}>", shortened(text, BLOCK))
            }
            Body::Summary(text) => format!("<earlier_summary>\n{text}\n</earlier_summary>"),
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
    parts.reverse();
    parts.join("\n")
}
