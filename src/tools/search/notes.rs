//! What a search left out, in words: a model must not take "not searched" for "not there".

use std::sync::atomic::Ordering;

use crate::{
    text::figures::counted,
    tools::{context::ToolContext, disk::locate, error::ToolError},
    workspace::{
        error::{Kind, WorkspaceError},
        read,
        root::Located,
        secrets,
        walk::Skipped,
    },
};

/// The folder or file that a search starts at.
pub(super) fn start(context: &ToolContext, path: Option<&str>) -> Result<Located, ToolError> {
    let file = locate(context, path.unwrap_or("."))?;
    secrets::check(&file)?;
    match read::kind(&file)? {
        Some(Kind::Directory | Kind::File) => Ok(file),
        Some(kind) => Err(WorkspaceError::not_a_file(&file.shown, kind).into()),
        None => Err(WorkspaceError::Missing {
            near: read::nearby(&file),
            file: file.shown,
        }
        .into()),
    }
}

/// What was left out, each in a few words.
pub(super) fn left_out(skipped: &Skipped, most_bytes: Option<u64>) -> Vec<String> {
    let mut notes = Vec::new();
    if skipped.stopped.load(Ordering::Relaxed) {
        notes.push("stopped before the end: incomplete, narrow `path` or `glob`".to_owned());
    }
    let large = skipped.large.load(Ordering::Relaxed);
    if large > 0 {
        notes.push(format!(
            "{} over {} bytes not searched (max_filesize)",
            counted(large, "file", "files"),
            most_bytes.unwrap_or_default()
        ));
    }
    let unwieldy = skipped.unwieldy.load(Ordering::Relaxed);
    if unwieldy > 0 {
        notes.push(format!(
            "{} not searched to the end: too much in one line, or too large for multiline",
            counted(unwieldy, "file", "files")
        ));
    }
    let secrets = skipped.secrets.load(Ordering::Relaxed);
    if secrets > 0 {
        notes.push(format!("{secrets} secret-looking left out"));
    }
    let generated = skipped.generated.names();
    if !generated.is_empty() {
        notes.push(format!(
            "left out as generated: {} (include_ignored)",
            generated.join(", ")
        ));
    }
    let unreadable = skipped.unreadable.load(Ordering::Relaxed);
    if unreadable > 0 {
        notes.push(format!("{unreadable} not readable"));
    }
    notes
}

/// What else could be looked at when nothing was found.
pub(super) fn widen(hidden: bool, ignored: bool) -> Option<&'static str> {
    match (hidden, ignored) {
        (false, false) => {
            Some("hidden and ignored files left out (include_hidden, include_ignored)")
        }
        (true, false) => Some("ignored files left out (include_ignored)"),
        (false, true) => Some("hidden files left out (include_hidden)"),
        (true, true) => None,
    }
}

/// Whether the call itself was stopped, rather than its time used up.
pub(super) fn cancelled(context: &ToolContext) -> Result<(), ToolError> {
    if context.cancel.is_cancelled() {
        return Err(WorkspaceError::Cancelled.into());
    }
    Ok(())
}
