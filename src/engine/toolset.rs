//! What the engine knows of a call's tool before it runs.

use serde_json::{Value, json};

use crate::{
    domain::{
        declared::DeclaredTool,
        tool::{ToolCall, ToolSpec},
    },
    engine::{outputs::spill, session::permissions::Configured},
    tools::{contract::AnyTool, registry},
};

/// What the loop's own argument does.
const KEEPS: &str = "Scratchpad entry that takes the output instead of the conversation; errors are shown all the same.";
/// Most characters of a subject.
const SUBJECT_CHARS: usize = 400;

/// The argument that matters most, on one line; empty when the tool has none.
pub fn subject(call: &ToolCall) -> String {
    let Some(tool) = registry::find(&call.name) else {
        return String::new();
    };
    let about = tool.about();
    let theirs = about
        .argument_aliases
        .iter()
        .filter(|(_, ours)| *ours == about.subject)
        .map(|(theirs, _)| *theirs);
    let value = std::iter::once(about.subject)
        .chain(theirs)
        .find_map(|name| call.arguments.get(name));
    match value {
        Some(Value::String(text)) => one_line(text),
        Some(Value::Null) | None => String::new(),
        Some(Value::Array(words)) if words.iter().all(Value::is_string) => {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            one_line(&words.join(" "))
        }
        Some(other) => one_line(&other.to_string()),
    }
}

/// Whether an argument is what a subject was made from, so that it can be shown whole in its place.
pub fn is_subject(value: &Value, subject: &str) -> bool {
    !subject.is_empty()
        && value
            .as_str()
            .is_some_and(|text| text == subject || one_line(text) == subject)
}

fn one_line(text: &str) -> String {
    let mut line: String = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join(" ⏎ ");
    if let Some((end, _)) = line.char_indices().nth(SUBJECT_CHARS) {
        line.truncate(end);
        line.push('…');
    }
    line
}

/// Tools that are there only while a goal can be reached.
const OF_GOAL: [&str; 2] = ["goal_get", "goal_update"];

/// The tools on offer without a goal.
pub fn on_offer(configured: &Configured, may_spawn: bool) -> Vec<&'static dyn AnyTool> {
    registry::with(&configured.declared)
        .filter(|tool| {
            let name = tool.about().name;
            !is_off(configured, name)
                && (may_spawn || name != "agent_spawn")
                && !OF_GOAL.contains(&name)
        })
        .collect()
}

/// The same tools with those of a goal, or without, and with those that the configuration has added since.
pub fn renewed(
    tools: &[&'static dyn AnyTool],
    has_goal: bool,
    configured: &Configured,
) -> Vec<&'static dyn AnyTool> {
    let is_known = |name: &str| tools.iter().any(|known| known.about().name == name);
    let built_in = registry::all().filter(|tool| {
        let name = tool.about().name;
        if OF_GOAL.contains(&name) {
            has_goal && !is_off(configured, name)
        } else {
            is_known(name)
        }
    });
    // One that is gone stays: the tools of a conversation do not change, and it is refused.
    let gone = tools.iter().copied().filter(|tool| {
        let still = |declared: &DeclaredTool| declared.name == tool.about().name;
        tool.declared().is_some() && !configured.declared.iter().any(still)
    });
    let added = registry::with(&configured.declared).filter(|tool| {
        let name = tool.about().name;
        tool.declared().is_some() && (is_known(name) || !is_off(configured, name))
    });
    built_in.chain(gone).chain(added).collect()
}

fn is_off(configured: &Configured, name: &str) -> bool {
    configured.disabled.iter().any(|disabled| disabled == name)
}

/// What the model is told when it calls a tool that the configuration does not have any more.
pub fn gone(name: &str) -> String {
    format!("{name} is no longer among the tools of the configuration")
}

/// What providers are told of them.
pub fn specs(tools: &[&'static dyn AnyTool]) -> Vec<ToolSpec> {
    tools.iter().map(|tool| spec(*tool)).collect()
}

/// What a provider is told of a tool: its own arguments, and that of the loop unless it has one of that name.
pub fn spec(tool: &dyn AnyTool) -> ToolSpec {
    let mut spec = tool.spec();
    let properties = spec.schema.get_mut("properties");
    if let Some(properties) = properties.and_then(Value::as_object_mut) {
        let argument = json!({"description": KEEPS, "type": "string"});
        properties
            .entry(spill::PARAMETER)
            .or_insert_with(|| argument);
    }
    spec
}

/// What the model is told when it calls a tool that is not there.
pub fn unknown(name: &str, tools: &[&'static dyn AnyTool]) -> String {
    let names: Vec<&str> = tools.iter().map(|tool| tool.about().name).collect();
    format!(
        "there is no tool named {name:?}. The tools are: {}",
        names.join(", ")
    )
}
