//! Hands a task to a sub-agent and waits for its report. Several calls in one step run side by side.
//!
//! Starting an agent needs no approval of its own: every call that the sub-agent makes is judged, and its level is
//! never above its parent's.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    domain::{
        access::{Access, Resource},
        display::Display,
        permission::{Level, Network, Risk},
    },
    tools::{
        context::ToolContext,
        contract::{About, Tool},
        error::ToolError,
        host::{SpawnReport, SpawnRequest},
        output::ToolOutput,
    },
};

/// The type of an agent that was given none.
const DEFAULT_KIND: &str = "agent";

/// Longest type name in bytes.
const LONGEST_KIND: usize = 24;

/// Longest description in characters.
const LONGEST_DESCRIPTION: usize = 60;

/// The tool.
pub(super) struct AgentSpawn;

/// What the sub-agent gets.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// What the sub-agent has to do. It knows nothing of your conversation: give it all that it needs, and say what
    /// its report must hold.
    prompt: String,
    /// The task in three to six words, for the person's list of agents.
    description: Option<String>,
    /// A short name for its type, such as scout, tests or reviewer: lower-case letters, digits and `-`. Where the person
    /// has described a type (agent_list names them), its words, level and permissions hold for the agent.
    agent: Option<String>,
    /// Its permission level; never above your own. Left out, it has yours.
    permission: Option<SpawnLevel>,
    /// Where its connections may go; never further than yours. Left out, it has yours.
    network: Option<SpawnNetwork>,
    /// Names of your scratchpad entries that it may read.
    inherit_scratchpad: Option<Vec<String>>,
}

/// A permission level.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum SpawnLevel {
    None,
    Read,
    Workspace,
    Unrestricted,
}

impl From<SpawnLevel> for Level {
    fn from(level: SpawnLevel) -> Self {
        match level {
            SpawnLevel::None => Self::None,
            SpawnLevel::Read => Self::Read,
            SpawnLevel::Workspace => Self::Workspace,
            SpawnLevel::Unrestricted => Self::Unrestricted,
        }
    }
}

/// Where connections may go.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum SpawnNetwork {
    None,
    Remote,
    All,
}

impl From<SpawnNetwork> for Network {
    fn from(network: SpawnNetwork) -> Self {
        match network {
            SpawnNetwork::None => Self::None,
            SpawnNetwork::Remote => Self::Remote,
            SpawnNetwork::All => Self::All,
        }
    }
}

impl Arguments {
    fn kind(&self) -> String {
        self.agent.as_deref().map_or_else(
            || DEFAULT_KIND.to_owned(),
            |kind| kind.trim().to_lowercase(),
        )
    }

    fn description(&self) -> String {
        let words = self.description.as_deref().unwrap_or(&self.prompt);
        let line = words.split_whitespace().collect::<Vec<_>>().join(" ");
        if line.chars().count() <= LONGEST_DESCRIPTION {
            return line;
        }
        let head: String = line.chars().take(LONGEST_DESCRIPTION - 1).collect();
        format!("{}…", head.trim_end())
    }
}

impl Tool for AgentSpawn {
    type Arguments = Arguments;

    const ABOUT: About = About {
        name: "agent_spawn",
        aliases: &["delegate_subagent", "task", "spawn_agent"],
        argument_aliases: &[
            ("task", "prompt"),
            ("agent_type", "agent"),
            ("subagent_type", "agent"),
            ("level", "permission"),
        ],
        verb: "start a sub-agent",
        description: "Hands a task to a sub-agent with its own context window and returns its report.\n\
                      Use it to keep exploration out of your own context. Several calls in one reply run side by \
                      side, so start independent tasks together.",
        subject: "description",
        editable: Some("prompt"),
    };

    fn needs(_held: bool) -> (Level, Risk) {
        (Level::Read, Risk::SessionOnly)
    }

    fn access(arguments: &Arguments, _context: &ToolContext) -> Access {
        Access {
            resources: vec![Resource::Agent {
                name: arguments.kind(),
            }],
            level: Level::Read,
            risk: Risk::SessionOnly,
        }
    }

