//! Writes an answer that is already there to a new file, so that the model need not write it twice.

use schemars::JsonSchema;
use serde::Deserialize;

use super::change::{Prepared, one_by_one};
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
        host::GivenAnswer,
        output::ToolOutput,
    },
    workspace::{error::WorkspaceError, gate},
};

/// The tool.
pub(super) struct SaveAnswer;

/// Where to.
#[derive(Clone, Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// The file to create, relative to the working directory or absolute; it must not exist yet. Missing folders are
    /// made.
    path: String,
}

impl Tool for SaveAnswer {
    type Arguments = Arguments;

    const ABOUT: About = About {
        name: "save_answer",
        aliases: &["answer_save"],
        argument_aliases: &[("file_path", "path"), ("file", "path")],
        verb: "save an answer to a file",
        description: "Writes your answer to a new file as it stands, without writing it again.\n\
                      What you wrote in the message that makes the call is saved; when you wrote nothing there, your \
                      last answer of an earlier turn.",
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
        let (prepared, _) = prepared(arguments.clone(), context.clone()).await?;
        Ok(Some(prepared.preview(&[])))
    }

    async fn run(arguments: Arguments, context: ToolContext) -> Result<ToolOutput, ToolError> {
        let (prepared, answer) = prepared(arguments, context.clone()).await?;
        blocking(move || {
            let seen = prepared.save(&context)?;
            let which = if answer.is_earlier {
                "the previous answer"
            } else {
                "this answer"
            };
            let first = answer.text.lines().find(|line| !line.trim().is_empty());
            let text = format!(
                "saved {which} to {} ({} bytes), starting with: {}",
                prepared.file.shown,
                prepared.bytes.len(),
                first.unwrap_or_default().trim()
            );
            Ok(ToolOutput::text(text)
                .with_outcome(format!("{which}, {}", prepared.change.counts))
                .with_seen(seen)
                .with_display(prepared.change.display))
        })
        .await
    }
}

fn refuse(why: &str) -> ToolError {
    ToolError::model(format!("[save_answer: {why}]"))
}

async fn prepared(
    arguments: Arguments,
    context: ToolContext,
) -> Result<(Prepared, GivenAnswer), ToolError> {
    let answer = context.host.answer(&context.agent, &context.call).await?;
    let answer = answer.ok_or_else(|| {
        refuse(
            "there is no answer to save yet — write the answer in your reply first, then call save_answer with the \
             file name",
        )
    })?;
    blocking(move || {
        if arguments.path.ends_with('/') {
            return Err(refuse(
                "`path` ends with / and so names a folder — name a file (missing folders are made with it)",
            ));
        }
        let file = locate(&context, &arguments.path)?;
        gate::check_writable(&file, &context.roots)?;
        match gate::load(&file) {
            Ok(None) => {}
            Ok(Some(_)) | Err(WorkspaceError::Binary { .. }) => {
                return Err(refuse(&format!(
                    "{} already exists — nothing was written. Pick another name, or ask the user",
                    file.shown
                )));
            }
            Err(error) => return Err(error.into()),
        }
        let mut content = answer.text.clone();
        if !content.ends_with('\n') {
            content.push('\n');
        }
        Ok((Prepared::whole(file, None, &content)?, answer))
    })
    .await
}
