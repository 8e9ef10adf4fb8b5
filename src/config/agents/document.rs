//! A type of agents from the text of its document.

use std::collections::BTreeMap;

use super::head::{self, Entry, Wrong};
use crate::{
    config::nearest::nearest,
    domain::{
        agent_policy::{AgentDocument, AgentPermissions},
        permission::{Level, Network, Verdict},
    },
    text::{
        sanitize::{clean, clean_line},
        truncate::head as shortened,
    },
};

const KEYS: [&str; 5] = ["name", "description", "level", "network", "permissions"];
const LEVELS: [Level; 4] = [
    Level::None,
    Level::Read,
    Level::Workspace,
    Level::Unrestricted,
];
const NETWORKS: [Network; 3] = [Network::None, Network::Remote, Network::All];
const VERDICTS: [Verdict; 3] = [Verdict::Allow, Verdict::Ask, Verdict::Deny];
/// Longest description in columns.
const LONGEST_DESCRIPTION: usize = 200;
/// Most patterns of a document.
const MOST_PATTERNS: usize = 300;

/// Reads a document. `name` is that of its file; a project's permissions answer for nobody.
pub(super) fn read(
    name: &str,
    text: &str,
    place: String,
    is_project: bool,
) -> Result<AgentDocument, Wrong> {
    let (entries, body) = head::read(text)?;
    let mut document = AgentDocument {
        name: name.to_owned(),
        description: String::new(),
        instructions: clean(body.trim()).into_owned(),
        level: None,
        network: None,
        permissions: None,
        place,
    };
    let mut seen: Vec<&str> = Vec::new();
    let mut at = 0;
    while let Some(entry) = entries.get(at) {
        at += 1;
        if entry.indent > 0 {
            return Err((entry.line, "nothing above it takes names".to_owned()));
        }
        let key = entry.key.as_str();
        if seen.contains(&key) {
            return Err((entry.line, format!("`{}` stands there twice", shown(key))));
        }
        seen.push(key);
        match key {
            "name" if value(entry)? != name => {
                let what = format!("its name is that of its file, {name}");
                return Err((entry.line, what));
            }
            "name" => {}
            "description" => {
                let words = clean_line(value(entry)?).into_owned();
                document.description = shortened(&words, LONGEST_DESCRIPTION).into_owned();
            }
            "level" => document.level = Some(one_of(entry, &LEVELS, Level::name)?),
            "network" => document.network = Some(one_of(entry, &NETWORKS, Network::name)?),
            "permissions" => {
                let below = below(&entries, at, 0);
                at += below.len();
                document.permissions = Some(AgentPermissions {
                    of: name.to_owned(),
                    actions: permissions(entry, below)?,
                    answers: !is_project,
                });
            }
            _ => return Err((entry.line, unknown(key))),
        }
    }
    if document.description.trim().is_empty() {
        return Err((
            1,
            "it has no `description`, which says what it is for".to_owned(),
        ));
    }
    Ok(document)
}

/// The entries from a place on that are indented further.
fn below(entries: &[Entry], from: usize, indent: usize) -> &[Entry] {
    let rest = entries.get(from..).unwrap_or_default();
    let count = rest.iter().take_while(|entry| entry.indent > indent);
    rest.get(..count.count()).unwrap_or_default()
}

fn permissions(
    head: &Entry,
    entries: &[Entry],
) -> Result<BTreeMap<String, BTreeMap<String, Verdict>>, Wrong> {
    if head.value.is_some() || entries.is_empty() {
        let what = "`permissions` takes names of tools below it, each with a verdict or patterns";
        return Err((head.line, what.to_owned()));
    }
    if entries.len() > MOST_PATTERNS {
        return Err((
            head.line,
            format!("it has more than {MOST_PATTERNS} patterns"),
        ));
    }
    let outer = entries.first().map_or(0, |entry| entry.indent);
    let mut actions: BTreeMap<String, BTreeMap<String, Verdict>> = BTreeMap::new();
    let mut at = 0;
    while let Some(entry) = entries.get(at) {
        at += 1;
        if entry.indent != outer {
            return Err((
                entry.line,
                "it is indented unlike what is above it".to_owned(),
            ));
        }
        let mut patterns = BTreeMap::new();
        if entry.value.is_some() {
            patterns.insert("*".to_owned(), one_of(entry, &VERDICTS, Verdict::name)?);
        } else {
            let below = below(entries, at, outer);
            at += below.len();
            let inner = below.first().map_or(0, |entry| entry.indent);
            for pattern in below {
                if pattern.indent != inner || pattern.value.is_none() {
                    let what = "a pattern is `\"pattern\": verdict`, all below each other";
                    return Err((pattern.line, what.to_owned()));
                }
                let verdict = one_of(pattern, &VERDICTS, Verdict::name)?;
                if patterns.insert(pattern.key.clone(), verdict).is_some() {
                    return Err((pattern.line, "this pattern stands there twice".to_owned()));
                }
            }
        }
        if entry.key.is_empty() || entry.key.contains(char::is_whitespace) {
            return Err((entry.line, "the name of a tool is one word".to_owned()));
        }
        if actions.insert(entry.key.clone(), patterns).is_some() {
            return Err((
                entry.line,
                format!("`{}` stands there twice", shown(&entry.key)),
            ));
        }
    }
    Ok(actions)
}

fn value(entry: &Entry) -> Result<&str, Wrong> {
    let missing = || (entry.line, format!("`{}` has no value", shown(&entry.key)));
    entry.value.as_deref().ok_or_else(missing)
}

fn one_of<T: Copy>(entry: &Entry, all: &[T], name: fn(T) -> &'static str) -> Result<T, Wrong> {
    let word = value(entry)?;
    let found = all.iter().copied().find(|one| name(*one) == word);
    found.ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|one| name(*one)).collect();
        let what = format!(
            "`{}` is one of {}, not {}",
            shown(&entry.key),
            names.join(", "),
            shown(word)
        );
        (entry.line, what)
    })
}

fn unknown(key: &str) -> String {
    let way = match nearest(key, KEYS.into_iter()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("the keys are {}", KEYS.join(", ")),
    };
    format!("unknown key `{}`; {way}", shown(key))
}

/// Untrusted words, short and on one line.
fn shown(text: &str) -> String {
    shortened(&clean_line(text), 60).into_owned()
}

#[cfg(test)]
#[path = "document_tests.rs"]
mod tests;
