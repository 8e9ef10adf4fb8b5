//! Runs one program that only looks, without a shell: what the judge of command lines proves, and nothing else.
//!
//! The words are judged as the line of bash that runs exactly them, so that rules about commands and about files hold
//! as they do for `shell_execute`.

use std::{path::PathBuf, time::Duration};

use schemars::JsonSchema;
use serde::Deserialize;

use super::{answer::answer, denials};
use crate::{
    domain::{
        access::{Access, Resource},
        permission::{Level, Risk},
    },
    permission::shell::Argv,
    process::{
        program::{self, Program},
        spawn::{End, Owner, ShellCommand, run},
    },
    tools::{
        context::ToolContext,
        contract::{About, Tool},
        enclosure,
        error::ToolError,
        output::ToolOutput,
    },
};

/// How long looking may take.
const LIMIT: Duration = Duration::from_secs(30);

/// The tool.
pub(super) struct ShellInspect;

/// A program and its arguments.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// The program, then its arguments, one word each, such as `git`, `log`, `-5`. Nothing is expanded: no `*`,
    /// no `~`, no variables. At most 32 words.
    #[schemars(with = "Vec<String>", extend("items" = {"type": "string", "x-blank": true}))]
    argv: Looking,
}

/// Words that only look, and nothing else.
#[derive(Deserialize)]
#[serde(try_from = "Vec<String>")]
struct Looking(Argv);

impl TryFrom<Vec<String>> for Looking {
    type Error = String;

    fn try_from(words: Vec<String>) -> Result<Self, Self::Error> {
        Argv::read(&words).map(Self)
    }
}

impl Tool for ShellInspect {
    type Arguments = Arguments;

    const ABOUT: About = About {
        name: "shell_inspect",
        aliases: &["terminal.inspect"],
        argument_aliases: &[],
        verb: "look with a program",
        description: "Runs one program that only looks, without a shell, and returns its output.\n\
            Possible are pwd, ls, cat, stat, file, head, tail, wc, and git with status, diff, log, branch, remote, \
            ls-files and grep, each with the options that change nothing. The person is rarely asked about it. For \
            pipes, redirections and everything else use shell_execute.",
        subject: "argv",
        editable: None,
    };

    fn needs(_held: bool) -> (Level, Risk) {
        (Level::Read, Risk::ReadOnlyLocal)
    }

    fn access(arguments: &Arguments, _context: &ToolContext) -> Access {
        Access {
            resources: vec![Resource::Shell {
                command: arguments.argv.0.line().to_owned(),
            }],
            level: Level::Read,
            risk: Risk::ReadOnlyLocal,
        }
    }

    async fn run(arguments: Arguments, context: ToolContext) -> Result<ToolOutput, ToolError> {
        let argv = arguments.argv.0;
        let context = enclosure::looking(&context);
        let spec = ShellCommand {
            command: argv.line().to_owned(),
            program: located(&argv, &context).await?,
            cwd: context.cwd.clone(),
            timeout: LIMIT.min(context.settings.shell_timeout_max),
            spool: context.settings.spool.clone(),
            own_keys: context.settings.secret_variables.clone(),
            owner: Owner {
                session: context.session.clone(),
                agent: context.agent.clone(),
            },
            sandbox: enclosure::policy(&context).await?,
        };
        let live = |piece: &str| context.host.progress(&context.agent, &context.call, piece);
        let finished = run(&spec, &context.cancel, &live)
            .await
            .map_err(|error| ToolError::model(error.to_string()))?;
        let cancelled = finished.end == End::Cancelled;
        let denied = spec
            .sandbox
            .as_ref()
            .map(|policy| denials::notes(&context, policy, &finished))
            .unwrap_or_default();
        let output = answer(&spec, finished, None, denied);
        if cancelled {
            return Err(ToolError::Interrupted(Box::new(output)));
        }
        Ok(output)
    }
}

/// The program by its place: one that lies where an agent may have put it is not run.
async fn located(argv: &Argv, context: &ToolContext) -> Result<Program, ToolError> {
    let mut words = argv.words().to_vec();
    let name = words.first().cloned().unwrap_or_default();
    let mut writable: Vec<PathBuf> = vec![context.cwd.clone()];
    writable.extend(context.settings.sandbox.writable.iter().cloned());
    let roots = context.roots.directories.iter();
    // At level unrestricted everything is writable.
    writable.extend(roots.filter(|root| root.parent().is_some()).cloned());
    let wanted = name.clone();
    let found = tokio::task::spawn_blocking(move || program::find(&wanted, &writable))
        .await
        .map_err(|error| ToolError::Fatal(error.to_string()))?;
    let place = found.ok_or_else(|| {
        ToolError::model(format!(
            "shell_inspect: there is no {name} on the search path outside the workspace; use shell_execute"
        ))
    })?;
    let place = place.into_os_string().into_string().map_err(|_| {
        ToolError::model(format!(
            "shell_inspect: the place of {name} is not UTF-8; use shell_execute"
        ))
    })?;
    if let Some(first) = words.first_mut() {
        *first = place;
    }
    Ok(Program::Words(words))
}
