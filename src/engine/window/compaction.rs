//! What a compaction keeps as it is, and the text that stands for the rest. Pure.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::{
    conversation::{Body, Conversation, Entry},
    retelling::shortened,
};
use crate::{
    domain::{checklist::Checklist, goal::Goal, ids::CallId, window::Kept},
    text::tokens,
};

/// Least and most tokens that are kept as they are, whatever the window holds.
const VERBATIM: (u64, u64) = (4_000, 16_000);
/// Fewer entries than these are not worth parting: all of them are summarised.
const LEAST_SUMMARISED: usize = 4;
/// Most characters of one message that is quoted: its head and its tail.
const QUOTE: (usize, usize) = (1_500, 500);
/// Files that are named at the most.
const FILES: usize = 60;
/// Characters of a digest that are shown: enough to tell one state of a file from another.
const DIGEST: usize = 12;

/// How many tokens stay as they were: a tenth of the window.
pub fn verbatim(window: Option<u64>) -> u64 {
    let (least, most) = VERBATIM;
    window.map_or(most, |window| (window / 10).clamp(least, most))
}

/// What a compaction keeps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// The records that stay in the window, in the order of the log.
    pub kept: Vec<Kept>,
    /// Words of the person that are quoted since they do not stay, the latest first.
    pub quotes: Vec<String>,
}

/// Chooses among the first `until` entries: what was pinned; the latest ones, a call never without its results; and of
/// the person's other words the latest.
pub fn choose(
    conversation: &Conversation,
    until: usize,
    window: Option<u64>,
    keep_recent: bool,
) -> Choice {
    let entries = conversation.entries();
    let entries = entries.get(..until).unwrap_or(entries);
    let budget = verbatim(window);
    let owners = owners(entries);
    let tail = if keep_recent {
        tail(entries, &owners, budget - budget / 3)
    } else {
        entries.len()
    };
    let mut stays: BTreeSet<usize> = (tail..entries.len()).collect();
    let mut dropped: HashSet<usize> = HashSet::new();
    for (at, _) in entries
        .iter()
        .enumerate()
        .filter(|(_, entry)| entry.is_pinned)
    {
        let reply = owners.get(&at).copied().unwrap_or(at);
        stays.insert(reply);
        let answers = owners.iter().filter(|(_, owner)| **owner == reply);
        for (answer, _) in answers {
            // A call has its result; what the result said need not stay with it.
            if stays.insert(*answer) && !entries.get(*answer).is_some_and(|entry| entry.is_pinned) {
                dropped.insert(*answer);
            }
        }
    }
    let kept = stays.iter().filter_map(|at| {
        let mut kept = entries.get(*at)?.kept()?;
        kept.is_dropped |= dropped.contains(at);
        Some(kept)
    });
    Choice {
        kept: kept.collect(),
        quotes: quotes(entries, &stays, budget / 3),
    }
}

/// Where each result's call stands.
fn owners(entries: &[Entry]) -> HashMap<usize, usize> {
    let mut calls: HashMap<&CallId, usize> = HashMap::new();
    let mut owners = HashMap::new();
    for (at, entry) in entries.iter().enumerate() {
        match &entry.body {
            Body::Reply(message) => calls.extend(message.calls().map(|call| (&call.id, at))),
            Body::Result(result) => {
                owners.extend(calls.get(&result.call).map(|owner| (at, *owner)));
            }
            Body::Words { .. } | Body::Summary(_) => {}
        }
    }
    owners
}

/// Where the part begins that stays as it is.
fn tail(entries: &[Entry], owners: &HashMap<usize, usize>, budget: u64) -> usize {
    let mut start = entries.len();
    let mut used = 0;
    // The earliest call that a result behind `at` belongs to.
    let mut needed = entries.len();
    for (at, entry) in entries.iter().enumerate().rev() {
        used += entry.tokens();
        let is_summary = matches!(entry.body, Body::Summary(_));
        if used > budget || is_summary {
            break;
        }
        needed = needed.min(owners.get(&at).copied().unwrap_or(at));
        if needed >= at {
            start = at;
        }
    }
    if start < LEAST_SUMMARISED {
        return entries.len();
    }
    start
}

