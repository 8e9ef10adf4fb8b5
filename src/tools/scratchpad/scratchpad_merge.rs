//! Puts several entries together into one, without their bytes passing through the conversation.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, value::RawValue};

use super::name;
use crate::{
    domain::{
        access::Access,
        scratchpad::{ScratchpadEntry, ScratchpadOrigin},
    },
    text::figures::counted,
    tools::{
        context::ToolContext,
        contract::{About, Concurrency, Tool},
        error::ToolError,
        output::ToolOutput,
    },
};

/// The most bytes that a merged entry may have.
const MOST_BYTES: usize = 64 * 1024 * 1024;

/// The tool.
pub(super) struct ScratchpadMerge;

/// What to put together.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// Names of the entries, in this order. May be left out when `prefix` is given.
    sources: Option<Vec<String>>,
    /// Also take every entry of your own whose name starts with this, in the order of names, behind `sources`. The
    /// target itself is never taken.
    prefix: Option<String>,
    /// Name of the result. An entry of the same name is overwritten.
    target: String,
    /// How they are put together. Default `concat_with_headers`.
    format: Option<Format>,
}

/// How entries are put together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Format {
    /// A line `--- name ---` before each.
    #[default]
    ConcatWithHeaders,
    /// A line end between them.
    Concat,
    /// One JSON array: each content as JSON, or as a string when it is none.
    JsonArray,
}

impl Tool for ScratchpadMerge {
    type Arguments = Arguments;

    const ABOUT: About = About {
        name: "scratchpad_merge",
        aliases: &[],
        argument_aliases: &[("names", "sources"), ("name", "target"), ("into", "target")],
        verb: "merge scratchpad entries",
        description: "Puts several entries of the session's scratchpad together into one, without their content passing \
                      through the conversation: reports of sub-agents, for example. The sources stay as they are.",
        subject: "target",
        editable: None,
    };

    fn access(_arguments: &Arguments, _context: &ToolContext) -> Access {
        Access::session_only()
    }

    fn concurrency(_arguments: &Arguments, _context: &ToolContext) -> Concurrency {
        // It reads what other calls of the same turn may be writing.
        Concurrency::Exclusive
    }

    async fn run(arguments: Arguments, context: ToolContext) -> Result<ToolOutput, ToolError> {
        let tool = Self::ABOUT.name;
        let target = name::fit_as(tool, "target", &arguments.target)?;
        let names = names(&arguments, target, &context).await?;
        let mut entries = Vec::new();
        let mut bytes = 0;
        for name in &names {
            let entry = name::read(tool, name, &context).await?;
            bytes += entry.content.len();
            if bytes > MOST_BYTES {
                return Err(ToolError::model(format!(
                    "{tool}: together the entries have more than {MOST_BYTES} bytes; merge fewer of them"
                )));
            }
            entries.push(entry);
        }
        let content = merged(&entries, arguments.format.unwrap_or_default());
        let info = context
            .host
            .scratchpad_write(&context.agent, target, content, ScratchpadOrigin::Agent)
            .await?;
        let count = counted(entries.len(), "entry", "entries");
        let text = format!(
            "Merged {count} into `{}` ({} bytes): {}.",
            info.name,
            info.bytes,
            names.join(", ")
        );
        Ok(ToolOutput::text(text).with_outcome(count))
    }
}

/// The names of what is put together, in order.
async fn names(
    arguments: &Arguments,
    target: &str,
    context: &ToolContext,
) -> Result<Vec<String>, ToolError> {
    let tool = ScratchpadMerge::ABOUT.name;
    let mut names = Vec::new();
    for source in arguments.sources.iter().flatten() {
        names.push(name::fit_as(tool, "sources", source)?.to_owned());
    }
    if let Some(prefix) = arguments
        .prefix
        .as_deref()
        .filter(|prefix| !prefix.is_empty())
    {
        let own = context.host.scratchpad_list(&context.agent).await?;
        let found = own
            .into_iter()
            .filter(|entry| entry.origin != ScratchpadOrigin::Inherited)
            .map(|entry| entry.name)
            .filter(|name| name.starts_with(prefix) && name != target && !names.contains(name));
        let found: Vec<String> = found.collect();
        names.extend(found);
    }
    if names.is_empty() {
        return Err(ToolError::model(match &arguments.prefix {
            Some(prefix) => {
                format!("{tool}: no entry of yours has a name that starts with `{prefix}`")
            }
            None => format!("{tool}: name the entries in `sources`, or give a `prefix`"),
        }));
    }
    Ok(names)
}

