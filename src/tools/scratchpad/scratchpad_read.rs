//! Reads or searches a scratchpad entry. The reply stays inline however large; its size is bounded by what fits
//! into the context window.

use regex::Regex;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    name,
    passage::{INLINE, fitting, passage, search},
};
use crate::{
    domain::{access::Access, scratchpad::ScratchpadEntry, window::ContextGauge},
    tools::{
        context::ToolContext,
        contract::{About, Tool},
        error::ToolError,
        output::ToolOutput,
    },
};

/// The tool.
pub(super) struct ScratchpadRead;

/// What to read.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// Name of the entry.
    name: String,
    /// Byte to start at. Default 0.
    offset: Option<usize>,
    /// Most bytes to return. Default 30000. Give the entry's size to read all of it; what would not fit into the
    /// context window is cut, and the reply names the offset to continue from.
    #[schemars(range(min = 1))]
    limit: Option<usize>,
    /// Return only the lines that match this regular expression, with their numbers: at most 100.
    regex: Option<String>,
}

impl Tool for ScratchpadRead {
    type Arguments = Arguments;

    const ABOUT: About = About {
        name: "scratchpad_read",
        aliases: &[],
        argument_aliases: &[("key", "name"), ("pattern", "regex")],
        verb: "read from the scratchpad",
        description: "Reads an entry of the session's scratchpad, whole or in part, or searches it by line.",
        subject: "name",
        editable: None,
    };

    fn access(_arguments: &Arguments, _context: &ToolContext) -> Access {
        Access::session_only()
    }

    async fn run(arguments: Arguments, context: ToolContext) -> Result<ToolOutput, ToolError> {
        let name = name::fit(Self::ABOUT.name, &arguments.name)?;
        let entry = name::read(Self::ABOUT.name, name, &context).await?;
        if let Some(regex) = &arguments.regex {
            return searched(&entry, regex, &arguments);
        }
        let gauge = context.host.context_gauge(&context.agent).await?;
        read(&entry, &arguments, &gauge)
    }
}

fn searched(
    entry: &ScratchpadEntry,
    regex: &str,
    arguments: &Arguments,
) -> Result<ToolOutput, ToolError> {
    if arguments.offset.is_some() || arguments.limit.is_some() {
        return Err(ToolError::model(
            "scratchpad_read: `regex` searches the whole entry; leave out `offset` and `limit`",
        ));
    }
    let regex = Regex::new(regex).map_err(|error| {
        ToolError::model(format!(
            "scratchpad_read: `regex` is not a regular expression: {}",
            error.to_string().lines().last().unwrap_or_default()
        ))
    })?;
    let (text, found) = search(&entry.content, &regex);
    let text = if found == 0 {
        format!("No line of `{}` matches.", entry.info.name)
    } else {
        text
    };
    let mut output = ToolOutput::text(text).with_outcome(format!("{found} lines match"));
    output.stays_inline = true;
    Ok(output)
}

fn read(
    entry: &ScratchpadEntry,
    arguments: &Arguments,
    gauge: &ContextGauge,
) -> Result<ToolOutput, ToolError> {
    let size = entry.content.len();
    let offset = arguments.offset.unwrap_or(0);
    if offset > 0 && offset >= size {
        return Err(ToolError::model(format!(
            "scratchpad_read: `offset` {offset} is behind the end: `{}` has {size} bytes",
            entry.info.name
        )));
    }
    let wanted = arguments.limit.unwrap_or(INLINE);
    let limit = match room(gauge) {
        Some(room) if wanted > INLINE => wanted.min(fitting(&entry.content, offset, room)),
        _ => wanted,
    };
    let text = if size == 0 {
        format!("`{}` is empty.", entry.info.name)
    } else {
        passage(&entry.content, offset, limit)
    };
    let mut output = ToolOutput::text(text).with_outcome(format!("{size} bytes"));
    output.stays_inline = true;
    Ok(output)
}

/// Tokens below the ceiling; `None` when the window's size is unknown.
fn room(gauge: &ContextGauge) -> Option<u64> {
    let window = gauge.window?;
    let ceiling = window.saturating_mul(u64::from(gauge.ceiling_percent)) / 100;
    Some(ceiling.saturating_sub(gauge.used))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::ScratchpadRead;
    use crate::{
        domain::{
            scratchpad::ScratchpadOrigin,
            window::{ContextGauge, WindowShares},
        },
        tools::fake_host::{FakeHost, call},
    };

    async fn check(content: &str, arguments: Value, expected: Result<&str, &str>) {
        let (host, context) = FakeHost::new();
        host.note("log", content, ScratchpadOrigin::Agent);
        host.note("api", "x", ScratchpadOrigin::Inherited);

        let answer = call::<ScratchpadRead>(&context, arguments).await;

        if let Ok(output) = &answer {
            assert!(output.stays_inline);
        }
        let text = answer.as_ref().map(|output| output.text.as_str());
        assert_eq!(text.map_err(String::as_str), expected);
    }

    #[tokio::test]
    async fn it_reads_whole_in_part_and_by_line() {
        check("one\ntwo", json!({"name": "log"}), Ok("one\ntwo")).await;
        check("", json!({"name": "log"}), Ok("`log` is empty.")).await;
        check(
            "one\ntwo",
            json!({"name": "log", "offset": 4, "limit": 2}),
            Ok("tw\n[bytes 4 to 6 of 7; continue with offset 6]"),
        )
        .await;
        check(
            "one\ntwo",
            json!({"name": "log", "regex": "w"}),
            Ok("2: two"),
        )
        .await;
        check(
            "one",
            json!({"name": "log", "regex": "z"}),
            Ok("No line of `log` matches."),
        )
        .await;
    }

    #[tokio::test]
    async fn a_wrong_call_says_what_to_do() {
        check(
            "one",
            json!({"name": "plan"}),
            Err("scratchpad_read: there is no entry `plan`; the entries are api, log"),
        )
        .await;
        check(
            "one",
            json!({"name": "log", "offset": 3}),
            Err("scratchpad_read: `offset` 3 is behind the end: `log` has 3 bytes"),
        )
        .await;
        check(
            "one",
            json!({"name": "log", "regex": "("}),
            Err("scratchpad_read: `regex` is not a regular expression: error: unclosed group"),
        )
        .await;
        check(
            "one",
            json!({"name": "log", "regex": "o", "limit": 1}),
            Err(
                "scratchpad_read: `regex` searches the whole entry; leave out `offset` and `limit`",
            ),
        )
        .await;
    }

    #[tokio::test]
    async fn a_read_past_the_ceiling_is_cut_but_never_below_what_any_tool_may_return() {
        let digits = "7".repeat(90_000);
        let read = async |used, limit| {
            let (host, context) = FakeHost::new();
            host.note("log", &digits, ScratchpadOrigin::Agent);
            host.state().gauge = ContextGauge {
                used,
                window: Some(100_000),
                ceiling_percent: 85,
                reported: true,
                shares: WindowShares::default(),
            };
            let arguments = json!({"name": "log", "limit": limit});
            let text = call::<ScratchpadRead>(&context, arguments)
                .await
                .unwrap()
                .text;
            text.split_once('\n')
                .map_or(text.len(), |(part, _)| part.len())
        };

        assert_eq!(read(45_000, 90_000).await, 40_000);
        assert_eq!(read(84_999, 90_000).await, 30_000);
        assert_eq!(read(99_000, 90_000).await, 30_000);
        assert_eq!(read(99_000, 500).await, 500);
    }
}
