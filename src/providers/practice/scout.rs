//! The parts of the two sub-agents: one counts files, one reads a file. Each ends with a report.

use serde_json::json;

use super::{
    draft::Draft,
    history::{Exchange, History},
    remark,
    script::Offer,
};

/// The note that the tour lends to the reader.
pub(super) const NOTE: &str = "tour_notes";

/// What the scout is asked.
pub(super) const SCOUT: &str = "Practice scout: list the files of this folder, search them for `TODO`, and report what kinds there are.";

/// What the reader is asked.
pub(super) fn reader_prompt(path: Option<&str>, lent: bool) -> String {
    let task = match path {
        Some(path) => format!("read `{path}` and report how it begins."),
        None => "there is no file to read; say so.".to_owned(),
    };
    let note = if lent {
        format!(" The scratchpad entry {NOTE} holds what the person answered: read it first.")
    } else {
        String::new()
    };
    format!("Practice reader: {task}{note}")
}

/// The scout: finds, searches, reports.
pub(super) fn count(history: &History<'_>, said: usize, offer: Offer<'_>) -> Draft {
    let seen = history.exchanges_since(said);
    let of = |tool: &str| seen.iter().find(|exchange| exchange.call.name == tool);
    if offer.has("file_find") && of("file_find").is_none() {
        return Draft::says("I list what is here.")
            .thinking("A script: first the names, then the contents, then the report.")
            .call("file_find", json!({"pattern": "**/*"}));
    }
    if offer.has("file_search") && of("file_search").is_none() {
        return Draft::says("Now the contents.").call("file_search", json!({"pattern": "TODO"}));
    }
    report("Report of the scout", &seen)
}

/// The reader: reads the note when it was lent, reads the file, reports.
pub(super) fn read(
    history: &History<'_>,
    said: usize,
    path: Option<&str>,
    offer: Offer<'_>,
) -> Draft {
    let seen = history.exchanges_since(said);
    let made = |tool: &str| seen.iter().any(|exchange| exchange.call.name == tool);
    let lent = history
        .words()
        .next_back()
        .is_some_and(|(_, words)| words.contains(NOTE));
    if lent && offer.has("scratchpad_read") && !made("scratchpad_read") {
        return Draft::says("I read the note that I was lent.")
            .call("scratchpad_read", json!({"name": NOTE}));
    }
    if let Some(path) = path
        && offer.has("file_read")
        && !made("file_read")
    {
        return Draft::says(format!("I read `{path}`.")).call("file_read", json!({"path": path}));
    }
    report("Report of the reader", &seen)
}

fn report(title: &str, seen: &[Exchange<'_>]) -> Draft {
    let found = remark::remarks(seen);
    let found = if found.is_empty() {
        "There was nothing to look at.".to_owned()
    } else {
        found
    };
    Draft::says(format!("**{title}** (a script)\n\n{found}"))
}