fn merged(entries: &[ScratchpadEntry], format: Format) -> String {
    match format {
        Format::Concat => {
            let contents: Vec<&str> = entries.iter().map(|entry| entry.content.as_str()).collect();
            contents.join("\n")
        }
        Format::ConcatWithHeaders => {
            let mut text = String::new();
            for entry in entries {
                if !text.is_empty() && !text.ends_with('\n') {
                    text.push('\n');
                }
                text.push_str(&format!("--- {} ---\n{}", entry.info.name, entry.content));
            }
            text
        }
        Format::JsonArray => {
            // What is JSON stays as it is written: a number read and written again may be another one.
            let values: Vec<String> = entries
                .iter()
                .map(
                    |entry| match serde_json::from_str::<&RawValue>(&entry.content) {
                        Ok(value) => value.get().to_owned(),
                        Err(_) => Value::String(entry.content.clone()).to_string(),
                    },
                )
                .collect();
            format!("[{}]", values.join(","))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::ScratchpadMerge;
    use crate::{
        domain::scratchpad::ScratchpadOrigin,
        tools::fake_host::{FakeHost, call},
    };

    async fn check(arguments: Value, expected: Result<&str, &str>) {
        let (host, context) = FakeHost::new();
        host.note("report b", "{\"b\": 2.50}", ScratchpadOrigin::Agent);
        host.note("report a", "words\n", ScratchpadOrigin::Agent);
        host.note("report z", "lent", ScratchpadOrigin::Inherited);
        host.note("log", "one", ScratchpadOrigin::Agent);

        let answer = call::<ScratchpadMerge>(&context, arguments).await;

        let content = answer.map(|_| {
            let state = host.state();
            let last = state.entries.last().map(|entry| entry.content.clone());
            assert_eq!(state.entries.len(), 5, "the sources stay");
            last.unwrap_or_default()
        });
        let expected = expected.map(str::to_owned).map_err(str::to_owned);
        assert_eq!(content, expected);
    }

    #[tokio::test]
    async fn the_order_is_that_of_the_call_then_that_of_the_names() {
        check(
            json!({"sources": ["log"], "prefix": "report", "target": "all"}),
            Ok("--- log ---\none\n--- report a ---\nwords\n--- report b ---\n{\"b\": 2.50}"),
        )
        .await;
        check(
            json!({"sources": ["report z", "log"], "target": "all", "format": "concat"}),
            Ok("lent\none"),
        )
        .await;
        check(
            json!({"sources": ["report b", "log"], "target": "all", "format": "json_array"}),
            Ok("[{\"b\": 2.50},\"one\"]"),
        )
        .await;
    }

    #[tokio::test]
    async fn a_wrong_call_says_what_to_do() {
        check(
            json!({"target": "all"}),
            Err("scratchpad_merge: name the entries in `sources`, or give a `prefix`"),
        )
        .await;
        check(
            json!({"prefix": "x", "target": "all"}),
            Err("scratchpad_merge: no entry of yours has a name that starts with `x`"),
        )
        .await;
        check(
            json!({"sources": ["nothing"], "target": "all"}),
            Err("scratchpad_merge: there is no entry `nothing`; the entries are log, report a, report b, report z"),
        )
        .await;
    }

    #[tokio::test]
    async fn the_target_is_replaced_and_is_no_source() {
        let (host, context) = FakeHost::new();
        host.note("report all", "of before", ScratchpadOrigin::Agent);
        host.note("report a", "one", ScratchpadOrigin::Agent);

        let arguments = json!({"prefix": "report", "target": "report all", "format": "concat"});
        let output = call::<ScratchpadMerge>(&context, arguments).await.unwrap();

        assert_eq!(
            output.text,
            "Merged 1 entry into `report all` (3 bytes): report a."
        );
        let entries: Vec<(String, String)> = host
            .state()
            .entries
            .iter()
            .map(|entry| (entry.info.name.clone(), entry.content.clone()))
            .collect();
        let expected = [("report all", "one"), ("report a", "one")];
        assert!(
            expected
                .iter()
                .all(|(name, content)| entries
                    .contains(&((*name).to_owned(), (*content).to_owned())))
                && entries.len() == 2,
            "{entries:?}"
        );
    }
}
