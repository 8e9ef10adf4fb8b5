//! Changes parts of a file; refuses when a part is missing or not unique, since a guess here costs the person an hour.
//!
//! All edits of a call are found in the file as it is, and all are made or none. Only what the agent has read is
//! changed. Bytes outside the edits stay as they are.

use schemars::JsonSchema;
use serde::Deserialize;

use super::change::{Change, Prepared, one_by_one};
use crate::{
    domain::{
        access::Access,
        permission::{Level, Risk},
    },
    text::figures::counted,
    tools::{
        context::ToolContext,
        contract::{About, Concurrency, Preview, Tool},
        disk::{blocking, locate, missing},
        error::ToolError,
        output::ToolOutput,
    },
    workspace::{
        edit::{self, Change as Deed, Edit},
        error::WorkspaceError,
        gate::{self, Loaded},
        line_ends::Splice,
        root::Located,
    },
};

/// The tool.
pub(super) struct FileEdit;

/// The arguments whose text a preview shows.
const SHOWN_BY_PREVIEW: &[&str] = &[
    "old_string",
    "new_string",
    "insert_before",
    "insert_after",
    "edits",
];

/// What to change.
#[derive(Clone, Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// File to change, relative to the working directory or absolute.
    path: String,
    /// Text to find: it must be in the file exactly once. Leave it out to fill a file that is empty or missing.
    old_string: Option<String>,
    /// Text to put in its place; empty to delete it.
    #[schemars(extend("x-blank" = true))]
    new_string: Option<String>,
    /// Lines to put before the line of `old_string`, instead of replacing it.
    insert_before: Option<String>,
    /// Lines to put after the line of `old_string`, instead of replacing it.
    insert_after: Option<String>,
    /// Replaces every exact occurrence of `old_string`.
    #[serde(default)]
    replace_all: bool,
    /// Several replacements at once, instead of `old_string`: all are found in the file as it is now.
    edits: Option<Vec<Part>>,
    /// Shows what would change and writes nothing.
    #[serde(default)]
    dry_run: bool,
    /// Matches white space exactly as well.
    #[serde(default)]
    strict: bool,
}

/// One of several replacements.
#[derive(Clone, Deserialize, JsonSchema)]
pub(super) struct Part {
    /// Text to find: it must be in the file exactly once.
    old: String,
    /// Text to put in its place; empty to delete it.
    #[schemars(extend("x-blank" = true))]
    new: String,
}

/// What a call asks for.
enum Wish {
    /// The whole content of a file that is empty or missing.
    Fill(String),
    /// Changes to what is there.
    Change(Vec<Edit>),
}

/// A change that was looked at but not done, and the line that tells of it.
struct Planned {
    prepared: Prepared,
    headline: String,
}

impl Tool for FileEdit {
    type Arguments = Arguments;

    const ABOUT: About = About {
        name: "file_edit",
        aliases: &["edit", "edit_file", "file.replace", "file.patch"],
        argument_aliases: &[
            ("file_path", "path"),
            ("file", "path"),
            ("old", "old_string"),
            ("new", "new_string"),
            ("old_str", "old_string"),
            ("new_str", "new_string"),
            ("old_text", "old_string"),
            ("new_text", "new_string"),
        ],
        verb: "edit a file",
        description: "Changes parts of a file that was read.\n\
            Give `old_string` with `new_string`, `insert_before` or `insert_after`; or `edits` for several at once. \
            The old text must be in the file once: add lines around it until it is. White space around lines is \
            forgiven and the file's indentation kept.",
        subject: "path",
        editable: Some("new_string"),
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
        blocking(move || {
            Ok(Some(
                prepare(&arguments, &context)?
                    .prepared
                    .preview(SHOWN_BY_PREVIEW),
            ))
        })
        .await
    }

    async fn run(arguments: Arguments, context: ToolContext) -> Result<ToolOutput, ToolError> {
        blocking(move || {
            let planned = prepare(&arguments, &context)?;
            if arguments.dry_run {
                return Ok(planned.answer("would change, nothing written: ", "dry run, "));
            }
            let seen = planned.prepared.save(&context)?;
            Ok(planned.answer("", "").with_seen(seen))
        })
        .await
    }
}

impl Planned {
    fn answer(self, before: &str, mark: &str) -> ToolOutput {
        let change = self.prepared.change;
        let text = format!("{before}{}\n{}", self.headline, change.numbered);
        ToolOutput::text(text.trim_end())
            .with_outcome(format!("{mark}{}", change.counts))
            .with_display(change.display)
    }
}

