//! Reads one hook.

use std::path::Path;

use toml_edit::{Item, TableLike};

use super::entry::{
    Reason, Shape, Wrong, choice, flag, lacks, milliseconds, read_keys, text, texts,
};
use crate::domain::hook::{Hook, HookCommand, HookEvent};

const SHAPE: Shape<'_> = Shape {
    noun: "hook",
    keys: &[
        "event",
        "command",
        "name",
        "matcher",
        "timeout_ms",
        "required",
        "sandbox",
    ],
};
/// How long a hook may take that names no limit.
const TIMEOUT_MS: u64 = 10_000;
/// The longest limit: a turn waits for a hook.
const LONGEST_MS: u64 = 600_000;

/// A hook with the place of its first key. `at` is the place of the list, for a hook without keys.
pub(super) fn read(
    list: &str,
    table: &dyn TableLike,
    at: usize,
) -> Result<(Hook, usize), Vec<Wrong>> {
    let (mut event, mut command, mut name, mut matcher) = (None, None, None, None);
    let (mut timeout_ms, mut required, mut sandbox) = (TIMEOUT_MS, false, true);
    let (first, mut wrong) = read_keys(&SHAPE, list, table, at, |key, item| {
        match key {
            "event" => event = Some(choice(item, &HookEvent::ALL)?),
            "command" => command = Some(self::command(item)?),
            "name" => name = Some(text(item)?),
            "matcher" => matcher = Some(text(item)?),
            "timeout_ms" => timeout_ms = milliseconds(item, 100, LONGEST_MS)?,
            "required" => required = flag(item)?,
            _ => sandbox = flag(item)?,
        }
        Ok(())
    });
    if let Some(event) = event
        && matcher.is_some()
        && !event.has_subject()
    {
        let key = format!("{list}.matcher");
        let why = format!("says which tools or agents, and {} has none", event.name());
        let reason = Reason::new(why).about(&key);
        wrong.push(Wrong {
            at: first,
            key,
            reason,
        });
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let missing = |key| vec![lacks(&SHAPE, list, first, key)];
    let command = command.ok_or_else(|| missing("command"))?;
    let hook = Hook {
        name: name.unwrap_or_else(|| called(&command)),
        event: event.ok_or_else(|| missing("event"))?,
        command,
        matcher: matcher.unwrap_or_else(|| "*".to_owned()),
        timeout_ms,
        required,
        sandbox,
    };
    Ok((hook, first))
}

fn command(item: &Item) -> Result<HookCommand, Reason> {
    match item.as_str() {
        Some(_) => text(item).map(HookCommand::Line),
        None => texts(item).map(HookCommand::Words).map_err(|_| {
            Reason::new(
                "must be a command line, or a program and its arguments as a list of strings",
            )
        }),
    }
}

/// The name of what runs.
fn called(command: &HookCommand) -> String {
    let first = match command {
        HookCommand::Words(words) => words.first().map(String::as_str),
        HookCommand::Line(line) => line.split_whitespace().next(),
    };
    let first = first.unwrap_or_default();
    let file = Path::new(first).file_name().and_then(|name| name.to_str());
    file.unwrap_or(first).to_owned()
}

#[cfg(test)]
#[path = "hooks_tests.rs"]
mod tests;
