//! Gives an entry another name.

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
pub(super) struct ScratchpadRename;

/// Which entry, and its new name.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// Present name of the entry.
    old: String,
    /// New name, which no entry has yet.
    new: String,
}

impl Tool for ScratchpadRename {
    type Arguments = Arguments;

    const ABOUT: About = About {
        name: "scratchpad_rename",
        aliases: &[],
        argument_aliases: &[("name", "old"), ("new_name", "new"), ("to", "new")],
        verb: "rename a scratchpad entry",
        description: "Gives an entry of the session's scratchpad another name; its content does not pass through the \
                      conversation.",
        subject: "old",
        editable: None,
    };

    fn access(_arguments: &Arguments, _context: &ToolContext) -> Access {
        Access::session_only()
    }

    fn concurrency(_arguments: &Arguments, _context: &ToolContext) -> Concurrency {
        // Two names take part, and another call may be about either.
        Concurrency::Exclusive
    }

    async fn run(arguments: Arguments, context: ToolContext) -> Result<ToolOutput, ToolError> {
        let tool = Self::ABOUT.name;
        let old = name::fit_as(tool, "old", &arguments.old)?;
        let new = name::fit_as(tool, "new", &arguments.new)?;
        let entries = context.host.scratchpad_list(&context.agent).await?;
        if !entries.iter().any(|entry| entry.name == old) {
            return Err(name::unknown(tool, old, &entries));
        }
        if entries.iter().any(|entry| entry.name == new) {
            return Err(ToolError::model(format!(
                "{tool}: there is an entry `{new}` already; choose another name or delete it first"
            )));
        }
        context
            .host
            .scratchpad_rename(&context.agent, old, new)
            .await?;
        Ok(ToolOutput::text(format!("Renamed `{old}` to `{new}`.")).with_outcome(new))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::ScratchpadRename;
    use crate::{
        domain::scratchpad::ScratchpadOrigin,
        tools::fake_host::{FakeHost, call},
    };

    #[tokio::test]
    async fn it_renames_to_a_free_name_only() {
        let (host, context) = FakeHost::new();
        host.note("log", "x", ScratchpadOrigin::Agent);
        host.note("plan", "y", ScratchpadOrigin::Agent);

        let done =
            call::<ScratchpadRename>(&context, json!({"old": "log", "new": "build log"})).await;
        let taken =
            call::<ScratchpadRename>(&context, json!({"old": "build log", "new": "plan"})).await;
        let none = call::<ScratchpadRename>(&context, json!({"old": "log", "new": "x"})).await;
        let unfit = call::<ScratchpadRename>(&context, json!({"old": "plan", "new": "a\nb"})).await;

        assert_eq!(done.unwrap().text, "Renamed `log` to `build log`.");
        assert_eq!(
            taken.unwrap_err(),
            "scratchpad_rename: there is an entry `plan` already; choose another name or delete it first"
        );
        assert_eq!(
            none.unwrap_err(),
            "scratchpad_rename: there is no entry `log`; the entries are build log, plan"
        );
        assert_eq!(
            unfit.unwrap_err(),
            "scratchpad_rename: `new` must be one line without control characters"
        );
    }
}
