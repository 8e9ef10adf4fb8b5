//! Runs code with an interpreter and answers with what it printed.
//!
//! It is judged as the command line that would run the same code, and held as commands are. While it runs it can call
//! tools, and each such call is judged by itself.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{bridge::Bridge, interpreter::Language};
use crate::{
    domain::{
        access::{Access, Resource},
        permission::{Level, Risk},
    },
    process::{
        program,
        spawn::{End, Owner, ShellCommand, run_asking},
    },
    text::truncate::by_characters,
    tools::{
        context::ToolContext,
        contract::{About, Tool},
        enclosure,
        error::ToolError,
        output::ToolOutput,
        shell::{answer::answer, denials},
    },
};

/// The most bytes of code and input together.
const LARGEST: usize = 4 << 20;

/// The tool.
pub(super) struct CodeExecute;

/// Code.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// The language.
    language: Language,
    /// The code. Print what you want to know.
    code: String,
    /// What the code finds on its standard input.
    #[serde(default)]
    #[schemars(extend("x-blank" = true))]
    input: String,
    /// Time limit in milliseconds; the whole process tree is ended then and what it printed is kept. Left out, the
    /// limit of commands holds (120000 unless it was changed). The time of calls of tools does not count.
    timeout_ms: Option<u64>,
    /// The most characters of output that you get.
    #[schemars(range(min = 1_000))]
    max_output_chars: Option<usize>,
}

impl Tool for CodeExecute {
    type Arguments = Arguments;

    const ABOUT: About = About {
        name: "code_execute",
        aliases: &["execute_code"],
        argument_aliases: &[("timeout", "timeout_ms"), ("stdin", "input")],
        verb: "run code",
        description: "Runs Python or JavaScript and returns what it printed.\n\
            Use it where one program is better than many calls: to compute, to go through many files, to change them \
            by a pattern. It runs in the working directory, in the sandbox of commands. In it, tool(\"file_read\", \
            {\"path\": \"a.txt\"}) calls a tool and returns its text, or raises ToolError when that is refused or \
            fails; file_read, file_edit, file_write, file_find, file_search and shell_inspect can be called, up to 200 \
            times. Each call needs the same permission as yours.",
        subject: "code",
        editable: Some("code"),
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
                command: arguments.language.line(&arguments.code),
            }],
            level,
            risk,
        }
    }

    async fn run(arguments: Arguments, context: ToolContext) -> Result<ToolOutput, ToolError> {
        let language = arguments.language;
        let found = tokio::task::spawn_blocking(move || program::find(language.program(), &[]));
        let found = found
            .await
            .map_err(|error| ToolError::Fatal(error.to_string()))?;
        if found.is_none() {
            return Err(ToolError::model(format!(
                "code_execute: there is no {} on this machine's search path; use {} or shell_execute",
                language.program(),
                language.other()
            )));
        }
        if arguments.code.len() + arguments.input.len() > LARGEST {
            return Err(ToolError::model(
                "code_execute: code and input are over 4 MiB together; put what it reads into a file",
            ));
        }
        let settings = &context.settings;
        let spec = ShellCommand {
            program: language.start(&arguments.code, &arguments.input),
            command: arguments.code,
            cwd: context.cwd.clone(),
            timeout: arguments
                .timeout_ms
                .map_or(settings.shell_timeout, Duration::from_millis)
                .min(settings.shell_timeout_max),
            spool: settings.spool.clone(),
            own_keys: settings.secret_variables.clone(),
            owner: Owner {
                session: context.session.clone(),
                agent: context.agent.clone(),
            },
            sandbox: enclosure::policy(&context).await?,
        };
        let live = |piece: &str| context.host.progress(&context.agent, &context.call, piece);
        let bridge = Bridge::new(context.clone());
        let finished = run_asking(&spec, &context.cancel, &live, &bridge)
            .await
            .map_err(|error| ToolError::model(error.to_string()))?;
        let cancelled = finished.end == End::Cancelled;
        let denied = spec
            .sandbox
            .as_ref()
            .map(|policy| denials::notes(&context, policy, &finished))
            .unwrap_or_default();
        let mut output = answer(&spec, finished, Some(settings.shell_timeout_max), denied);
        if let Some(most) = arguments.max_output_chars {
            let ends = by_characters(&output.text, most / 2, most - most / 2).joined();
            output.text = ends.into_owned();
        }
        if cancelled {
            return Err(ToolError::Interrupted(Box::new(output)));
        }
        Ok(output)
    }
}
