//! Replaces the checklist of the session's goal, all of it or nothing.

use schemars::JsonSchema;
use serde::Deserialize;

use super::listing;
use crate::{
    domain::access::Access,
    tools::{
        context::ToolContext,
        contract::{About, Concurrency, Tool},
        error::ToolError,
        host::ChecklistEdit,
        output::ToolOutput,
    },
};

/// The tool.
pub(super) struct GoalUpdate;

/// The whole list.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// Every item of the checklist in order, finished ones included: what is left out is gone. An empty list clears it.
    items: Vec<Item>,
}

/// An item.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct Item {
    /// What is to be done, in one line.
    description: String,
    /// Whether it is done and you have seen that it is.
    finished: bool,
}

impl Tool for GoalUpdate {
    type Arguments = Arguments;

    const ABOUT: About = About {
        name: "goal_update",
        aliases: &[],
        argument_aliases: &[],
        verb: "change the goal's checklist",
        description: "Replaces the whole checklist of the goal that the person set, which is the same as yours.\n\
                      Mark an item finished only when you have seen evidence for it. When every item is finished, the \
                      goal is reached; an empty list reaches nothing. You cannot change the objective.",
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
        let open = context
            .host
            .goal()
            .is_some_and(|goal| goal.status.is_open());
        if !open {
            return Err(ToolError::model(
                "goal_update: there is no goal to work on: the person has set none, or it is completed or cancelled",
            ));
        }
        let items = arguments
            .items
            .into_iter()
            .map(|item| (item.description, item.finished))
            .collect();
        let (list, _) = context
            .host
            .edit_checklist(&context.agent, ChecklistEdit::Replace(items))
            .await?;
        match context.host.goal() {
            Some(goal) => Ok(listing::goal(&goal, &list)),
            None => Ok(listing::answer("", &list)),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::GoalUpdate;
    use crate::{
        domain::{
            checklist::ItemStatus,
            goal::{Goal, GoalStatus},
        },
        tools::{
            contract::{AnyTool, Typed},
            fake_host::{FakeHost, call},
        },
    };

    async fn check(status: Option<GoalStatus>, arguments: Value, expected: Result<&str, &str>) {
        let (host, context) = FakeHost::new();
        host.state().checklist.add("find", ItemStatus::InProgress);
        host.state().goal = status.map(|status| Goal {
            status,
            ..Goal::new("green").unwrap()
        });
        let before = host.state().checklist.clone();

        let answer = call::<GoalUpdate>(&context, arguments).await;

        let text = answer.as_ref().map(|output| output.text.as_str());
        assert_eq!(text.map_err(String::as_str), expected);
        assert_eq!(host.state().checklist == before, expected.is_err());
    }

    #[tokio::test]
    async fn the_list_is_replaced_while_the_goal_is_open() {
        let items = json!({"items": [
            {"description": "find", "finished": true},
            {"description": "mend\nit", "finished": false},
        ]});
        check(
            Some(GoalStatus::Paused),
            items.clone(),
            Ok("The goal is paused.\nObjective:\ngreen\nChecklist:\n1. [completed] find\n2. [pending] mend it"),
        )
        .await;
        check(
            Some(GoalStatus::Active),
            json!({"items": []}),
            Ok("The goal is active.\nObjective:\ngreen\nThe checklist is empty."),
        )
        .await;
        let refusal = "goal_update: there is no goal to work on: the person has set none, or it is completed or cancelled";
        for status in [
            None,
            Some(GoalStatus::Completed),
            Some(GoalStatus::Cancelled),
        ] {
            check(status, items.clone(), Err(refusal)).await;
        }
    }

    #[tokio::test]
    async fn one_blank_item_refuses_the_whole_call() {
        check(
            Some(GoalStatus::Active),
            json!({"items": [{"description": "x", "finished": true}, {"description": " \n", "finished": false}]}),
            Err("goal_update: `items[1].description` is blank; it must be text"),
        )
        .await;
    }

    #[test]
    fn its_schema_says_what_an_item_is() {
        let schema = Typed::<GoalUpdate>::new().spec().schema;

        let item = &schema["properties"]["items"]["items"];
        assert_eq!(item["required"], json!(["description", "finished"]));
    }
}
