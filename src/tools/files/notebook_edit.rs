//! Changes one cell of a Jupyter notebook.
//!
//! Only what the agent has read is changed, and only the cell: every other byte of the file stays. What is shown is the
//! cell's source, not the JSON around it.

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
        disk::{blocking, locate},
        error::ToolError,
        output::ToolOutput,
    },
    workspace::{
        error::WorkspaceError,
        gate,
        notebook::{self, Kind, Plan},
        read,
    },
};

/// The tool.
pub(super) struct NotebookEdit;

/// What to change.
#[derive(Clone, Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// Notebook (.ipynb), relative to the working directory or absolute.
    path: String,
    /// What to do with the cell.
    #[serde(default)]
    edit_mode: EditMode,
    /// The cell by its id, or by its place as cell-N, counted from 0. With insert, the new cell comes behind it, or at
    /// the beginning when this is left out.
    cell_id: Option<String>,
    /// The whole source of the cell; not needed to delete one.
    #[schemars(extend("x-blank" = true))]
    new_source: Option<String>,
    /// What the cell is to be: code by default for a new one, else what it is.
    cell_type: Option<CellType>,
}

/// What can be done with a cell.
#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum EditMode {
    /// Gives the cell another source.
    #[default]
    Replace,
    /// Adds a cell.
    Insert,
    /// Takes the cell out.
    Delete,
}

/// What a cell can be.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum CellType {
    /// What the kernel runs.
    Code,
    /// Text.
    Markdown,
    /// What is left as it is.
    Raw,
}

impl From<CellType> for Kind {
    fn from(kind: CellType) -> Self {
        match kind {
            CellType::Code => Self::Code,
            CellType::Markdown => Self::Markdown,
            CellType::Raw => Self::Raw,
        }
    }
}

impl Tool for NotebookEdit {
    type Arguments = Arguments;

    const ABOUT: About = About {
        name: "notebook_edit",
        aliases: &["notebook.edit"],
        argument_aliases: &[
            ("notebook_path", "path"),
            ("file_path", "path"),
            ("file", "path"),
            ("source", "new_source"),
            ("mode", "edit_mode"),
        ],
        verb: "edit a notebook",
        description: "Replaces, inserts or deletes one cell of a Jupyter notebook that was read.\n\
            Everything else in the file stays as it is. A code cell whose source changes loses its outputs and its \
            execution count.",
        subject: "path",
        editable: Some("new_source"),
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
            let planned = prepare(&arguments, &context)?;
            Ok(Some(planned.prepared.preview(&["new_source"])))
        })
        .await
    }

    async fn run(arguments: Arguments, context: ToolContext) -> Result<ToolOutput, ToolError> {
        blocking(move || prepare(&arguments, &context)?.made(&arguments, &context)).await
    }
}

impl Arguments {
    /// What the arguments mean together.
    fn change(&self) -> Result<notebook::Change<'_>, ToolError> {
        let needs = |name: &str, mode: &str| {
            ToolError::model(format!("notebook_edit: {mode} needs `{name}`"))
        };
        let (cell, source) = (self.cell_id.as_deref(), self.new_source.as_deref());
        Ok(match self.edit_mode {
            EditMode::Replace => notebook::Change::Replace {
                cell: cell.ok_or_else(|| needs("cell_id", "replace"))?,
                source: source.ok_or_else(|| needs("new_source", "replace"))?,
                kind: self.cell_type.map(Kind::from),
            },
            EditMode::Insert => notebook::Change::Insert {
                after: cell,
                source: source.ok_or_else(|| needs("new_source", "insert"))?,
                kind: self.cell_type.map_or(Kind::Code, Kind::from),
            },
            EditMode::Delete => notebook::Change::Delete {
                cell: cell.ok_or_else(|| needs("cell_id", "delete"))?,
            },
        })
    }
}

/// A change that was looked at but not made.
struct Planned {
    prepared: Prepared,
    plan: Plan,
}

fn prepare(arguments: &Arguments, context: &ToolContext) -> Result<Planned, ToolError> {
    let change = arguments.change()?;
    let file = locate(context, &arguments.path)?;
    let is_notebook = file
        .real
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("ipynb"));
    if !is_notebook {
        return Err(ToolError::model(format!(
            "notebook_edit: {} does not end in .ipynb; use file_edit",
            file.shown
        )));
    }
    gate::check_writable(&file, &context.roots)?;
    let Some(old) = gate::load(&file)? else {
        return Err(WorkspaceError::Missing {
            file: file.shown.clone(),
            near: read::nearby(&file),
        }
        .into());
    };
    context.freshness.check(&file, &old.digest)?;
    let plan =
        notebook::plan(&old.unified.text, change, old.digest.as_str()).map_err(|reason| {
            WorkspaceError::Edit {
                file: file.shown.clone(),
                reason: format!("{reason}. Nothing was changed"),
            }
        })?;
    Ok(Planned {
        prepared: Prepared {
            change: Change::between(&file.shown, &plan.old, &plan.new, false),
            bytes: old.spliced(&plan.splices),
            file,
            old: Some(old),
        },
        plan,
    })
}

impl Planned {
    fn made(self, arguments: &Arguments, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let (plan, shown) = (&self.plan, &self.prepared.file.shown);
        if plan.splices.is_empty() {
            let text = format!(
                "{shown}: {} has this source already; nothing was written",
                plan.cell
            );
            return Ok(ToolOutput::text(text).with_outcome("unchanged"));
        }
        let seen = self.prepared.save(context)?;
        let change = self.prepared.change;
        let did = match arguments.edit_mode {
            EditMode::Replace => "replaced",
            EditMode::Insert => "inserted",
            EditMode::Delete => "deleted",
        };
        let cleared = if plan.clears_outputs {
            " · outputs cleared"
        } else {
            ""
        };
        let cells = counted(plan.cells, "cell", "cells");
        let text = format!(
            "{shown}: {did} {} · {} · {cells} now{cleared}\n{}",
            plan.cell, change.counts, change.numbered
        );
        Ok(ToolOutput::text(text.trim_end())
            .with_outcome(format!("{did}, {}", change.counts))
            .with_seen(seen)
            .with_display(change.display))
    }
}
