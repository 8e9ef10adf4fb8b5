//! The entries of a folder as `file_read` shows them: one line each, with what cannot be read marked.

use super::file_read::MOST_BYTES;
use crate::{
    domain::display::{Display, FileMatch},
    text::figures::counted,
    tools::{error::ToolError, output::ToolOutput},
    workspace::{error::Kind, read::Entry, root::Located},
};

/// The entries from number `start` on, at most `most`.
pub(super) fn page(
    folder: &Located,
    entries: &[Entry],
    start: usize,
    most: usize,
) -> Result<ToolOutput, ToolError> {
    let total = entries.len();
    if total == 0 {
        return Ok(
            ToolOutput::text(format!("{} is an empty folder", folder.shown)).with_outcome("empty"),
        );
    }
    if start > total {
        return Err(ToolError::model(format!(
            "file_read: {} has only {}; entry {start} is past the end",
            folder.shown,
            counted(total, "entry", "entries")
        )));
    }
    let mut text = String::new();
    let mut files = Vec::new();
    for entry in entries.iter().skip(start - 1).take(most) {
        let name = match entry.kind {
            Kind::Directory => format!("{}/", entry.name),
            _ => entry.name.clone(),
        };
        let note = match entry.kind {
            _ if entry.secret => "  (looks like a secret: not readable)".to_owned(),
            Kind::Directory => String::new(),
            Kind::File => format!("  {} B", entry.bytes),
            kind => format!("  ({})", kind.name()),
        };
        if text.len() + name.len() + note.len() > MOST_BYTES {
            break;
        }
        text.push_str(&format!("{name}{note}\n"));
        files.push(FileMatch {
            path: name,
            lines: Vec::new(),
        });
    }
    let last = start - 1 + files.len();
    let next = if last < total {
        format!("; next: start={}", last + 1)
    } else {
        String::new()
    };
    let outcome = counted(total, "entry", "entries");
    let range = if files.len() == total {
        outcome.clone()
    } else {
        format!("entries {start}–{last} of {total}")
    };
    text.push_str(&format!("[{range}{next}]"));
    Ok(ToolOutput::text(text)
        .with_outcome(outcome)
        .with_display(Display::Files {
            files,
            omitted: total.saturating_sub(last),
        }))
}
