//! Hands in the summary that stands for what the agent's window holds, when the program asks for one.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    domain::access::Access,
    tools::{
        context::ToolContext,
        contract::{About, Concurrency, Tool},
        error::ToolError,
        output::ToolOutput,
    },
};

/// The tool.
pub(super) struct ContextReplace;

/// The summary.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// Everything that you need from now on, in four parts: rules and authorisations, commitments, facts, next.
    summary: String,
}

impl Tool for ContextReplace {
    type Arguments = Arguments;

    const ABOUT: About = About {
        name: "context_replace",
        aliases: &[],
        argument_aliases: &[],
        verb: "replace the context",
        description: "Hands in your summary when the program makes room in your context window.\n\
                      Refused at any other time: context_compact asks for room.",
        subject: "",
        editable: None,
    };

    fn access(_arguments: &Arguments, _context: &ToolContext) -> Access {
        Access::session_only()
    }

    fn concurrency(_arguments: &Arguments, _context: &ToolContext) -> Concurrency {
        Concurrency::Exclusive
    }

    async fn run(arguments: Arguments, context: ToolContext) -> Result<ToolOutput, ToolError> {
        context
            .host
            .replace_context(&context.agent, arguments.summary)?;
        Ok(ToolOutput::text("The summary is taken.".to_owned()))
    }
}
