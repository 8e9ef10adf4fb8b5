//! Writes a file whole.
//!
//! An existing file is replaced only when the agent has read what is there now; encoding, line ends, mode and links
//! of it stay. The same content is not written again, and that is said.

use schemars::JsonSchema;
use serde::Deserialize;

use super::change::{Prepared, one_by_one};
use crate::{
    domain::{
        access::Access,
        permission::{Level, Risk},
    },
    text::figures::counted,
    tools::{
        context::ToolContext,
        contract::{About, Concurrency, Preview, Tool},
        disk::{blocking, locate},
        error::ToolError,
        output::ToolOutput,
    },
    workspace::gate,
};

/// The tool.
pub(super) struct FileWrite;

/// What to write.
#[derive(Clone, Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// File to write, relative to the working directory or absolute. Missing folders are made.
    path: String,
    /// The whole content of the file.
    #[schemars(extend("x-blank" = true))]
    content: String,
}

impl Tool for FileWrite {
    type Arguments = Arguments;

    const ABOUT: About = About {
        name: "file_write",
        aliases: &["write", "write_file", "file.write"],
        argument_aliases: &[
            ("file_path", "path"),
            ("file", "path"),
            ("text", "content"),
            ("contents", "content"),
        ],
        verb: "write a file",
        description: "Creates a file, or replaces the whole content of one that was read.\n\
            To change a part of a file, use file_edit. An existing file must have been read with file_read and not \
            changed since.",
        subject: "path",
        editable: Some("content"),
    };

    fn needs(_held: bool) -> (Level, Risk) {
        (Level::Workspace, Risk::WorkspaceWrite)
    }

    fn access(arguments: &Arguments, context: &ToolContext) -> Access {
        Access::write(context.absolute(&arguments.path))
    }

    fn concurrency(arguments: &Arguments, context: &ToolContext) -> Concurrency {
        one_by_one(&arguments.path, context)
    }

    async fn preview(
        arguments: &Arguments,
        context: &ToolContext,
    ) -> Result<Option<Preview>, ToolError> {
        let (arguments, context) = (arguments.clone(), context.clone());
        blocking(move || Ok(Some(prepare(&arguments, &context)?.preview(&["content"])))).await
    }

    async fn run(arguments: Arguments, context: ToolContext) -> Result<ToolOutput, ToolError> {
        blocking(move || write(&arguments, prepare(&arguments, &context)?, &context)).await
    }
}

fn prepare(arguments: &Arguments, context: &ToolContext) -> Result<Prepared, ToolError> {
    if arguments.path.ends_with('/') {
        return Err(ToolError::model(
            "file_write: `path` ends with / and so names a folder; name a file (missing folders are made with it)",
        ));
    }
    let file = locate(context, &arguments.path)?;
    gate::check_writable(&file, &context.roots)?;
    let old = gate::load(&file)?;
    if let Some(old) = &old {
        // An empty file holds nothing that could be lost unseen.
        if !old.text.body.is_empty() {
            context.freshness.check(&file, &old.digest)?;
        }
        if old.text.invalid > 0 && arguments.content.contains('\u{FFFD}') {
            return Err(ToolError::model(format!(
                "{} holds bytes that are not valid text and were shown as \u{FFFD}; writing it whole would \
                 destroy them. Use file_edit on the lines beside them",
                file.shown
            )));
        }
    }
    Prepared::whole(file, old, &arguments.content)
}

fn write(
    arguments: &Arguments,
    prepared: Prepared,
    context: &ToolContext,
) -> Result<ToolOutput, ToolError> {
    let shown = &prepared.file.shown;
    if let Some(old) = &prepared.old
        && old.text.encoding.encode(&old.text.body) == prepared.bytes
    {
        let ends = if arguments.content.contains("\r\n") && !prepared.bytes.contains(&b'\r') {
            " (its line ends stay \\n)"
        } else {
            ""
        };
        let text = format!("{shown} has this content already{ends}; nothing was written");
        return Ok(ToolOutput::text(text).with_outcome("unchanged"));
    }
    let seen = prepared.save(context)?;
    let counts = &prepared.change.counts;
    let (text, outcome) = if prepared.old.is_some() {
        let text = format!("wrote {shown}: {counts}\n{}", prepared.change.numbered);
        (text, counts.clone())
    } else {
        let lines = prepared
            .bytes
            .split_inclusive(|byte| *byte == b'\n')
            .count();
        let text = format!("created {shown} ({})", counted(lines, "line", "lines"));
        let added = counts.split(' ').next().unwrap_or_default();
        (text, format!("new, {added}"))
    };
    Ok(ToolOutput::text(text.trim_end())
        .with_outcome(outcome)
        .with_seen(seen)
        .with_display(prepared.change.display))
}