    async fn run(arguments: Arguments, context: ToolContext) -> Result<ToolOutput, ToolError> {
        let kind = arguments.kind();
        check_kind(&kind)?;
        let description = arguments.description();
        let lent = arguments.inherit_scratchpad.unwrap_or_default();
        check_lent(&context, &lent).await?;
        let request = SpawnRequest {
            prompt: arguments.prompt,
            description,
            kind,
            level: arguments.permission.map(Level::from),
            network: arguments.network.map(Network::from),
            inherit_scratchpad: lent,
        };
        let report = context
            .host
            .spawn(
                &context.agent,
                &context.call,
                request,
                context.cancel.clone(),
            )
            .await?;
        answer(report, &context)
    }
}

fn check_kind(kind: &str) -> Result<(), ToolError> {
    let fit =
        |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    let begins = kind
        .chars()
        .next()
        .is_some_and(|first| first.is_ascii_lowercase());
    if begins && kind.len() <= LONGEST_KIND && kind.chars().all(fit) {
        return Ok(());
    }
    Err(ToolError::model(format!(
        "agent_spawn: `agent` must be a short type name such as scout: lower-case letters, digits and `-`, a letter \
         first, at most {LONGEST_KIND}"
    )))
}

async fn check_lent(context: &ToolContext, lent: &[String]) -> Result<(), ToolError> {
    if lent.is_empty() {
        return Ok(());
    }
    let entries = context.host.scratchpad_list(&context.agent).await?;
    let missing: Vec<&str> = lent
        .iter()
        .map(String::as_str)
        .filter(|name| !entries.iter().any(|entry| entry.name == *name))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(ToolError::model(format!(
        "agent_spawn: `inherit_scratchpad` names entries that do not exist: {}. Write them first or leave them out",
        missing.join(", ")
    )))
}

