//! Deletes an entry.

use schemars::JsonSchema;
use serde::Deserialize;

use super::name;
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
pub(super) struct ScratchpadDelete;

/// What to delete.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// Name of the entry.
    name: String,
}

impl Tool for ScratchpadDelete {
    type Arguments = Arguments;

    const ABOUT: About = About {
        name: "scratchpad_delete",
        aliases: &[],
        argument_aliases: &[("key", "name")],
        verb: "delete from the scratchpad",
        description: "Deletes an entry of the session's scratchpad.",
        subject: "name",
        editable: None,
    };

    fn access(_arguments: &Arguments, _context: &ToolContext) -> Access {
        Access::session_only()
    }

    fn concurrency(arguments: &Arguments, _context: &ToolContext) -> Concurrency {
        name::one_by_one(&arguments.name)
    }

    async fn run(arguments: Arguments, context: ToolContext) -> Result<ToolOutput, ToolError> {
        let name = name::fit(Self::ABOUT.name, &arguments.name)?;
        if !context.host.scratchpad_delete(&context.agent, name).await? {
            let entries = context.host.scratchpad_list(&context.agent).await?;
            return Err(name::unknown(Self::ABOUT.name, name, &entries));
        }
        Ok(ToolOutput::text(format!("Deleted `{name}`.")).with_outcome("deleted"))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::ScratchpadDelete;
    use crate::{
        domain::scratchpad::ScratchpadOrigin,
        tools::fake_host::{FakeHost, call},
    };

    #[tokio::test]
    async fn it_deletes_one_and_says_when_there_is_none() {
        let (host, context) = FakeHost::new();
        host.note("log", "x", ScratchpadOrigin::Agent);
        host.note("plan", "y", ScratchpadOrigin::Agent);

        let gone = call::<ScratchpadDelete>(&context, json!({"name": " log "})).await;
        let again = call::<ScratchpadDelete>(&context, json!({"name": "log"})).await;

        assert_eq!(gone.unwrap().text, "Deleted `log`.");
        assert_eq!(
            again.unwrap_err(),
            "scratchpad_delete: there is no entry `log`; the entries are plan"
        );
        assert_eq!(host.state().entries.len(), 1);
    }
}
