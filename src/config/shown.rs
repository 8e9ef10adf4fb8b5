//! Every setting as it would be written: what `qd config show` prints. Reading it back gives the same settings.

use toml_edit::{Array, InlineTable, Key, Value};

use super::{lists, profiles::PRACTICE, settings::Settings};
use crate::domain::{
    declared::{DeclaredTool, Parameter, ToolInput},
    hook::{Hook, HookCommand},
    permission::{Rule, Verdict},
};

/// Whole keys with their values, in the order of the manual. What is not set and has no default is left out.
pub fn values(settings: &Settings) -> Vec<(String, Value)> {
    let mut rows = Rows(Vec::new());
    if !settings.default_profile.is_empty() {
        rows.add("default_profile", settings.default_profile.as_str());
    }
    accounts(settings, &mut rows);
    profiles(settings, &mut rows);
    let permissions = &settings.permissions;
    rows.add("permissions.level", permissions.level.name());
    rows.add("permissions.mode", permissions.mode.name());
    rows.add("permissions.approvals", permissions.approvals);
    rows.add("permissions.network", permissions.network.name());
    rows.add("permissions.confine_reads", permissions.confine_reads);
    rows.add("permissions.rules", rules(&permissions.rules));
    let sandbox = &settings.sandbox;
    rows.add("sandbox.backend", sandbox.backend.as_str());
    rows.add(
        "sandbox.writable",
        sandbox.writable.iter().collect::<Array>(),
    );
    rows.add("ui.theme", settings.ui.theme.as_str());
    rows.add("ui.keymap", settings.ui.keymap.as_str());
    rows.add("ui.mouse", settings.ui.mouse);
    rows.add("ui.links", settings.ui.links);
    let tools = &settings.tools;
    rows.add("tools.shell_timeout_ms", tools.shell_timeout_ms as i64);
    rows.add(
        "tools.shell_timeout_max_ms",
        tools.shell_timeout_max_ms as i64,
    );
    // What is shown has the effect of all lists.
    if let Some((first, rest)) = tools.allowed.split_first() {
        let by_all = first
            .iter()
            .filter(|name| rest.iter().all(|list| list.contains(name)));
        rows.add("tools.allowed", by_all.collect::<Array>());
    }
    rows.add("tools.disabled", tools.disabled.iter().collect::<Array>());
    for (tool, level) in &tools.levels {
        rows.add(&format!("tools.levels.{}", name(tool)), level.name());
    }
    rows.add("tools.declared", declared(&tools.declared));
    rows.add("hooks", hooks(&settings.hooks));
    rows.add("agents.max_depth", settings.agents.max_depth as i64);
    rows.add("agents.max_running", settings.agents.max_running as i64);
    let ceiling = i64::from(settings.context.ceiling_percent);
    rows.add("context.ceiling_percent", ceiling);
    rows.add("context.compaction", settings.context.compaction.name());
    rows.add("context.checkpoint", settings.context.checkpoint);
    rows.0
}

/// A value as JSON.
pub fn json(value: &Value) -> serde_json::Value {
    match value {
        Value::String(text) => text.value().as_str().into(),
        Value::Integer(number) => (*number.value()).into(),
        Value::Float(number) => (*number.value()).into(),
        Value::Boolean(flag) => (*flag.value()).into(),
        Value::Datetime(at) => at.value().to_string().into(),
        Value::Array(list) => list.iter().map(json).collect(),
        Value::InlineTable(table) => table
            .iter()
            .map(|(key, value)| (key.to_owned(), json(value)))
            .collect(),
    }
}

struct Rows(Vec<(String, Value)>);

impl Rows {
    fn add(&mut self, key: &str, value: impl Into<Value>) {
        self.0.push((key.to_owned(), value.into()));
    }

    fn add_given(&mut self, key: String, value: Option<impl Into<Value>>) {
        if let Some(value) = value {
            self.0.push((key, value.into()));
        }
    }
}

fn accounts(settings: &Settings, rows: &mut Rows) {
    for (given, account) in settings
        .accounts
        .iter()
        .filter(|(name, _)| *name != PRACTICE)
    {
        let table = format!("accounts.{}", name(given));
        rows.add(&format!("{table}.backend"), account.backend.as_str());
        rows.add(&format!("{table}.base_url"), account.base_url.as_str());
        rows.add_given(
            format!("{table}.api_key_env"),
            account.api_key_env.as_deref(),
        );
        let command = account.api_key_command.as_ref();
        let command = command.map(|argv| argv.iter().collect::<Array>());
        rows.add_given(format!("{table}.api_key_command"), command);
    }
}

