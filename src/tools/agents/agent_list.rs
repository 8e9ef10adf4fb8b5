//! Lists the agents below the caller as a tree.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    domain::{
        access::Access,
        agent::{AgentNode, AgentStatus},
        display::{Display, TreeNode},
        ids::AgentId,
    },
    text::figures::counted,
    tools::{
        context::ToolContext,
        contract::{About, Tool},
        error::ToolError,
        output::ToolOutput,
    },
};

/// The tool.
pub(super) struct AgentList;

/// Takes nothing.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {}

impl Tool for AgentList {
    type Arguments = Arguments;

    const ABOUT: About = About {
        name: "agent_list",
        aliases: &[],
        argument_aliases: &[],
        verb: "list sub-agents",
        description: "Lists your sub-agents and theirs: handle, state, number of tool calls, level, task; and the types of agents that are described.",
        subject: "",
        editable: None,
    };

    fn access(_arguments: &Arguments, _context: &ToolContext) -> Access {
        Access::session_only()
    }

    async fn run(_arguments: Arguments, context: ToolContext) -> Result<ToolOutput, ToolError> {
        let agents = context.host.agents(&context.agent).await?;
        let types = types(&context);
        if agents.is_empty() {
            let text = format!("You have no sub-agents.{types}");
            return Ok(ToolOutput::text(text).with_outcome("none"));
        }
        let nodes: Vec<TreeNode> = agents
            .iter()
            .map(|agent| TreeNode {
                depth: depth(agent, &agents, &context.agent),
                label: label(agent, &context),
            })
            .collect();
        let lines: Vec<String> = nodes
            .iter()
            .map(|node| format!("{}{}", "  ".repeat(node.depth), node.label))
            .collect();
        let outcome = counted(agents.len(), "agent", "agents");
        Ok(ToolOutput::text(lines.join("\n") + &types)
            .with_display(Display::Tree { nodes })
            .with_outcome(outcome))
    }
}

fn label(agent: &AgentNode, context: &ToolContext) -> String {
    format!(
        "{} · {} · {}{} · {}",
        agent.id,
        status(&agent.status),
        counted(agent.calls as usize, "call", "calls"),
        reach(&agent.id, context),
        agent.description
    )
}

/// What an agent may do at the most.
fn reach(agent: &AgentId, context: &ToolContext) -> String {
    let Some(authority) = context.host.authority(agent) else {
        return String::new();
    };
    let types: Vec<&str> = authority
        .policies
        .iter()
        .map(|policy| policy.of.as_str())
        .collect();
    let within = if types.is_empty() {
        String::new()
    } else {
        format!(", within {}", types.join(" and "))
    };
    format!(
        " · level {}, network {}{within}",
        authority.cap.name(),
        authority.network.name()
    )
}

/// The types that documents describe, for `agent_spawn`.
fn types(context: &ToolContext) -> String {
    let known = context.host.agent_types().known;
    if known.is_empty() {
        return String::new();
    }
    let mut text = "\n\nTypes that `agent` of agent_spawn may name:".to_owned();
    for document in known {
        text.push_str(&format!("\n{}: {}", document.name, document.description));
    }
    text
}

fn status(status: &AgentStatus) -> String {
    match status {
        AgentStatus::Idle => "idle".to_owned(),
        AgentStatus::Queued => "queued".to_owned(),
        AgentStatus::Thinking => "thinking".to_owned(),
        AgentStatus::Running { tool } => format!("running {tool}"),
        AgentStatus::Asking => "asks the person".to_owned(),
        AgentStatus::Waiting => "waits for its sub-agents".to_owned(),
        AgentStatus::Compacting => "making room in its window".to_owned(),
        AgentStatus::Retrying => "waits for the provider".to_owned(),
        AgentStatus::Done => "done".to_owned(),
        AgentStatus::Failed { reason } => format!("failed: {reason}"),
        AgentStatus::Cancelled => "cancelled".to_owned(),
        AgentStatus::Interrupted => "interrupted".to_owned(),
    }
}

/// Steps up to the caller; bounded by the number of agents, so that a broken tree cannot hang it.
fn depth(agent: &AgentNode, agents: &[AgentNode], caller: &AgentId) -> usize {
    let mut depth = 0;
    let mut parent = agent.parent.as_ref();
    while let Some(id) = parent
        && id != caller
        && depth < agents.len()
    {
        depth += 1;
        parent = agents
            .iter()
            .find(|other| other.id == *id)
            .and_then(|other| other.parent.as_ref());
    }
    depth
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::AgentList;
    use crate::{
        domain::{
            agent::{AgentNode, AgentStatus},
            display::{Display, TreeNode},
            ids::AgentId,
            usage::Usage,
        },
        tools::fake_host::{FakeHost, call},
    };

    fn node(id: &str, parent: &str, status: AgentStatus, calls: u64) -> AgentNode {
        AgentNode {
            id: AgentId::new(id),
            parent: Some(AgentId::new(parent)),
            description: format!("work of {id}"),
            status,
            activity: String::new(),
            started_ms: 0,
            ended_ms: None,
            usage: Usage::default(),
            calls,
        }
    }

    #[tokio::test]
    async fn the_tree_below_the_caller_is_indented() {
        let (host, context) = FakeHost::new();
        let tool = "file_read".to_owned();
        host.state().agents = vec![
            node("scout_1", "main", AgentStatus::Running { tool }, 4),
            node("deep_2", "scout_1", AgentStatus::Done, 1),
            node("tests_3", "main", AgentStatus::Asking, 0),
        ];

        let output = call::<AgentList>(&context, json!({})).await.unwrap();

        assert_eq!(
            output.text,
            "scout_1 · running file_read · 4 calls · work of scout_1\n  \
             deep_2 · done · 1 call · work of deep_2\n\
             tests_3 · asks the person · 0 calls · work of tests_3"
        );
        let depths = |nodes: &[TreeNode]| nodes.iter().map(|node| node.depth).collect::<Vec<_>>();
        assert!(matches!(output.display, Display::Tree { nodes } if depths(&nodes) == [0, 1, 0]));
    }

    #[tokio::test]
    async fn nobody_below_is_said() {
        let (_host, context) = FakeHost::new();

        let output = call::<AgentList>(&context, json!({})).await.unwrap();

        assert_eq!(output.text, "You have no sub-agents.");
    }
}
