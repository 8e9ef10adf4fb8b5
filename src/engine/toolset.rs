//! What the engine knows of a call's tool before it runs.

use serde_json::{Value, json};

use crate::{
    domain::{
        declared::DeclaredTool,
        tool::{ListedTool, ToolCall, ToolSpec},
    },
    engine::{
        outputs::spill,
        session::{permissions::Configured, state::Session},
    },
    process::sandbox::state::state,
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

/// Tools that an agent without sub-agents has no use for: it would see those that an earlier run has left.
const OF_AGENTS: [&str; 7] = [
    SPAWN,
    "agent_list",
    "agent_followup",
    "agent_steer",
    "agent_delete",
    "agent_result",
    "agent_cancel",
];
/// The one that starts them.
const SPAWN: &str = "agent_spawn";

/// The one that is there only where there are notebooks.
const OF_NOTEBOOKS: &str = "notebook_edit";

/// The one that needs a server of one's own.
const OF_SERVER: &str = "model_unload";
/// Why it is not there.
pub const NO_OWN_SERVER: &str = "the model's server is not on this machine or in your network";

/// The tools on offer.
pub fn on_offer(configured: &Configured, around: Around) -> Vec<&'static dyn AnyTool> {
    registry::with(&configured.declared)
        .filter(|tool| why_not(configured, around, tool.about().name).is_none())
        .collect()
}

/// Why a tool is not on offer; `None` when it is.
fn why_not(configured: &Configured, around: Around, name: &str) -> Option<String> {
    let needs = |is_there: bool, why: &str| (!is_there).then(|| why.to_owned());
    why_off(configured, name).or_else(|| match name {
        _ if OF_AGENTS.contains(&name) => needs(
            around.may_spawn,
            "agents.max_depth lets no more agents be started",
        ),
        _ if OF_GOAL.contains(&name) => needs(around.has_goal, "there is no goal: /goal sets one"),
        OF_NOTEBOOKS => needs(
            around.has_notebooks,
            "there is no notebook (.ipynb) in the folder",
        ),
        OF_SERVER => needs(around.may_unload, NO_OWN_SERVER),
        _ => None,
    })
}

/// Why the configuration keeps a tool away from every model; `None` when it does not.
pub fn why_off(configured: &Configured, name: &str) -> Option<String> {
    if configured.disabled.iter().any(|off| off == name) {
        return Some(format!("{name} is switched off by tools.disabled"));
    }
    let names_it = |list: &Vec<String>| list.iter().any(|allowed| allowed == name);
    if !configured.allowed.iter().all(names_it) {
        return Some(format!("{name} is not among tools.allowed"));
    }
    if name != SPAWN && OF_AGENTS.contains(&name) && why_off(configured, SPAWN).is_some() {
        return Some(format!("{name} is of no use without {SPAWN}, which is off"));
    }
    None
}

/// The tools that the configuration keeps away from every model.
pub fn off(configured: &Configured) -> Vec<String> {
    registry::with(&configured.declared)
        .map(|tool| tool.about().name)
        .filter(|name| why_off(configured, name).is_some())
        .map(str::to_owned)
        .collect()
}

/// What is around the tools of an agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Around {
    /// Whether it may start agents.
    pub may_spawn: bool,
    /// Whether its session has a goal that can be reached.
    pub has_goal: bool,
    /// Whether a sandbox holds commands.
    pub is_held: bool,
    /// Whether there is a notebook in its folder.
    pub has_notebooks: bool,
    /// Whether models can be taken out of the memory of its server.
    pub may_unload: bool,
}

/// Every tool as it stands with the main agent of a session.
pub async fn of_session(session: &Session) -> Vec<ListedTool> {
    let sandbox = state(session.tools.sandbox.choice, &session.tools.spool).await;
    let around = Around {
        may_spawn: session.bounds.agent_depth > 0,
        has_goal: session.has_open_goal(),
        is_held: sandbox.enforced().is_some(),
        has_notebooks: session.has_notebooks().await,
        may_unload: session.may_unload(),
    };
    listed(&session.permissions.configured(), around)
}

/// Every tool as lists show it.
pub fn listed(configured: &Configured, around: Around) -> Vec<ListedTool> {
    registry::with(&configured.declared)
        .map(|tool| {
            let about = tool.about();
            let (level, risk) = tool.needs(around.is_held);
            let at_least = configured.levels.get(about.name).copied();
            ListedTool {
                name: about.name.to_owned(),
                summary: about
                    .description
                    .lines()
                    .next()
                    .unwrap_or_default()
                    .to_owned(),
                level: at_least.map_or(level, |at_least| level.max(at_least)),
                risk,
                is_declared: tool.declared().is_some(),
                why_not: why_not(configured, around, about.name),
            }
        })
        .collect()
}

/// The same tools with those of a goal, or without, with what notebooks and the server bring once they are there, and
/// with those that the configuration has added since.
pub fn renewed(
    tools: &[&'static dyn AnyTool],
    around: Around,
    configured: &Configured,
) -> Vec<&'static dyn AnyTool> {
    let is_known = |name: &str| tools.iter().any(|known| known.about().name == name);
    let built_in = registry::all().filter(|tool| {
        let name = tool.about().name;
        let is_due = || why_not(configured, around, name).is_none();
        if OF_GOAL.contains(&name) {
            is_due()
        } else {
            is_known(name) || [OF_NOTEBOOKS, OF_SERVER].contains(&name) && is_due()
        }
    });
    // One that is gone stays: the tools of a conversation do not change, and it is refused.
    let gone = tools.iter().copied().filter(|tool| {
        let still = |declared: &DeclaredTool| declared.name == tool.about().name;
        tool.declared().is_some() && !configured.declared.iter().any(still)
    });
    let added = registry::with(&configured.declared).filter(|tool| {
        let name = tool.about().name;
        tool.declared().is_some() && (is_known(name) || why_off(configured, name).is_none())
    });
    built_in.chain(gone).chain(added).collect()
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
