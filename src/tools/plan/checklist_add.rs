//! Appends items to the agent's checklist, all or none.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::Value;

use super::listing;
use crate::{
    domain::{access::Access, checklist::ItemStatus},
    tools::{
        context::ToolContext,
        contract::{About, Concurrency, Tool},
        error::ToolError,
        host::ChecklistEdit,
        output::ToolOutput,
    },
};

/// The tool.
pub(super) struct ChecklistAdd;

/// What to add.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// The items, in order. Each is a text (added as pending) or an object {text, status} with status pending or
    /// in_progress.
    items: Vec<NewItem>,
}

/// A text, or a text with a status.
#[derive(Deserialize)]
#[serde(try_from = "Value")]
struct NewItem {
    text: String,
    status: ItemStatus,
}

impl TryFrom<Value> for NewItem {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        const WANTED: &str = "an item must be a text or an object {text, status}";
        let (text, status) = match value {
            Value::String(text) => (text, ItemStatus::Pending),
            Value::Object(mut fields) => {
                let Some(Value::String(text)) = fields.remove("text") else {
                    return Err(format!("{WANTED}, and the object has no text"));
                };
                let status = match fields.remove("status") {
                    None | Some(Value::Null) => ItemStatus::Pending,
                    Some(Value::String(name)) if name == "pending" => ItemStatus::Pending,
                    Some(Value::String(name)) if name == "in_progress" => ItemStatus::InProgress,
                    Some(other) => {
                        return Err(format!("a new item is pending or in_progress, not {other}"));
                    }
                };
                if let Some(unknown) = fields.keys().next() {
                    return Err(format!("{WANTED}, and `{unknown}` is neither"));
                }
                (text, status)
            }
            other => return Err(format!("{WANTED}, not {other}")),
        };
        if text.trim().is_empty() {
            return Err("an item has no text".to_owned());
        }
        Ok(Self { text, status })
    }
}

impl JsonSchema for NewItem {
    fn schema_name() -> Cow<'static, str> {
        "NewItem".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "anyOf": [
                { "type": "string" },
                {
                    "type": "object",
                    "properties": {
                        "text": { "type": "string" },
                        "status": { "type": "string", "enum": ["pending", "in_progress"] }
                    },
                    "required": ["text"]
                }
            ]
        })
    }
}

impl Tool for ChecklistAdd {
    type Arguments = Arguments;

    const ABOUT: About = About {
        name: "checklist_add",
        aliases: &["todo_add"],
        argument_aliases: &[("todos", "items"), ("tasks", "items")],
        verb: "add to the checklist",
        description: "Appends items to your checklist, the list of what you have committed to do in this turn.\n\
                      A turn does not end while an item is pending or in progress. Use it for work of three steps or \
                      more, before you begin. Returns the new ids and what remains.",
        subject: "items",
        editable: None,
    };

    fn access(_arguments: &Arguments, _context: &ToolContext) -> Access {
        Access::session_only()
    }

    fn concurrency(_arguments: &Arguments, _context: &ToolContext) -> Concurrency {
        Concurrency::Keyed("checklist".to_owned())
    }

    async fn run(arguments: Arguments, context: ToolContext) -> Result<ToolOutput, ToolError> {
        if arguments.items.is_empty() {
            return Err(ToolError::model(
                "checklist_add: `items` is empty; give at least one text",
            ));
        }
        let items = arguments
            .items
            .into_iter()
            .map(|item| (item.text, item.status))
            .collect();
        let (list, ids) = context
            .host
            .edit_checklist(&context.agent, ChecklistEdit::Add(items))
            .await?;
        let ids: Vec<String> = ids.iter().map(u32::to_string).collect();
        Ok(listing::answer(
            &format!("Added {}.", ids.join(", ")),
            &list,
        ))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::ChecklistAdd;
    use crate::tools::{
        contract::{AnyTool, Typed},
        fake_host::{FakeHost, call},
    };

    async fn check(arguments: Value, expected: Result<&str, &str>) {
        let (host, context) = FakeHost::new();

        let answer = call::<ChecklistAdd>(&context, arguments).await;

        let text = answer.as_ref().map(|output| output.text.as_str());
        assert_eq!(text.map_err(String::as_str), expected);
        assert_eq!(host.state().checklist.items.is_empty(), expected.is_err());
    }

    #[tokio::test]
    async fn it_takes_texts_and_objects_and_one_bare_text() {
        check(
            json!({"items": ["look\n  around", {"text": "mend it", "status": "in_progress"}]}),
            Ok("Added 1, 2.\nRemaining (2):\n1. [pending] look around\n2. [in_progress] mend it"),
        )
        .await;
        check(
            json!({"todos": "look around"}),
            Ok("Added 1.\nRemaining (1):\n1. [pending] look around"),
        )
        .await;
    }

    #[tokio::test]
    async fn one_wrong_item_refuses_the_whole_call() {
        check(
            json!({"items": ["fine", {"text": "done before", "status": "completed"}]}),
            Err("checklist_add: `items[1]`: a new item is pending or in_progress, not \"completed\""),
        )
        .await;
        check(
            json!({"items": ["fine", {"text": "x", "owner": "me"}]}),
            Err(
                "checklist_add: `items[1]`: an item must be a text or an object {text, status}, and `owner` is neither",
            ),
        )
        .await;
        check(
            json!({"items": ["fine", 7]}),
            Err("checklist_add: `items[1]`: an item must be a text or an object {text, status}, not 7"),
        )
        .await;
        check(
            json!({"items": []}),
            Err("checklist_add: `items` is empty; give at least one text"),
        )
        .await;
    }

    #[test]
    fn its_schema_says_both_forms() {
        let schema = Typed::<ChecklistAdd>::new().spec().schema;

        let forms = &schema["properties"]["items"]["items"]["anyOf"];
        assert_eq!(forms[0]["type"], "string");
        assert_eq!(forms[1]["required"], json!(["text"]));
    }
}
