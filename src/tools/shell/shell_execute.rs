//! Runs a command line with bash and answers with what it printed.
//!
//! A command that exits non-zero has run: its status is part of the answer, not a failure. What was printed is
//! never lost, neither to the time limit nor to a person who stops it.

use std::{path::Path, time::Duration};

use schemars::JsonSchema;
use serde::Deserialize;

use super::{answer::answer, denials};
use crate::{
    domain::{
        access::{Access, Resource},
        permission::{Level, Risk},
    },
    process::{
        error::ProcessError,
        program::Program,
        spawn::{End, Owner, ShellCommand, run_attended},
        terminal::Keyboard,
    },
    tools::{
        context::ToolContext,
        contract::{About, Tool},
        enclosure,
        error::ToolError,
        output::ToolOutput,
    },
};

/// The tool.
pub(super) struct ShellExecute;

/// A command line.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// The command line, run by `bash -c` in the working directory. There is no terminal and no input unless it is
    /// `interactive`: give programs the flags that keep them from asking.
    command: String,
    /// Time limit in milliseconds; the whole process tree is ended then and what it printed is kept. Left out, the
    /// configured limit holds (120000 unless it was changed), for an `interactive` command the longest that is allowed.
    #[serde(default)]
    timeout_ms: Option<u64>,
    /// Gives the command a terminal into which the person can type, for a program that asks what only they know or
    /// decide, such as a password. They see what it prints; you get that, and how many characters they typed, never
    /// which. Only lines are shown: no editors, no full-screen programs. The time limit begins anew with each key. What the
    /// command leaves in the background is hung up with the terminal unless it ignores that.
    #[serde(default)]
    interactive: bool,
    /// What the command is for, in a few words, for the person.
    #[serde(default)]
    #[expect(dead_code, reason = "the screen shows it from the call's arguments")]
    description: Option<String>,
}

impl Tool for ShellExecute {
    type Arguments = Arguments;

    const ABOUT: About = About {
        name: "shell_execute",
        aliases: &["bash", "shell", "execute_command", "terminal.run"],
        argument_aliases: &[("cmd", "command"), ("timeout", "timeout_ms")],
        verb: "run a command",
        description: "Runs a command line with bash and returns its output.\n\
            Each call is a new shell in the working directory: `cd` and variables do not last. Output and error come \
            as one text; a very large one is cut in the middle and kept whole elsewhere. A process left in the \
            background goes on after the call, is named in the answer and ends with the session. Commands may run in a \
            sandbox: then writing is possible in the workspace only, /tmp is the session's own (files that other tools \
            are to see go into the workspace), and a later command cannot signal what an earlier one has left.",
        subject: "command",
        editable: Some("command"),
    };

    fn needs(held: bool) -> (Level, Risk) {
        let level = if held {
            Level::Read
        } else {
            Level::Unrestricted
        };
        (level, Risk::Execution)
    }

    fn access(arguments: &Arguments, context: &ToolContext) -> Access {
        let (level, risk) = Self::needs(context.reach.sandbox.enforced().is_some());
        Access {
            resources: vec![Resource::Shell {
                command: arguments.command.clone(),
            }],
            level,
            risk,
        }
    }

    fn is_attended(arguments: &Arguments) -> bool {
        arguments.interactive
    }

    async fn run(arguments: Arguments, context: ToolContext) -> Result<ToolOutput, ToolError> {
        let settings = &context.settings;
        let usual = if arguments.interactive {
            settings.shell_timeout_max
        } else {
            settings.shell_timeout
        };
        let limit = arguments
            .timeout_ms
            .map_or(usual, Duration::from_millis)
            .min(settings.shell_timeout_max);
        let program = Program::Line(arguments.command.clone());
        let spec = ShellCommand {
            cwd: directory(&context.cwd, &arguments.command)?,
            program: if arguments.interactive {
                program.attended()
            } else {
                program
            },
            command: arguments.command,
            timeout: limit,
            spool: settings.spool.clone(),
            own_keys: settings.secret_variables.clone(),
            owner: Owner {
                session: context.session.clone(),
                agent: context.agent.clone(),
            },
            sandbox: enclosure::policy(&context).await?,
        };
        let live = |piece: &str| context.host.progress(&context.agent, &context.call, piece);
        let mut keyboard = if arguments.interactive {
            context.host.keyboard(&context.agent, &context.call).await?
        } else {
            Keyboard::default()
        };
        let finished = run_attended(&spec, &context.cancel, &live, &mut keyboard)
            .await
            .map_err(failure)?;
        let cancelled = finished.end == End::Cancelled;
        let denied = spec
            .sandbox
            .as_ref()
            .map(|policy| denials::notes(&context, policy, &finished))
            .unwrap_or_default();
        let output = answer(&spec, finished, Some(settings.shell_timeout_max), denied);
        if cancelled {
            return Err(ToolError::Interrupted(Box::new(output)));
        }
        Ok(output)
    }
}

/// Where to run. When the working directory is gone, only a command that goes elsewhere first is run, from the
/// nearest directory above that is left.
fn directory(cwd: &Path, command: &str) -> Result<std::path::PathBuf, ToolError> {
    if cwd.is_dir() {
        return Ok(cwd.to_owned());
    }
    let above = cwd.ancestors().find(|directory| directory.is_dir());
    match above {
        Some(above) if command.trim_start().starts_with("cd /") => Ok(above.to_owned()),
        _ => Err(ToolError::model(format!(
            "{}. Start the command with `cd /…` into a directory that is there{}, or make this one again that way.",
            ProcessError::NoDirectory(cwd.to_owned()),
            above.map_or_else(String::new, |above| format!(
                ", such as {}",
                above.display()
            )),
        ))),
    }
}

fn failure(error: ProcessError) -> ToolError {
    ToolError::model(error.to_string())
}