fn profiles(settings: &Settings, rows: &mut Rows) {
    for (given, profile) in settings
        .profiles
        .iter()
        .filter(|(name, _)| *name != PRACTICE)
    {
        let table = format!("profiles.{}", name(given));
        let whole = |number: Option<u64>| number.map(|number| number as i64);
        rows.add(&format!("{table}.account"), profile.account.as_str());
        rows.add(&format!("{table}.model"), profile.model.as_str());
        rows.add_given(
            format!("{table}.context_window"),
            whole(profile.context_window),
        );
        rows.add_given(
            format!("{table}.max_output_tokens"),
            whole(profile.max_output_tokens),
        );
        rows.add_given(format!("{table}.vision"), profile.vision);
        rows.add_given(format!("{table}.pdf"), profile.pdf);
        rows.add_given(format!("{table}.video"), profile.video);
        rows.add_given(format!("{table}.effort"), profile.effort.as_deref());
        rows.add_given(format!("{table}.thinking"), profile.thinking);
        rows.add_given(format!("{table}.price.input"), profile.price.input);
        rows.add_given(format!("{table}.price.cached"), profile.price.cached);
        rows.add_given(format!("{table}.price.output"), profile.price.output);
    }
}

fn rules(rules: &[Rule]) -> Array {
    rules
        .iter()
        .map(|rule| {
            let verdict = match rule.verdict {
                Verdict::Allow => "allow",
                Verdict::Ask => "ask",
                Verdict::Deny => "deny",
            };
            let mut table = InlineTable::new();
            table.insert("action", rule.action.as_str().into());
            table.insert("resource", rule.resource.as_str().into());
            table.insert("verdict", verdict.into());
            Value::InlineTable(table)
        })
        .collect()
}

fn hooks(hooks: &[Hook]) -> Array {
    hooks
        .iter()
        .map(|hook| {
            let command = match &hook.command {
                HookCommand::Line(line) => line.as_str().into(),
                HookCommand::Words(words) => Value::Array(words.iter().collect()),
            };
            let mut table = InlineTable::new();
            table.insert("event", hook.event.name().into());
            table.insert("command", command);
            table.insert("name", hook.name.as_str().into());
            if hook.event.has_subject() {
                table.insert("matcher", hook.matcher.as_str().into());
            }
            table.insert("timeout_ms", (hook.timeout_ms as i64).into());
            table.insert("required", hook.required.into());
            table.insert("sandbox", hook.sandbox.into());
            Value::InlineTable(table)
        })
        .collect()
}

fn declared(tools: &[DeclaredTool]) -> Array {
    tools
        .iter()
        .map(|tool| {
            let mut table = InlineTable::new();
            table.insert("name", tool.name.as_str().into());
            table.insert("description", tool.description.as_str().into());
            table.insert("command", Value::Array(tool.command.iter().collect()));
            let parameters: Array = tool.parameters.iter().map(parameter).collect();
            table.insert("parameters", Value::Array(parameters));
            match &tool.input {
                ToolInput::Nothing => None,
                ToolInput::Text(text) => table.insert("stdin", text.as_str().into()),
                ToolInput::Arguments => table.insert("stdin_arguments", true.into()),
            };
            if let Some(limit) = tool.timeout_ms {
                table.insert("timeout_ms", (limit as i64).into());
            }
            table.insert("level", tool.level.name().into());
            let form = lists::FORMS.iter().find(|(_, form)| *form == tool.output);
            table.insert("output", form.map_or("", |(name, _)| *name).into());
            Value::InlineTable(table)
        })
        .collect()
}

fn parameter(parameter: &Parameter) -> Value {
    let mut table = InlineTable::new();
    table.insert("name", parameter.name.as_str().into());
    table.insert("type", parameter.kind.name().into());
    table.insert("description", parameter.description.as_str().into());
    if !parameter.choices.is_empty() {
        let choices: Array = parameter.choices.iter().map(scalar).collect();
        table.insert("enum", Value::Array(choices));
    }
    if let Some(default) = &parameter.default {
        table.insert("default", scalar(default));
    }
    table.insert("optional", parameter.optional.into());
    Value::InlineTable(table)
}

fn scalar(value: &serde_json::Value) -> Value {
    match value {
        serde_json::Value::Bool(flag) => (*flag).into(),
        serde_json::Value::Number(number) => match number.as_i64() {
            Some(whole) => whole.into(),
            None => number.as_f64().unwrap_or_default().into(),
        },
        other => other.as_str().unwrap_or_default().into(),
    }
}

/// A chosen name as a part of a key: in quotes when it needs them.
pub(super) fn name(name: &str) -> String {
    Key::new(name).display_repr().into_owned()
}

#[cfg(test)]
#[path = "shown_tests.rs"]
mod tests;