impl Arguments {
    /// What the arguments mean together.
    fn wish(&self) -> Result<Wish, ToolError> {
        let refuse = |text: &str| Err(ToolError::model(format!("file_edit: {text}")));
        let inserts = self.insert_before.is_some() || self.insert_after.is_some();
        // Some models send every field; an empty replacement beside an insertion says nothing.
        let new = self
            .new_string
            .as_ref()
            .filter(|new| !(inserts && new.is_empty()));
        if let Some(parts) = self.edits.as_ref().filter(|parts| !parts.is_empty()) {
            let single =
                self.old_string.is_some() || inserts || new.is_some_and(|new| !new.is_empty());
            if single || self.replace_all {
                return refuse(
                    "send either `edits`, or `old_string` with what to do there; `replace_all` goes with the latter",
                );
            }
            let edit = |part: &Part| Edit {
                old: part.old.clone(),
                change: Deed::Replace(part.new.clone()),
            };
            return Ok(Wish::Change(parts.iter().map(edit).collect()));
        }
        let Some(old) = &self.old_string else {
            return match new {
                Some(new) if !inserts && !self.replace_all => Ok(Wish::Fill(new.clone())),
                _ => refuse("`old_string` is missing or blank; it must hold the text to find"),
            };
        };
        let change = match (new, &self.insert_before, &self.insert_after) {
            (Some(new), None, None) if self.replace_all => Deed::ReplaceAll(new.clone()),
            (Some(new), None, None) => Deed::Replace(new.clone()),
            (None, Some(lines), None) if !self.replace_all => Deed::Before(lines.clone()),
            (None, None, Some(lines)) if !self.replace_all => Deed::After(lines.clone()),
            (None, None, None) => {
                return refuse(
                    "send what to do at `old_string`: `new_string` (empty to delete), `insert_before` or `insert_after`",
                );
            }
            _ => {
                return refuse(
                    "send exactly one of `new_string`, `insert_before` and `insert_after`; `replace_all` goes with \
                     `new_string`",
                );
            }
        };
        Ok(Wish::Change(vec![Edit {
            old: old.clone(),
            change,
        }]))
    }
}

fn prepare(arguments: &Arguments, context: &ToolContext) -> Result<Planned, ToolError> {
    let wish = arguments.wish()?;
    let file = locate(context, &arguments.path)?;
    gate::check_writable(&file, &context.roots)?;
    let old = gate::load(&file)?;
    match wish {
        Wish::Fill(content) => fill(file, old, &content),
        Wish::Change(edits) => {
            let Some(old) = old else {
                return Err(missing(&file));
            };
            context.freshness.check(&file, &old.digest)?;
            changed(file, old, &edits, arguments.strict)
        }
    }
}

fn fill(file: Located, old: Option<Loaded>, content: &str) -> Result<Planned, ToolError> {
    if old.as_ref().is_some_and(|old| !old.text.body.is_empty()) {
        return Err(ToolError::model(format!(
            "file_edit: `old_string` is missing or blank, and {} is not empty; send the text to find. Nothing was \
             changed",
            file.shown
        )));
    }
    let prepared = Prepared::whole(file, old, content)?;
    Ok(Planned {
        headline: format!(
            "{}: filled, {}",
            prepared.file.shown, prepared.change.counts
        ),
        prepared,
    })
}

fn changed(file: Located, old: Loaded, edits: &[Edit], strict: bool) -> Result<Planned, ToolError> {
    let plan =
        edit::plan(&old.unified.text, edits, strict).map_err(|reason| WorkspaceError::Edit {
            file: file.shown.clone(),
            reason,
        })?;
    let change = Change::between(
        &file.shown,
        &old.unified.text,
        &spliced(&old.unified.text, &plan.splices),
        false,
    );
    let mut headline = format!(
        "{}: {} · {} · first change at line {}",
        file.shown,
        counted(plan.splices.len(), "edit", "edits"),
        change.counts,
        change.first_line
    );
    if plan.relaxed > 0 {
        headline.push_str(&format!(" · {} matched ignoring whitespace", plan.relaxed));
    }
    Ok(Planned {
        headline,
        prepared: Prepared {
            bytes: old.spliced(&plan.splices),
            file,
            old: Some(old),
            change,
        },
    })
}

/// The text after the replacements, in the view with `\n` only.
fn spliced(text: &str, splices: &[Splice]) -> String {
    let mut result = String::with_capacity(text.len());
    let mut done = 0;
    for splice in splices {
        result.push_str(text.get(done..splice.range.start).unwrap_or_default());
        result.push_str(&splice.new);
        done = splice.range.end;
    }
    result.push_str(text.get(done..).unwrap_or_default());
    result
}
