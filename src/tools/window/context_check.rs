//! Says how full the agent's context window is. What is not known is said to be unknown.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    domain::{access::Access, window::ContextGauge},
    tools::{
        context::ToolContext,
        contract::{About, Tool},
        error::ToolError,
        output::ToolOutput,
    },
};

/// The tool.
pub(super) struct ContextCheck;

/// Takes nothing.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {}

impl Tool for ContextCheck {
    type Arguments = Arguments;

    const ABOUT: About = About {
        name: "context_check",
        aliases: &[],
        argument_aliases: &[],
        verb: "check the context window",
        description: "Reports how full your context window is now: tokens used, room before the ceiling, and what \
                      they are used for.",
        subject: "",
        editable: None,
    };

    fn access(_arguments: &Arguments, _context: &ToolContext) -> Access {
        Access::session_only()
    }

    async fn run(_arguments: Arguments, context: ToolContext) -> Result<ToolOutput, ToolError> {
        let gauge = context.host.context_gauge(&context.agent).await?;
        let outcome = gauge.percent().map_or_else(
            || format!("{} tokens", gauge.used),
            |percent| format!("{percent}%"),
        );
        Ok(ToolOutput::text(in_words(&gauge)).with_outcome(outcome))
    }
}

fn in_words(gauge: &ContextGauge) -> String {
    let about = if gauge.reported { "" } else { "about " };
    let basis = if gauge.reported {
        ""
    } else {
        " This is an estimate: the provider has not reported yet."
    };
    let used = gauge.used;
    let mut lines = match (gauge.window, gauge.percent()) {
        (Some(window), Some(percent)) => vec![
            format!("Using {about}{used} of {window} tokens ({percent}%).{basis}"),
            headroom(gauge, window),
        ],
        _ => vec![format!(
            "Using {about}{used} tokens; the size of the window is unknown.{basis}"
        )],
    };
    let shares = &gauge.shares;
    lines.push(format!(
        "Fixed overhead: about {} tokens of system prompt and tool schemas (estimated).",
        shares.system + shares.tools
    ));
    lines.push(format!(
        "Conversation: about {} tokens of words and {} tokens of tool results (estimated).",
        shares.conversation, shares.outputs
    ));
    lines.join("\n")
}

fn headroom(gauge: &ContextGauge, window: u64) -> String {
    let percent = gauge.ceiling_percent;
    let ceiling = window.saturating_mul(u64::from(percent)) / 100;
    match ceiling.checked_sub(gauge.used) {
        Some(room) if room > 0 => {
            format!("Headroom: {room} tokens before the context ceiling at {percent}%.")
        }
        _ => format!("Headroom: none; the context ceiling at {percent}% is reached."),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::ContextCheck;
    use crate::{
        domain::window::{ContextGauge, WindowShares},
        tools::fake_host::{FakeHost, call},
    };

    async fn check(used: u64, window: Option<u64>, reported: bool, expected: &[&str]) {
        let (host, context) = FakeHost::new();
        host.state().gauge = ContextGauge {
            used,
            window,
            ceiling_percent: 85,
            reported,
            shares: WindowShares {
                system: 3_000,
                tools: 9_000,
                conversation: 40_000,
                outputs: 32_000,
            },
        };

        let output = call::<ContextCheck>(&context, json!({})).await.unwrap();

        let lines: Vec<&str> = output.text.lines().collect();
        assert_eq!(lines.get(..expected.len()), Some(expected));
        assert_eq!(
            lines.get(expected.len()..),
            Some(
                &[
                    "Fixed overhead: about 12000 tokens of system prompt and tool schemas (estimated).",
                    "Conversation: about 40000 tokens of words and 32000 tokens of tool results (estimated).",
                ][..]
            )
        );
    }

    #[tokio::test]
    async fn it_reports_use_headroom_and_shares() {
        check(
            84_000,
            Some(200_000),
            true,
            &[
                "Using 84000 of 200000 tokens (42%).",
                "Headroom: 86000 tokens before the context ceiling at 85%.",
            ],
        )
        .await;
        check(
            170_000,
            Some(200_000),
            true,
            &[
                "Using 170000 of 200000 tokens (85%).",
                "Headroom: none; the context ceiling at 85% is reached.",
            ],
        )
        .await;
    }

    #[tokio::test]
    async fn what_is_unknown_is_said_to_be() {
        check(
            84_000,
            None,
            false,
            &[
                "Using about 84000 tokens; the size of the window is unknown. This is an estimate: the provider has \
                 not reported yet.",
            ],
        )
        .await;
    }
}