fn quotes(entries: &[Entry], stays: &BTreeSet<usize>, budget: u64) -> Vec<String> {
    let mut left = budget;
    let mut quotes = Vec::new();
    for (at, entry) in entries.iter().enumerate().rev() {
        let Body::Words {
            text,
            is_asked: true,
        } = &entry.body
        else {
            continue;
        };
        if stays.contains(&at) {
            continue;
        }
        let quote = shortened(text.trim(), QUOTE);
        let cost = tokens::estimate(&quote) as u64;
        let Some(rest) = left.checked_sub(cost) else {
            break;
        };
        left = rest;
        quotes.push(quote);
    }
    quotes
}

/// What the program adds to a summary.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// The agent's checklist.
    pub checklist: Checklist,
    /// The session's goal, for the agent that works on it.
    pub goal: Option<Goal>,
    /// Files that the agent knows, the latest first, with the digest of what it knows.
    pub files: Vec<(String, String)>,
}

/// What stands in the window for what went.
pub fn text(summary: &str, quotes: &[String], standing: &Standing) -> String {
    let mut text = String::from(
        "[what was said before was replaced by this summary; the whole of it is kept in the session]\n\n",
    );
    text.push_str(summary.trim());
    if let Some(goal) = standing.goal.as_ref().filter(|goal| goal.status.is_open()) {
        let status = goal.status.name();
        text.push_str(&format!("\n\n[the goal, {status}]\n{}", goal.objective));
    }
    if !standing.checklist.items.is_empty() {
        text.push_str("\n\n[the checklist]");
        for item in &standing.checklist.items {
            text.push_str(&format!(
                "\n{}. [{}] {}",
                item.id,
                item.status.name(),
                item.text
            ));
        }
    }
    if !quotes.is_empty() {
        text.push_str("\n\n[words of the person, as they were written, the latest first]");
        for quote in quotes {
            text.push('\n');
            for line in quote.lines() {
                text.push_str("> ");
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    if !standing.files.is_empty() {
        text.push_str(
            "\n\n[files you have read or written, with the digest of what you know: you may change them without \
             reading them whole again]",
        );
        for (path, digest) in standing.files.iter().take(FILES) {
            let digest: String = digest.chars().take(DIGEST).collect();
            text.push_str(&format!("\n{path} {digest}"));
        }
        if let Some(more) = standing
            .files
            .len()
            .checked_sub(FILES)
            .filter(|more| *more > 0)
        {
            text.push_str(&format!("\n[and {more} more]"));
        }
    }
    text.trim_end().to_owned()
}

/// Why a summary is not taken; `None` when it is good.
pub fn fault(before: u64, after: u64) -> Option<&'static str> {
    // Less than a tenth saved is not worth what it loses.
    (after.saturating_mul(10) > before.saturating_mul(9)).then_some("it saves nothing")
}

/// Files that calls of these entries were about come first, the latest before the others.
pub fn known_files(entries: &[Entry], seen: &BTreeMap<String, String>) -> Vec<(String, String)> {
    let mut order: Vec<&str> = Vec::new();
    for entry in entries.iter().rev() {
        if let Body::Result(result) = &entry.body
            && let Some(file) = &result.seen
            && !order.contains(&file.path.as_str())
        {
            order.push(&file.path);
        }
    }
    let latest: Vec<(String, String)> = order
        .iter()
        .filter_map(|path| Some(((*path).to_owned(), seen.get(*path)?.clone())))
        .collect();
    let others = seen
        .iter()
        .filter(|(path, _)| !order.contains(&path.as_str()));
    let others = others.map(|(path, digest)| (path.clone(), digest.clone()));
    latest.into_iter().chain(others).collect()
}
