//! Reads a file into an entry without its bytes passing through the conversation.

use schemars::JsonSchema;
use serde::Deserialize;

use super::name;
use crate::{
    domain::{
        access::Access,
        permission::{Level, Risk},
        scratchpad::ScratchpadOrigin,
    },
    text::figures::counted,
    tools::{
        context::ToolContext,
        contract::{About, Concurrency, Tool},
        disk::{blocking, locate},
        error::ToolError,
        output::ToolOutput,
    },
    workspace::{error::WorkspaceError, gate, read},
};

/// The largest file that is taken into the scratchpad.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// The tool.
pub(super) struct ScratchpadLoadFile;

/// Which file, and where to.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// File to read, relative to the working directory or absolute: text of at most 64 MiB.
    path: String,
    /// Name of the entry. An entry of the same name is overwritten.
    name: String,
}

impl Tool for ScratchpadLoadFile {
    type Arguments = Arguments;

    const ABOUT: About = About {
        name: "scratchpad_load_file",
        aliases: &[],
        argument_aliases: &[("file_path", "path"), ("file", "path"), ("key", "name")],
        verb: "load a file into the scratchpad",
        description: "Reads a text file into an entry of the session's scratchpad without its content passing through \
                      the conversation: a large log to search, or to lend to a sub-agent.",
        subject: "path",
        editable: None,
    };

    fn needs(_held: bool) -> (Level, Risk) {
        (Level::Read, Risk::ReadOnlyLocal)
    }

    fn access(arguments: &Arguments, context: &ToolContext) -> Access {
        Access::read(context.absolute(&arguments.path))
    }

    fn concurrency(arguments: &Arguments, _context: &ToolContext) -> Concurrency {
        name::one_by_one(&arguments.name)
    }

    async fn run(arguments: Arguments, context: ToolContext) -> Result<ToolOutput, ToolError> {
        let name = name::fit(Self::ABOUT.name, &arguments.name)?.to_owned();
        let (reads, path) = (context.clone(), arguments.path.clone());
        let (shown, content) = blocking(move || load(&reads, &path)).await?;
        let lines = content.lines().count();
        let info = context
            .host
            .scratchpad_write(&context.agent, &name, content, ScratchpadOrigin::Agent)
            .await?;
        let text = format!(
            "Loaded {shown} into `{}` ({} bytes, {}).",
            info.name,
            info.bytes,
            counted(lines, "line", "lines")
        );
        Ok(ToolOutput::text(text).with_outcome(format!("{} bytes", info.bytes)))
    }
}

/// How the file is called, and its text.
fn load(context: &ToolContext, path: &str) -> Result<(String, String), ToolError> {
    let file = locate(context, path)?;
    let (_, about) = gate::open(&file)?;
    if about.len() > MOST_BYTES {
        return Err(ToolError::from(WorkspaceError::TooLarge {
            file: file.shown.clone(),
            bytes: about.len(),
            limit: MOST_BYTES,
        }));
    }
    let loaded = gate::load(&file)?.ok_or_else(|| WorkspaceError::Missing {
        file: file.shown.clone(),
        near: read::nearby(&file),
    })?;
    if loaded.text.invalid > 0 {
        let count = counted(loaded.text.invalid, "byte", "bytes");
        return Err(ToolError::model(format!(
            "{} holds {count} that are not valid text; read the part you need with file_read",
            file.shown
        )));
    }
    Ok((file.shown.clone(), loaded.text.body))
}
