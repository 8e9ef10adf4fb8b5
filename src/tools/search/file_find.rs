//! Finds files by the pattern of their names.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;

use super::notes;
use crate::{
    domain::{
        access::Access,
        display::{Display, FileMatch},
        permission::{Level, Risk},
    },
    text::figures::counted,
    tools::{
        context::ToolContext,
        contract::{About, Tool},
        disk::{blocking, stopper},
        error::ToolError,
        output::ToolOutput,
    },
    workspace::{
        read, root,
        walk::{self, Globs, Order, Selection},
    },
};

/// The most files of one answer.
const MOST_FILES: usize = 500;
/// The most files that go to the scratchpad.
const MOST_KEPT: usize = 20_000;
/// The longest that a walk takes.
const TIME: Duration = Duration::from_mins(1);
/// Bytes that stay in the conversation.
const MOST_BYTES: usize = 29_000;

/// The tool.
pub(super) struct FileFind;

/// What to find.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// Glob pattern: `*.rs` finds at any depth, `src/**/*.{rs,md}` from `path`.
    pattern: String,
    /// Folder to look in. Default: the working directory.
    path: Option<String>,
    /// The most files. Default 500.
    #[schemars(range(min = 1, max = 500))]
    limit: Option<usize>,
    /// Files to skip, to continue a longer list.
    offset: Option<usize>,
    /// The order: `path` (default), or `modified`, the file changed last first.
    sort: Option<Sort>,
    /// Looks at hidden files too.
    #[serde(default)]
    include_hidden: bool,
    /// Looks at files too that git ignores or that programs generate.
    #[serde(default)]
    include_ignored: bool,
}

/// An order of files.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Sort {
    Path,
    Modified,
}

impl From<Sort> for Order {
    fn from(sort: Sort) -> Self {
        match sort {
            Sort::Path => Self::Path,
            Sort::Modified => Self::Modified,
        }
    }
}

impl Tool for FileFind {
    type Arguments = Arguments;

    const ABOUT: About = About {
        name: "file_find",
        aliases: &["glob", "file.glob", "find_files"],
        argument_aliases: &[
            ("glob", "pattern"),
            ("max_results", "limit"),
            ("directory", "path"),
        ],
        verb: "find files",
        description: "Finds files by glob pattern.\n\
            Lists paths in order, or the file changed last first. Hidden files, generated folders and what git \
            ignores are left out unless asked for; to look inside files, use file_search.",
        subject: "pattern",
        editable: None,
    };

    fn needs(_held: bool) -> (Level, Risk) {
        (Level::Read, Risk::ReadOnlyLocal)
    }

    fn access(arguments: &Arguments, context: &ToolContext) -> Access {
        Access::read(context.absolute(arguments.path.as_deref().unwrap_or(".")))
    }

    async fn run(arguments: Arguments, context: ToolContext) -> Result<ToolOutput, ToolError> {
        blocking(move || find(&arguments, &context)).await
    }
}

fn find(arguments: &Arguments, context: &ToolContext) -> Result<ToolOutput, ToolError> {
    let start = notes::start(context, arguments.path.as_deref())?;
    let selection = Selection {
        globs: Globs::new(std::slice::from_ref(&arguments.pattern), &start.real)?,
        root: start.real,
        cwd: context.cwd.clone(),
        hidden: arguments.include_hidden,
        ignored: arguments.include_ignored,
        types: None,
        own: context.settings.own.clone(),
        opened: context.opened(),
    };
    let order = arguments.sort.map_or(Order::Path, Order::from);
    let offset = arguments.offset.unwrap_or(0);
    let (usual, most_bytes) = if context.keeps {
        (MOST_KEPT, usize::MAX)
    } else {
        (MOST_FILES, MOST_BYTES)
    };
    let page = (offset, arguments.limit.unwrap_or(usual));
    let stop = stopper(context.cancel.clone(), TIME);
    let (mut paths, total, skipped) = walk::list(&selection, order, page, &stop);
    paths.retain(|path| read::is_in_place(path));
    notes::cancelled(context)?;
    let mut text = String::new();
    let (mut files, mut listed) = (Vec::new(), 0);
    for path in paths {
        let path = root::shown(&context.cwd, &path);
        if text.len() + path.len() > most_bytes {
            break;
        }
        text.push_str(&path);
        text.push('\n');
        listed += 1;
        // A person is shown no more than a conversation holds.
        if files.len() < MOST_FILES {
            let lines = Vec::new();
            files.push(FileMatch { path, lines });
        }
    }
    let left_out = notes::left_out(&skipped, None);
    let mut ends: Vec<String> = Vec::new();
    let last = offset + listed;
    if files.is_empty() && total > 0 {
        ends.push(format!("no files after offset {offset}, of {total}"));
    } else if files.is_empty() {
        ends.push(format!(
            "no files match {} in {}",
            arguments.pattern, start.shown
        ));
        ends.extend(
            notes::widen(arguments.include_hidden, arguments.include_ignored).map(str::to_owned),
        );
    } else if last < total || offset > 0 {
        ends.push(format!("files {}–{last} of {total}", offset + 1));
    } else {
        ends.push(counted(total, "file", "files"));
    }
    if !files.is_empty() && last < total {
        ends.push(format!("next: offset={last}"));
    }
    ends.extend(left_out);
    text.push_str(&format!("[{}]", ends.join("; ")));
    let omitted = total.saturating_sub(offset + files.len());
    Ok(ToolOutput::text(text)
        .with_outcome(counted(total, "file", "files"))
        .with_display(Display::Files { files, omitted }))
}
