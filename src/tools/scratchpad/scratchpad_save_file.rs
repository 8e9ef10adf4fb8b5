//! Writes an entry to a file without its bytes passing through the conversation, by the gate of every write.

use schemars::JsonSchema;
use serde::Deserialize;

use super::name;
use crate::{
    domain::{
        access::Access,
        permission::{Level, Risk},
    },
    tools::{
        context::ToolContext,
        contract::{About, Concurrency, Preview, Tool},
        disk::{blocking, locate},
        error::ToolError,
        files::change::{Prepared, one_by_one},
        output::ToolOutput,
    },
    workspace::{error::WorkspaceError, gate},
};

/// The tool.
pub(super) struct ScratchpadSaveFile;

/// Which entry, and where to.
#[derive(Clone, Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// Name of the entry.
    name: String,
    /// File to write, relative to the working directory or absolute. Missing folders are made.
    path: String,
    /// Write although the file exists. Default false.
    force: Option<bool>,
}

impl Tool for ScratchpadSaveFile {
    type Arguments = Arguments;

    const ABOUT: About = About {
        name: "scratchpad_save_file",
        aliases: &[],
        argument_aliases: &[
            ("key", "name"),
            ("file_path", "path"),
            ("file", "path"),
            ("overwrite", "force"),
        ],
        verb: "save a scratchpad entry to a file",
        description: "Writes an entry of the session's scratchpad to a file without its content passing through the \
                      conversation. A file that exists is replaced only with `force`.",
        subject: "path",
        editable: None,
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
        let prepared = prepared(arguments.clone(), context.clone()).await?;
        // The entry may change as well while a person looks: its content is part of what is shown.
        Ok(Some(prepared.preview(&[])))
    }

    async fn run(arguments: Arguments, context: ToolContext) -> Result<ToolOutput, ToolError> {
        let prepared = prepared(arguments.clone(), context.clone()).await?;
        blocking(move || {
            let seen = prepared.save(&context)?;
            let (shown, bytes) = (&prepared.file.shown, prepared.bytes.len());
            let text = format!(
                "Saved `{}` to {shown} ({bytes} bytes).",
                arguments.name.trim()
            );
            Ok(ToolOutput::text(text)
                .with_outcome(prepared.change.counts.clone())
                .with_seen(seen)
                .with_display(prepared.change.display))
        })
        .await
    }
}

async fn prepared(arguments: Arguments, context: ToolContext) -> Result<Prepared, ToolError> {
    let tool = ScratchpadSaveFile::ABOUT.name;
    let name = name::fit(tool, &arguments.name)?;
    let entry = name::read(tool, name, &context).await?;
    blocking(move || {
        if arguments.path.ends_with('/') {
            return Err(ToolError::model(format!(
                "{tool}: `path` ends with / and so names a folder; name a file (missing folders are made with it)"
            )));
        }
        let file = locate(&context, &arguments.path)?;
        gate::check_writable(&file, &context.roots)?;
        let forced = arguments.force.unwrap_or(false);
        let old = match gate::load(&file) {
            Ok(old) => old,
            Err(WorkspaceError::Binary { .. }) if forced => Some(gate::opaque(&file)?),
            Err(WorkspaceError::Binary { .. }) => return Err(exists(tool, &file.shown)),
            Err(error) => return Err(error.into()),
        };
        if old.is_some() && !forced {
            return Err(exists(tool, &file.shown));
        }
        Prepared::whole(file, old, &entry.content)
    })
    .await
}

fn exists(tool: &str, shown: &str) -> ToolError {
    ToolError::model(format!(
        "{tool}: {shown} exists; choose another path, or set `force` to replace it"
    ))
}
