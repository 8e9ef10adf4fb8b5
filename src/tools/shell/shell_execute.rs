//! Runs a command line with bash and answers with what it printed.
//!
//! A command that exits non-zero has run: its status is part of the answer, not a failure. What was printed is
//! never lost, neither to the time limit nor to a person who stops it.

use std::{path::Path, time::Duration};

use schemars::JsonSchema;
use serde::Deserialize;

use super::{denials, enclosure};
use crate::{
    domain::{
        access::{Access, Resource},
        display::Display,
        job::JobInfo,
        permission::{Level, Risk},
    },
    process::{
        error::ProcessError,
        spawn::{End, Finished, Owner, ShellCommand, run},
    },
    text::{sanitize::clean_line, truncate},
    tools::{
        context::ToolContext,
        contract::{About, Tool},
        error::ToolError,
        output::{ToolOutput, WholeOutput},
    },
};

/// The tool.
pub(super) struct ShellExecute;

/// A command line.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// The command line, run by `bash -c` in the working directory. There is no terminal and no input: give programs
    /// the flags that keep them from asking.
    command: String,
    /// Time limit in milliseconds; the whole process tree is ended then and what it printed is kept. Left out, the
    /// configured limit holds (120000 unless it was changed).
    #[serde(default)]
    timeout_ms: Option<u64>,
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

    fn access(arguments: &Arguments, context: &ToolContext) -> Access {
        Access {
            resources: vec![Resource::Shell {
                command: arguments.command.clone(),
            }],
            level: match context.reach.sandbox.enforced() {
                Some(_) => Level::Read,
                None => Level::Unrestricted,
            },
            risk: Risk::Execution,
        }
    }

    async fn run(arguments: Arguments, context: ToolContext) -> Result<ToolOutput, ToolError> {
        let settings = &context.settings;
        let limit = arguments
            .timeout_ms
            .map_or(settings.shell_timeout, Duration::from_millis)
            .min(settings.shell_timeout_max);
        let spec = ShellCommand {
            cwd: directory(&context.cwd, &arguments.command)?,
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
        let finished = run(&spec, &context.cancel, &live).await.map_err(failure)?;
        let cancelled = finished.end == End::Cancelled;
        let denied = spec
            .sandbox
            .as_ref()
            .map(|policy| denials::notes(&context, policy, &finished))
            .unwrap_or_default();
        let output = answer(&spec, finished, settings.shell_timeout_max, denied);
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

/// The output and what there is to say about it.
fn answer(
    spec: &ShellCommand,
    finished: Finished,
    longest: Duration,
    denied: Vec<String>,
) -> ToolOutput {
    let captured = finished.captured;
    let mut text = captured.text.clone();
    let mut notes = Vec::new();
    let (exit, outcome) = match finished.end {
        End::Exited(0) => (Some(0), "ok".to_owned()),
        End::Exited(code) => {
            notes.push(format!("exit code: {code}"));
            (Some(code), format!("exit {code}"))
        }
        End::Signalled(signal) => {
            notes.push(format!("ended by {}", signal_name(signal)));
            (None, signal_name(signal))
        }
        End::TimedOut => {
            notes.push(format!(
                "ended with all its processes after {} ms, the time limit; timeout_ms may be up to {}",
                spec.timeout.as_millis(),
                longest.as_millis()
            ));
            (None, format!("timed out after {}", seconds(spec.timeout)))
        }
        End::Cancelled => {
            notes.push(format!("stopped after {}", seconds(finished.elapsed)));
            (None, "stopped".to_owned())
        }
        End::Unsupervised => {
            notes.push(
                "ended with all its processes: it killed the supervisor, its parent".to_owned(),
            );
            (None, "killed its supervisor".to_owned())
        }
    };
    notes.extend(denied);
    notes.extend(finished.job.as_ref().map(job_note));
    notes.extend(
        captured
            .file_error
            .map(|why| format!("the whole output could not be kept: {why}")),
    );
    if text.is_empty() {
        text.push_str("(no output)\n");
    }
    for note in notes {
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(&format!("[{note}]\n"));
    }
    text.truncate(text.trim_end_matches('\n').len());
    ToolOutput {
        text,
        display: Display::Terminal {
            command: spec.command.clone(),
            output: captured.text,
            exit,
            omitted_lines: captured.omitted_lines,
        },
        outcome,
        whole: captured.file.map(|file| WholeOutput {
            path: file.path,
            cut: file.cut,
        }),
        stays_inline: false,
        seen: None,
    }
}

/// What still runs, with the numbers by which it can be ended.
fn job_note(job: &JobInfo) -> String {
    const SHOWN: usize = 5;
    let mut processes: Vec<String> = job
        .processes
        .iter()
        .take(SHOWN)
        .map(|process| {
            let command = clean_line(&process.command).into_owned();
            format!("{} `{}`", process.pid, truncate::head(&command, 60))
        })
        .collect();
    let more = job.processes.len().saturating_sub(SHOWN);
    if more > 0 {
        processes.push(format!("{more} more"));
    }
    format!("still running in the background: {}", processes.join(", "))
}

fn seconds(duration: Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}

fn signal_name(signal: i32) -> String {
    let name = match signal {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        6 => "SIGABRT",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        15 => "SIGTERM",
        _ => return format!("signal {signal}"),
    };
    name.to_owned()
}
