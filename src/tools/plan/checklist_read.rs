//! Returns what remains on the agent's checklist.

use schemars::JsonSchema;
use serde::Deserialize;

use super::listing;
use crate::{
    domain::access::Access,
    tools::{
        context::ToolContext,
        contract::{About, Tool},
        error::ToolError,
        output::ToolOutput,
    },
};

/// The tool.
pub(super) struct ChecklistRead;

/// Takes nothing.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {}

impl Tool for ChecklistRead {
    type Arguments = Arguments;

    const ABOUT: About = About {
        name: "checklist_read",
        aliases: &["todo_read"],
        argument_aliases: &[],
        verb: "read the checklist",
        description: "Returns your checklist: what remains, with the ids that checklist_edit needs.",
        subject: "",
        editable: None,
    };

    fn access(_arguments: &Arguments, _context: &ToolContext) -> Access {
        Access::session_only()
    }

    async fn run(_arguments: Arguments, context: ToolContext) -> Result<ToolOutput, ToolError> {
        let list = context.host.checklist(&context.agent).await?;
        Ok(listing::answer("", &list))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::ChecklistRead;
    use crate::{
        domain::{
            checklist::{ItemChange, ItemStatus},
            display::Display,
        },
        tools::fake_host::{FakeHost, call},
    };

    #[tokio::test]
    async fn it_shows_the_model_what_remains_and_the_person_everything() {
        let (host, context) = FakeHost::new();
        {
            let list = &mut host.state().checklist;
            list.add("find it", ItemStatus::Pending);
            list.add("mend it", ItemStatus::InProgress);
            list.add("tell", ItemStatus::Pending);
            let change = |status, reason: Option<&str>| ItemChange {
                status: Some(status),
                reason: reason.map(str::to_owned),
                text: None,
            };
            list.edit(1, &change(ItemStatus::Completed, None)).unwrap();
            list.edit(3, &change(ItemStatus::Deferred, Some("after lunch")))
                .unwrap();
        }

        let output = call::<ChecklistRead>(&context, json!({})).await.unwrap();

        assert_eq!(
            output.text,
            "Remaining (2):\n2. [in_progress] mend it\n3. [deferred] tell (after lunch)"
        );
        assert_eq!(output.outcome, "1 of 3 done");
        assert_eq!(
            output.display,
            Display::Checklist(host.state().checklist.clone())
        );
    }

    #[tokio::test]
    async fn an_empty_list_says_so_and_arguments_are_refused() {
        let (_host, context) = FakeHost::new();

        let output = call::<ChecklistRead>(&context, json!({})).await.unwrap();
        let refusal = call::<ChecklistRead>(&context, json!({"id": 1})).await;

        assert_eq!(output.text, "Nothing remains on the checklist.");
        assert_eq!(
            refusal,
            Err("checklist_read: unknown argument `id`. It takes none.".to_owned())
        );
    }
}
