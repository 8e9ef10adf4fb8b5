//! Changes one item of the agent's checklist. One wrong part refuses the whole call.

use schemars::JsonSchema;
use serde::Deserialize;

use super::listing;
use crate::{
    domain::{
        access::Access,
        checklist::{ItemChange, ItemStatus},
    },
    text::truncate::head,
    tools::{
        context::ToolContext,
        contract::{About, Concurrency, Tool},
        error::ToolError,
        host::ChecklistEdit as Edit,
        output::ToolOutput,
    },
};

/// Columns of an item's words beside its new status.
const WORDS: usize = 32;

/// The tool.
pub(super) struct ChecklistEdit;

/// What to change.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// The item's id, as the list shows it.
    #[schemars(range(min = 1))]
    id: u32,
    /// Its new status. completed and canceled items leave the list.
    status: Option<ItemStatus>,
    /// Why, in one line: required with deferred and canceled, refused otherwise.
    reason: Option<String>,
    /// New words for the item, in one line.
    text: Option<String>,
}

impl Tool for ChecklistEdit {
    type Arguments = Arguments;

    const ABOUT: About = About {
        name: "checklist_edit",
        aliases: &["todo_edit", "todo_update"],
        argument_aliases: &[("item", "id")],
        verb: "change the checklist",
        description: "Changes one item of your checklist: its status, its words, or both.\n\
                      Set an item in_progress when you begin it and completed as soon as it is done. Returns what \
                      remains.",
        subject: "id",
        editable: None,
    };

    fn access(_arguments: &Arguments, _context: &ToolContext) -> Access {
        Access::session_only()
    }

    fn concurrency(_arguments: &Arguments, _context: &ToolContext) -> Concurrency {
        Concurrency::Keyed("checklist".to_owned())
    }

    async fn run(arguments: Arguments, context: ToolContext) -> Result<ToolOutput, ToolError> {
        let Arguments {
            id,
            status,
            reason,
            text,
        } = arguments;
        if status.is_none() && reason.is_none() && text.is_none() {
            return Err(ToolError::model(
                "checklist_edit: nothing to change; give status, reason or text",
            ));
        }
        let change = ItemChange {
            status,
            reason,
            text,
        };
        let (list, _) = context
            .host
            .edit_checklist(&context.agent, Edit::Edit(id, change))
            .await
            .map_err(|error| match error {
                ToolError::ForModel(text) => ToolError::ForModel(format!("checklist_edit: {text}")),
                other => other,
            })?;
        let item = list.items.iter().find(|item| item.id == id);
        let status = item.map_or("changed", |item| item.status.name());
        let words = item.map_or("", |item| item.text.as_str());
        // The person reads which item it was, not only its number.
        let outcome = format!(
            "{status}: {} · {}",
            head(words, WORDS),
            listing::count(&list)
        );
        Ok(listing::answer(&format!("Item {id} is {status}."), &list).with_outcome(outcome))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::ChecklistEdit;
    use crate::{
        domain::checklist::ItemStatus,
        tools::fake_host::{FakeHost, call},
    };

    async fn check(arguments: Value, expected: Result<&str, &str>) {
        let (host, context) = FakeHost::new();
        host.state().checklist.add("find it", ItemStatus::Pending);
        host.state().checklist.add("mend it", ItemStatus::Pending);
        let before = host.state().checklist.clone();

        let answer = call::<ChecklistEdit>(&context, arguments).await;

        let text = answer.as_ref().map(|output| output.text.as_str());
        assert_eq!(text.map_err(String::as_str), expected);
        assert_eq!(host.state().checklist == before, expected.is_err());
    }

    #[tokio::test]
    async fn a_completed_item_leaves_what_the_model_sees() {
        check(
            json!({"id": 1, "status": "completed"}),
            Ok("Item 1 is completed.\nRemaining (1):\n2. [pending] mend it"),
        )
        .await;
    }

    #[tokio::test]
    async fn a_person_reads_which_item_changed_and_given_up_items_are_not_counted() {
        let (host, context) = FakeHost::new();
        host.state().checklist.add("find it", ItemStatus::Pending);
        host.state().checklist.add("mend it", ItemStatus::Pending);

        let arguments = json!({"id": 2, "status": "canceled", "reason": "no need"});
        let answer = call::<ChecklistEdit>(&context, arguments).await.unwrap();

        assert_eq!(answer.outcome, "canceled: mend it · 0 of 1 done");
    }

    #[tokio::test]
    async fn status_words_and_reason_change_together() {
        check(
            json!({"id": 2.0, "status": "deferred", "reason": "waits\nfor the build", "text": "mend all of it"}),
            Ok(
                "Item 2 is deferred.\nRemaining (2):\n1. [pending] find it\n2. [deferred] mend all of it (waits for the build)",
            ),
        )
        .await;
    }

    #[tokio::test]
    async fn one_wrong_part_refuses_the_whole_call() {
        check(
            json!({"id": 1, "status": "canceled", "text": "other"}),
            Err("checklist_edit: status canceled needs a reason"),
        )
        .await;
        check(
            json!({"id": 1, "status": "completed", "reason": "done", "text": "other"}),
            Err("checklist_edit: a reason belongs to deferred and canceled only, not to completed"),
        )
        .await;
        check(
            json!({"id": 9, "status": "completed"}),
            Err("checklist_edit: there is no item 9; the items are 1, 2"),
        )
        .await;
        check(
            json!({"id": 1}),
            Err("checklist_edit: nothing to change; give status, reason or text"),
        )
        .await;
        check(
            json!({"id": 1, "status": "done"}),
            Err(
                "checklist_edit: `status` must be one of \"pending\", \"in_progress\", \"deferred\", \"completed\", \"canceled\", but the text \"done\" was sent",
            ),
        )
        .await;
    }
}