/// The scope lines, then the report. An agent that did not end well fails the call with what it left.
fn answer(report: SpawnReport, context: &ToolContext) -> Result<ToolOutput, ToolError> {
    let SpawnReport {
        agent,
        level,
        report,
        failure,
    } = report;
    let scope = format!(
        "Agent: {agent}\nPermission: {}\nWorking directory: {}",
        level.name(),
        context.cwd.display()
    );
    if let Some(failure) = failure {
        let left = if report.trim().is_empty() {
            "It left no report.".to_owned()
        } else {
            format!("Its last words:\n\n{report}")
        };
        let text = format!("{scope}\n\nThe agent did not end well: {failure}. {left}");
        return Err(if context.cancel.is_cancelled() {
            ToolError::Interrupted(Box::new(ToolOutput::text(text)))
        } else {
            ToolError::model(text)
        });
    }
    let words = if report.trim().is_empty() {
        "(The agent ended without a report.)"
    } else {
        report.as_str()
    };
    Ok(ToolOutput::text(format!("{scope}\n\n{words}"))
        .with_display(Display::Markdown {
            text: words.to_owned(),
        })
        .with_outcome(agent.to_string()))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::AgentSpawn;
    use crate::{
        domain::{
            access::{Access, Resource},
            display::Display,
            ids::AgentId,
            permission::{Level, Network, Risk},
            scratchpad::ScratchpadOrigin,
        },
        tools::{
            contract::{AnyTool, Typed},
            error::ToolError,
            fake_host::{FakeHost, call},
            host::{SpawnReport, SpawnRequest},
        },
    };

    fn ended(report: &str, failure: Option<&str>) -> SpawnReport {
        SpawnReport {
            agent: AgentId::new("scout_1a2b3c4d"),
            level: Level::Read,
            report: report.to_owned(),
            failure: failure.map(str::to_owned),
        }
    }

    #[tokio::test]
    async fn the_result_opens_with_agent_permission_and_folder() {
        let (host, context) = FakeHost::new();
        host.note("log", "x", ScratchpadOrigin::Agent);
        host.state().report = Some(Ok(ended("**Three** places.", None)));

        let output = call::<AgentSpawn>(
            &context,
            json!({
                "prompt": "Find where requests are made.",
                "description": "find requests",
                "subagent_type": "Scout",
                "permission": "read",
                "network": "remote",
                "inherit_scratchpad": "log"
            }),
        )
        .await
        .unwrap();

        assert_eq!(
            output.text,
            "Agent: scout_1a2b3c4d\nPermission: read\nWorking directory: /proj\n\n**Three** places."
        );
        assert_eq!(
            output.display,
            Display::Markdown {
                text: "**Three** places.".to_owned()
            }
        );
        assert_eq!(
            host.state().spawned,
            [SpawnRequest {
                prompt: "Find where requests are made.".to_owned(),
                description: "find requests".to_owned(),
                kind: "scout".to_owned(),
                level: Some(Level::Read),
                network: Some(Network::Remote),
                inherit_scratchpad: vec!["log".to_owned()],
            }]
        );
    }

    #[tokio::test]
    async fn without_a_description_the_prompt_gives_one() {
        let (host, context) = FakeHost::new();
        host.state().report = Some(Ok(ended("", None)));
        let prompt = "Look\nat everything ".to_owned() + &"again and ".repeat(20);

        let output = call::<AgentSpawn>(&context, json!({"prompt": prompt}))
            .await
            .unwrap();

        let state = host.state();
        assert_eq!(state.spawned[0].kind, "agent");
        assert_eq!(
            state.spawned[0].description,
            "Look at everything again and again and again and again and…"
        );
        assert!(output.text.ends_with("(The agent ended without a report.)"));
    }

    #[tokio::test]
    async fn an_agent_that_did_not_end_well_fails_the_call_with_what_it_left() {
        let (host, context) = FakeHost::new();
        host.state().report = Some(Ok(ended("half", Some("cancelled by the person"))));

        let answer = call::<AgentSpawn>(&context, json!({"prompt": "x"})).await;

        assert_eq!(
            answer,
            Err(
                "Agent: scout_1a2b3c4d\nPermission: read\nWorking directory: /proj\n\nThe agent did not end well: \
                 cancelled by the person. Its last words:\n\nhalf"
                    .to_owned()
            )
        );
    }

    #[tokio::test]
    async fn a_stopped_call_is_interrupted_and_keeps_what_the_agent_left() {
        let (host, context) = FakeHost::new();
        host.state().report = Some(Ok(ended("half", Some("cancelled by the person"))));
        context.cancel.cancel();

        let tool = Typed::<AgentSpawn>::new();
        let checked = tool.check(&json!({"prompt": "x"})).unwrap();
        let answer = tool.run(checked, context).await;

        let Err(ToolError::Interrupted(output)) = answer else {
            panic!("not interrupted: {answer:?}");
        };
        assert!(
            output.text.ends_with("Its last words:\n\nhalf"),
            "{}",
            output.text
        );
    }

    #[tokio::test]
    async fn a_wrong_call_starts_nothing() {
        let (host, context) = FakeHost::new();
        let wrong_type = "agent_spawn: `agent` must be a short type name such as scout: lower-case letters, digits and \
                          `-`, a letter first, at most 24";
        let table: [(Value, &str); 4] = [
            (json!({"prompt": "x", "agent": "my scout"}), wrong_type),
            (json!({"prompt": "x", "agent": "../x"}), wrong_type),
            (
                json!({"prompt": "x", "inherit_scratchpad": ["a", "b"]}),
                "agent_spawn: `inherit_scratchpad` names entries that do not exist: a, b. Write them first or leave them \
                 out",
            ),
            (
                json!({"prompt": "x", "permission": "root"}),
                "agent_spawn: `permission` must be one of \"none\", \"read\", \"workspace\", \"unrestricted\", but the \
                 text \"root\" was sent",
            ),
        ];

        for (sent, expected) in table {
            assert_eq!(
                call::<AgentSpawn>(&context, sent).await,
                Err(expected.to_owned())
            );
        }
        assert!(host.state().spawned.is_empty());
    }

    #[test]
    fn it_declares_the_type_that_it_starts() {
        let (_host, context) = FakeHost::new();
        let tool = Typed::<AgentSpawn>::new();

        let access = tool.access(&json!({"prompt": "x", "agent": "tests"}), &context);

        assert_eq!(
            access,
            Ok(Access {
                resources: vec![Resource::Agent {
                    name: "tests".to_owned()
                }],
                level: Level::Read,
                risk: Risk::SessionOnly,
            })
        );
    }
}
