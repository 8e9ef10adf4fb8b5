//! Returns the session's goal with its whole checklist.

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
pub(super) struct GoalGet;

/// Takes nothing.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {}

impl Tool for GoalGet {
    type Arguments = Arguments;

    const ABOUT: About = About {
        name: "goal_get",
        aliases: &[],
        argument_aliases: &[],
        verb: "read the goal",
        description: "Returns the goal that the person set: its objective, how it stands, and the whole checklist, \
                      which is the same as yours.",
        subject: "",
        editable: None,
    };

    fn access(_arguments: &Arguments, _context: &ToolContext) -> Access {
        Access::session_only()
    }

    async fn run(_arguments: Arguments, context: ToolContext) -> Result<ToolOutput, ToolError> {
        let list = context.host.checklist(&context.agent).await?;
        match context.host.goal() {
            Some(goal) => Ok(listing::goal(&goal, &list)),
            None => Err(ToolError::model(
                "goal_get: the person has set no goal; only they can set one",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::GoalGet;
    use crate::{
        domain::{checklist::ItemStatus, goal::Goal},
        tools::fake_host::{FakeHost, call},
    };

    #[tokio::test]
    async fn it_tells_the_objective_and_every_item() {
        let (host, context) = FakeHost::new();
        host.state().goal = Some(Goal::new("green tests\nby noon").unwrap());
        let empty = call::<GoalGet>(&context, json!({})).await.unwrap();
        host.state().checklist.add("find", ItemStatus::Completed);
        host.state().checklist.add("mend", ItemStatus::Pending);

        let output = call::<GoalGet>(&context, json!({})).await.unwrap();

        assert!(empty.text.ends_with("\nThe checklist is empty."));
        assert_eq!(
            output.text,
            "The goal is active.\nObjective:\ngreen tests\nby noon\nChecklist:\n1. [completed] find\n2. [pending] mend"
        );
        assert_eq!(output.outcome, "active · 1 of 2 done");
    }

    #[tokio::test]
    async fn a_long_goal_is_told_whole() {
        let (host, context) = FakeHost::new();
        let objective = "every test of every folder is green\n".repeat(100);
        host.state().goal = Some(Goal::new(&objective).unwrap());
        for number in 0..300 {
            let text = format!("{number} {}", "word ".repeat(10));
            host.state().checklist.add(&text, ItemStatus::Pending);
        }

        let output = call::<GoalGet>(&context, json!({})).await.unwrap();

        assert!(output.stays_inline);
        assert!(output.text.contains(objective.trim_end()));
        let items = (0..300).filter(|number| {
            output
                .text
                .contains(&format!(". [pending] {number} word word"))
        });
        assert_eq!(items.count(), 300);
    }

    #[tokio::test]
    async fn without_a_goal_it_says_so() {
        let (_host, context) = FakeHost::new();

        let refusal = call::<GoalGet>(&context, json!({})).await;

        assert!(refusal.is_err_and(|text| text.contains("no goal")));
    }
}
