//! Changes an entry in place: whole, or one text in it.

use schemars::JsonSchema;
use serde::Deserialize;

use super::name;
use crate::{
    domain::{access::Access, scratchpad::ScratchpadOrigin},
    text::figures::counted,
    tools::{
        context::ToolContext,
        contract::{About, Concurrency, Tool},
        error::ToolError,
        output::ToolOutput,
    },
};

/// The tool.
pub(super) struct ScratchpadEdit;

/// What to change.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// Name of the entry.
    name: String,
    /// The whole new content; instead of `old_string` and `new_string`.
    #[schemars(extend("x-blank" = true))]
    content: Option<String>,
    /// The text to replace, exactly as it stands in the entry.
    old_string: Option<String>,
    /// What stands in its place. Empty deletes it.
    #[schemars(extend("x-blank" = true))]
    new_string: Option<String>,
    /// Replace every occurrence. Default false: `old_string` must occur once.
    replace_all: Option<bool>,
}

impl Tool for ScratchpadEdit {
    type Arguments = Arguments;

    const ABOUT: About = About {
        name: "scratchpad_edit",
        aliases: &[],
        argument_aliases: &[
            ("key", "name"),
            ("text", "content"),
            ("old", "old_string"),
            ("new", "new_string"),
        ],
        verb: "edit the scratchpad",
        description: "Changes an entry of the session's scratchpad in place: `content` replaces all of it, `old_string` \
                      and `new_string` one text in it.",
        subject: "name",
        editable: None,
    };

    fn access(_arguments: &Arguments, _context: &ToolContext) -> Access {
        Access::session_only()
    }

    fn concurrency(arguments: &Arguments, _context: &ToolContext) -> Concurrency {
        name::one_by_one(&arguments.name)
    }

    async fn run(arguments: Arguments, context: ToolContext) -> Result<ToolOutput, ToolError> {
        let name = name::fit(Self::ABOUT.name, &arguments.name)?;
        let entry = name::read(Self::ABOUT.name, name, &context).await?;
        let (content, done) = changed(&entry.content, &arguments)?;
        let info = context
            .host
            .scratchpad_write(&context.agent, name, content, ScratchpadOrigin::Agent)
            .await?;
        let text = format!(
            "{done} in `{}`; it has {} bytes now.",
            info.name, info.bytes
        );
        Ok(ToolOutput::text(text).with_outcome(format!("{} bytes", info.bytes)))
    }
}

/// The new content, and what was done.
fn changed(old: &str, arguments: &Arguments) -> Result<(String, String), ToolError> {
    let say = |text: String| Err(ToolError::model(format!("scratchpad_edit: {text}")));
    let parts = (&arguments.old_string, &arguments.new_string);
    let (from, to) = match (&arguments.content, parts) {
        (Some(content), (None, None)) => {
            return Ok((content.clone(), "Replaced everything".to_owned()));
        }
        (None, (Some(from), Some(to))) => (from, to),
        _ => {
            return say(
                "give either `content` (the whole new text) or `old_string` and `new_string`"
                    .to_owned(),
            );
        }
    };
    let found = old.matches(from.as_str()).count();
    match (found, arguments.replace_all.unwrap_or(false)) {
        (0, _) => say(
            "`old_string` does not occur in the entry; read it with scratchpad_read and copy the text exactly".to_owned(),
        ),
        (1, _) | (_, true) => Ok((
            old.replace(from.as_str(), to),
            format!("Replaced {}", counted(found, "text", "texts")),
        )),
        (_, false) => say(format!(
            "`old_string` occurs {found} times; give more of the text around it, or set `replace_all`"
        )),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::ScratchpadEdit;
    use crate::{
        domain::scratchpad::ScratchpadOrigin,
        tools::fake_host::{FakeHost, call},
    };

    /// The content after a call, or the refusal.
    async fn check(arguments: Value, expected: Result<&str, &str>) {
        let (host, context) = FakeHost::new();
        host.note("log", "one two one", ScratchpadOrigin::Agent);

        let answer = call::<ScratchpadEdit>(&context, arguments).await;

        let content = answer.map(|_| host.state().entries[0].content.clone());
        let expected = expected.map(str::to_owned).map_err(str::to_owned);
        assert_eq!(content, expected);
    }

    #[tokio::test]
    async fn it_changes_all_or_one_text() {
        check(json!({"name": "log", "content": ""}), Ok("")).await;
        check(
            json!({"name": "log", "old_string": "two", "new_string": ""}),
            Ok("one  one"),
        )
        .await;
        check(
            json!({"name": "log", "old": "one", "new": "1", "replace_all": true}),
            Ok("1 two 1"),
        )
        .await;
    }

    #[tokio::test]
    async fn what_is_not_clear_changes_nothing() {
        let either = "scratchpad_edit: give either `content` (the whole new text) or `old_string` and `new_string`";
        check(json!({"name": "log"}), Err(either)).await;
        check(
            json!({"name": "log", "content": "x", "old_string": "one", "new_string": "x"}),
            Err(either),
        )
        .await;
        check(
            json!({"name": "log", "old_string": "one", "new_string": "x"}),
            Err("scratchpad_edit: `old_string` occurs 2 times; give more of the text around it, or set `replace_all`"),
        )
        .await;
        check(
            json!({"name": "log", "old_string": "three", "new_string": "x"}),
            Err("scratchpad_edit: `old_string` does not occur in the entry; read it with scratchpad_read and copy the \
                 text exactly"),
        )
        .await;
        check(
            json!({"name": "log", "old_string": "", "new_string": "x"}),
            Err("scratchpad_edit: give either `content` (the whole new text) or `old_string` and `new_string`"),
        )
        .await;
        check(
            json!({"name": "nothing", "content": "x"}),
            Err("scratchpad_edit: there is no entry `nothing`; the entries are log"),
        )
        .await;
    }
}
