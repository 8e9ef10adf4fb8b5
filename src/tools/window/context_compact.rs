//! Asks for room in the agent's window before its next request.

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
pub(super) struct ContextCompact;

/// How.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// What to preserve or to drop. Rules, authorisations and commitments are preserved in any case.
    #[serde(default)]
    instructions: String,
    /// Whether the latest messages may stay as they are. Default: true.
    #[serde(default = "yes")]
    keep_recent: bool,
}

fn yes() -> bool {
    true
}

impl Tool for ContextCompact {
    type Arguments = Arguments;

    const ABOUT: About = About {
        name: "context_compact",
        aliases: &[],
        argument_aliases: &[],
        verb: "make room in the context window",
        description: "Has the older part of your context window replaced by a summary before your next step.\n\
                      It happens once the calls of this step are done; one request is honoured per turn. Nothing is \
                      lost: the session keeps everything.",
        subject: "instructions",
        editable: None,
    };

    fn access(_arguments: &Arguments, _context: &ToolContext) -> Access {
        Access::session_only()
    }

    fn concurrency(_arguments: &Arguments, _context: &ToolContext) -> Concurrency {
        Concurrency::Exclusive
    }

    async fn run(arguments: Arguments, context: ToolContext) -> Result<ToolOutput, ToolError> {
        context.host.compact(
            &context.agent,
            arguments.instructions,
            arguments.keep_recent,
        );
        Ok(ToolOutput::text(
            "Room is made before your next step, once in a turn.".to_owned(),
        ))
    }
}
