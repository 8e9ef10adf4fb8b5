//! A declared tool as the registry stores it: judged as the command line that it runs, and held as commands are.

use std::time::Duration;

use futures::future::BoxFuture;
use serde_json::Value;

use super::values;
use crate::{
    domain::{
        access::{Access, Resource},
        declared::{DeclaredTool, OutputForm},
        display::Display,
        permission::{Level, Risk},
        tool::ToolSpec,
    },
    permission::shell::quoted,
    process::{
        program::Program,
        spawn::{End, Owner, ShellCommand, run},
    },
    tools::{
        context::ToolContext,
        contract::{About, AnyTool, Concurrency, Preview},
        enclosure,
        error::ToolError,
        output::ToolOutput,
        shell::{answer::answer, denials},
    },
};

/// A tool of the configuration.
pub(super) struct Declared {
    about: About,
    description: DeclaredTool,
}

impl Declared {
    /// The tool of a description. Its names last as long as the program, as it does itself.
    pub(super) fn new(description: DeclaredTool) -> Self {
        let lasting = |text: &str| -> &'static str { String::leak(text.to_owned()) };
        let first = description.parameters.first();
        let about = About {
            name: lasting(&description.name),
            aliases: &[],
            argument_aliases: &[],
            verb: "run a declared tool",
            description: lasting(&description.description),
            subject: first.map_or("", |parameter| lasting(&parameter.name)),
            editable: None,
        };
        Self { about, description }
    }

    /// Whether this is the tool of a description.
    pub(super) fn is(&self, description: &DeclaredTool) -> bool {
        self.description == *description
    }

    fn argv(&self, arguments: &Value) -> Vec<String> {
        self.description.argv(&values::texts(arguments))
    }

    fn input(&self, arguments: &Value) -> Option<String> {
        self.description.reads(&values::texts(arguments), arguments)
    }

    /// The line of bash that does what is run, by which it is judged and shown.
    fn runs(&self, arguments: &Value) -> String {
        let line = quoted(&self.argv(arguments));
        match self.input(arguments) {
            Some(input) => format!("{line} <<< {}", quoted(&[input])),
            None => line,
        }
    }
}

impl AnyTool for Declared {
    fn about(&self) -> About {
        self.about
    }

    fn declared(&self) -> Option<&DeclaredTool> {
        Some(&self.description)
    }

    fn line(&self, arguments: &Value) -> Option<String> {
        Some(self.runs(arguments))
    }

    fn needs(&self, held: bool) -> (Level, Risk) {
        let level = if held {
            Level::Read
        } else {
            Level::Unrestricted
        };
        (level.max(self.description.level), Risk::Execution)
    }

    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: self.description.name.clone(),
            description: values::description(&self.description),
            schema: values::schema(&self.description),
        }
    }

    fn check(&self, arguments: &Value) -> Result<Value, ToolError> {
        values::read(&self.description, arguments).map_err(ToolError::model)
    }

    fn access(&self, arguments: &Value, context: &ToolContext) -> Result<Access, ToolError> {
        let (level, risk) = self.needs(context.reach.sandbox.enforced().is_some());
        Ok(Access {
            resources: vec![Resource::Shell {
                command: self.runs(arguments),
            }],
            level,
            risk,
        })
    }

    fn concurrency(&self, _: &Value, _: &ToolContext) -> Result<Concurrency, ToolError> {
        Ok(Concurrency::Parallel)
    }

    fn preview(
        &self,
        _: Value,
        _: ToolContext,
    ) -> BoxFuture<'static, Result<Option<Preview>, ToolError>> {
        Box::pin(std::future::ready(Ok(None)))
    }

    fn run(
        &self,
        arguments: Value,
        context: ToolContext,
    ) -> BoxFuture<'static, Result<ToolOutput, ToolError>> {
        let settings = &context.settings;
        let argv = self.argv(&arguments);
        let program = Program::Words(argv.clone());
        let limit = self.description.timeout_ms.map(Duration::from_millis);
        let spec = ShellCommand {
            command: self.runs(&arguments),
            program: match self.input(&arguments) {
                Some(input) => program.reading(input),
                None => program,
            },
            cwd: context.cwd.clone(),
            timeout: limit
                .unwrap_or(settings.shell_timeout)
                .min(settings.shell_timeout_max),
            spool: settings.spool.clone(),
            own_keys: settings.secret_variables.clone(),
            owner: Owner {
                session: context.session.clone(),
                agent: context.agent.clone(),
            },
            sandbox: None,
        };
        let form = self.description.output;
        Box::pin(execute(spec, argv, form, context))
    }
}

async fn execute(
    spec: ShellCommand,
    argv: Vec<String>,
    form: OutputForm,
    context: ToolContext,
) -> Result<ToolOutput, ToolError> {
    let spec = ShellCommand {
        sandbox: enclosure::policy(&context).await?,
        ..spec
    };
    let live = |piece: &str| context.host.progress(&context.agent, &context.call, piece);
    let finished = run(&spec, &context.cancel, &live).await.map_err(|error| {
        let program = argv.first().map_or("", String::as_str);
        ToolError::model(format!("{program} cannot be started: {error}"))
    })?;
    let ended_well = finished.end == End::Exited(0);
    let cancelled = finished.end == End::Cancelled;
    let denied = spec
        .sandbox
        .as_ref()
        .map(|policy| denials::notes(&context, policy, &finished))
        .unwrap_or_default();
    let mut output = answer(&spec, finished, None, denied);
    if form == OutputForm::Markdown
        && ended_well
        && let Display::Terminal {
            output: printed, ..
        } = &output.display
    {
        output.display = Display::Markdown {
            text: printed.clone(),
        };
    }
    if cancelled {
        return Err(ToolError::Interrupted(Box::new(output)));
    }
    Ok(output)
}
