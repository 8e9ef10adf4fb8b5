//! Lists the scratchpad: name, size, last change, origin.

use std::fmt::Write;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    domain::{
        access::Access,
        display::Display,
        scratchpad::{ScratchpadInfo, ScratchpadOrigin},
    },
    tools::{
        context::ToolContext,
        contract::{About, Tool},
        error::ToolError,
        output::ToolOutput,
    },
};

/// The tool.
pub(super) struct ScratchpadList;

/// Takes nothing.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {}

impl Tool for ScratchpadList {
    type Arguments = Arguments;

    const ABOUT: About = About {
        name: "scratchpad_list",
        aliases: &[],
        argument_aliases: &[],
        verb: "list the scratchpad",
        description: "Lists the entries of the session's scratchpad with size, last change and origin.",
        subject: "",
        editable: None,
    };

    fn access(_arguments: &Arguments, _context: &ToolContext) -> Access {
        Access::session_only()
    }

    async fn run(_arguments: Arguments, context: ToolContext) -> Result<ToolOutput, ToolError> {
        let entries = context.host.scratchpad_list(&context.agent).await?;
        if entries.is_empty() {
            return Ok(ToolOutput::text("The scratchpad is empty.").with_outcome("0 entries"));
        }
        let headings = ["Name", "Size", "Changed", "Origin"]
            .map(str::to_owned)
            .to_vec();
        let rows: Vec<Vec<String>> = entries.iter().map(row).collect();
        let mut text = headings.join("\t");
        for row in &rows {
            let _ = write!(text, "\n{}", row.join("\t"));
        }
        Ok(ToolOutput::text(text)
            .with_display(Display::Table { headings, rows })
            .with_outcome(format!(
                "{} {}",
                entries.len(),
                if entries.len() == 1 {
                    "entry"
                } else {
                    "entries"
                }
            )))
    }
}

fn row(info: &ScratchpadInfo) -> Vec<String> {
    vec![
        info.name.clone(),
        format!("{} B", info.bytes),
        time(info.updated_ms),
        origin(&info.origin),
    ]
}

fn origin(origin: &ScratchpadOrigin) -> String {
    match origin {
        ScratchpadOrigin::Agent => "own".to_owned(),
        ScratchpadOrigin::Spill { tool } => format!("output of {tool}"),
        ScratchpadOrigin::Person => "the person".to_owned(),
        ScratchpadOrigin::Inherited => "inherited".to_owned(),
    }
}

fn time(at_ms: i64) -> String {
    jiff::Timestamp::from_millisecond(at_ms).map_or_else(
        |_| "unknown".to_owned(),
        |at| at.strftime("%Y-%m-%d %H:%M UTC").to_string(),
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::ScratchpadList;
    use crate::{
        domain::{display::Display, scratchpad::ScratchpadOrigin},
        tools::fake_host::{FakeHost, call},
    };

    #[tokio::test]
    async fn every_entry_has_size_time_and_origin() {
        let (host, context) = FakeHost::new();
        host.note("plan", "abc", ScratchpadOrigin::Person);
        host.note("lent", "", ScratchpadOrigin::Inherited);
        host.note("mine", "12345", ScratchpadOrigin::Agent);
        let tool = "shell_execute".to_owned();
        host.note("build", "x", ScratchpadOrigin::Spill { tool });

        let output = call::<ScratchpadList>(&context, json!({})).await.unwrap();

        assert_eq!(
            output.text,
            "Name\tSize\tChanged\tOrigin\n\
             build\t1 B\t2025-11-30 19:30 UTC\toutput of shell_execute\n\
             lent\t0 B\t2025-11-30 19:30 UTC\tinherited\n\
             mine\t5 B\t2025-11-30 19:30 UTC\town\n\
             plan\t3 B\t2025-11-30 19:30 UTC\tthe person"
        );
        assert_eq!(output.outcome, "4 entries");
        assert!(matches!(output.display, Display::Table { rows, .. } if rows.len() == 4));
    }

    #[tokio::test]
    async fn an_empty_scratchpad_says_so() {
        let (_host, context) = FakeHost::new();

        let output = call::<ScratchpadList>(&context, json!({})).await.unwrap();

        assert_eq!(output.text, "The scratchpad is empty.");
    }
}
