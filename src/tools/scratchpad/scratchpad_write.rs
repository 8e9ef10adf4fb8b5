//! Stores a named note; an entry of the same name is replaced.

use schemars::JsonSchema;
use serde::Deserialize;

use super::name;
use crate::{
    domain::{access::Access, scratchpad::ScratchpadOrigin},
    tools::{
        context::ToolContext,
        contract::{About, Concurrency, Tool},
        error::ToolError,
        output::ToolOutput,
    },
};

/// The tool.
pub(super) struct ScratchpadWrite;

/// What to store.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// Name of the entry, one line. An entry of the same name is overwritten.
    name: String,
    /// The content to store.
    #[schemars(extend("x-blank" = true))]
    content: String,
}

impl Tool for ScratchpadWrite {
    type Arguments = Arguments;

    const ABOUT: About = About {
        name: "scratchpad_write",
        aliases: &[],
        argument_aliases: &[("text", "content"), ("key", "name")],
        verb: "write to the scratchpad",
        description: "Stores a text in the session's scratchpad under a name, outside your context window.\n\
                      Use it for results that you will need later or want to hand to a sub-agent. It overwrites an \
                      entry of the same name.",
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
        let info = context
            .host
            .scratchpad_write(
                &context.agent,
                name,
                arguments.content,
                ScratchpadOrigin::Agent,
            )
            .await?;
        Ok(
            ToolOutput::text(format!("Stored `{}` ({} bytes).", info.name, info.bytes))
                .with_outcome(format!("{} bytes", info.bytes)),
        )
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::ScratchpadWrite;
    use crate::tools::fake_host::{FakeHost, call};

    #[tokio::test]
    async fn it_stores_and_overwrites() {
        let (host, context) = FakeHost::new();

        for content in ["first", "", "third one"] {
            let output =
                call::<ScratchpadWrite>(&context, json!({"name": " plan ", "content": content}))
                    .await;

            assert_eq!(
                output.unwrap().text,
                format!("Stored `plan` ({} bytes).", content.len())
            );
        }

        let state = host.state();
        let entries: Vec<_> = state
            .entries
            .iter()
            .map(|entry| (entry.info.name.as_str(), entry.content.as_str()))
            .collect();
        assert_eq!(entries, [("plan", "third one")]);
    }

    #[tokio::test]
    async fn a_name_that_could_not_be_shown_is_refused() {
        let (host, context) = FakeHost::new();

        let lines =
            call::<ScratchpadWrite>(&context, json!({"name": "a\nb", "content": "x"})).await;
        let long =
            call::<ScratchpadWrite>(&context, json!({"name": "a".repeat(121), "content": "x"}))
                .await;

        assert_eq!(
            lines,
            Err("scratchpad_write: `name` must be one line without control characters".to_owned())
        );
        assert_eq!(
            long,
            Err("scratchpad_write: `name` has 121 characters; at most 120 are possible".to_owned())
        );
        assert!(host.state().entries.is_empty());
    }
}
