//! Writes a file whole.
//!
//! An existing file is replaced only when the agent has read what is there now; encoding, line ends, mode and links
//! of it stay. The same content is not written again, and that is said.

use schemars::JsonSchema;
use serde::Deserialize;

use super::change::Change;
use crate::{
    domain::access::Access,
    tools::{
        context::ToolContext,
        contract::{About, Concurrency, Preview, Tool},
        disk::{blocking, counted, locate},
        error::ToolError,
        output::ToolOutput,
    },
    workspace::{
        gate::{self, Basis, Loaded},
        line_ends::Unified,
        root::Located,
    },
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

/// A write that was looked at but not done.
struct Prepared {
    file: Located,
    old: Option<Loaded>,
    bytes: Vec<u8>,
    change: Change,
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

    fn access(arguments: &Arguments, context: &ToolContext) -> Access {
        Access::write(context.absolute(&arguments.path))
    }

    fn concurrency(arguments: &Arguments, context: &ToolContext) -> Concurrency {
        let path = context.absolute(&arguments.path);
        Concurrency::Keyed(path.to_string_lossy().into_owned())
    }

    async fn preview(
        arguments: &Arguments,
        context: &ToolContext,
    ) -> Result<Option<Preview>, ToolError> {
        let (arguments, context) = (arguments.clone(), context.clone());
        blocking(move || {
            let prepared = prepare(&arguments, &context)?;
            Ok(Some(Preview {
                display: prepared.change.display,
                basis: basis(prepared.old.as_ref()),
            }))
        })
        .await
    }

    async fn run(arguments: Arguments, context: ToolContext) -> Result<ToolOutput, ToolError> {
        blocking(move || write(prepare(&arguments, &context)?, &context)).await
    }
}

/// What a preview of a write is made from.
pub(super) fn basis(old: Option<&Loaded>) -> String {
    old.map_or_else(|| "absent".to_owned(), |old| old.digest.to_string())
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
    let bytes = match &old {
        None => gate::new_file(&arguments.content),
        Some(old) => {
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
            old.rewritten(&arguments.content)
        }
    };
    let before = old.as_ref().map_or("", |old| old.unified.text.as_str());
    let after = Unified::plain(arguments.content.trim_start_matches('\u{FEFF}'));
    let change = Change::between(&file.shown, before, &after, old.is_none());
    Ok(Prepared {
        file,
        old,
        bytes,
        change,
    })
}

fn write(prepared: Prepared, context: &ToolContext) -> Result<ToolOutput, ToolError> {
    let Prepared {
        file,
        old,
        bytes,
        change,
    } = prepared;
    if let Some(old) = &old
        && old.text.encoding.encode(&old.text.body) == bytes
    {
        return Ok(ToolOutput::text(format!(
            "{} has this content already; nothing was written",
            file.shown
        ))
        .with_outcome("unchanged"));
    }
    let expected = old
        .as_ref()
        .map_or(Basis::Absent, |old| Basis::Content(&old.digest));
    let digest = gate::save(&file, &context.roots, expected, &bytes)?;
    context.freshness.record(&file, digest);
    let text = if old.is_some() {
        format!(
            "wrote {}: {}\n{}",
            file.shown, change.counts, change.numbered
        )
    } else {
        let lines = bytes.split_inclusive(|byte| *byte == b'\n').count();
        format!(
            "created {} ({})",
            file.shown,
            counted(lines, "line", "lines")
        )
    };
    let outcome = if old.is_some() {
        change.counts
    } else {
        format!(
            "new, {}",
            change.counts.split(' ').next().unwrap_or_default()
        )
    };
    Ok(ToolOutput::text(text.trim_end())
        .with_outcome(outcome)
        .with_display(change.display))
}
