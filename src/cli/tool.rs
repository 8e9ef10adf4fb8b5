//! `qd tool list` and `qd tool show NAME`: what agents can do, from the one list of tools.

use serde_json::{Value, json};

use super::{
    arguments::Format,
    doctor,
    failure::{Exit, Failure},
    options,
    run::Streams,
    startup::Setting,
    table,
};
use crate::{
    domain::tool::ListedTool,
    engine::toolset::{self, Around},
    providers,
    tools::{contract::AnyTool, registry},
    workspace::notebook,
};

pub(super) fn list(
    setting: &Setting,
    format: Format,
    streams: &mut Streams<'_>,
) -> Result<(), Failure> {
    let (loaded, ..) = setting.settings()?;
    streams.tell_all(&loaded.notices);
    let configured = options::configured(&loaded);
    let around = Around {
        may_spawn: loaded.settings.agents.max_depth > 0,
        // A person may set one in any session.
        has_goal: true,
        is_held: doctor::sandbox(setting, &loaded).enforced().is_some(),
        has_notebooks: notebook::is_in(&setting.cwd),
        may_unload: loaded.profile(loaded.first_profile()).is_ok_and(|chosen| {
            providers::registry::may_unload(&chosen.account.backend, &chosen.account.base_url)
        }),
    };
    let tools = toolset::listed(&configured, around);
    match format {
        Format::Text => {
            let rows: Vec<Vec<String>> = tools.into_iter().map(row).collect();
            table::write(streams.out, &rows)?;
            Ok(())
        }
        Format::Json => {
            let tools: Vec<_> = tools.iter().map(json).collect();
            streams.json(&tools)
        }
    }
}

fn row(tool: ListedTool) -> Vec<String> {
    let state = if tool.why_not.is_none() { "on" } else { "off" };
    vec![
        tool.name,
        state.to_owned(),
        tool.level.name().to_owned(),
        tool.risk.name().to_owned(),
        tool.why_not.unwrap_or(tool.summary),
    ]
}

fn json(tool: &ListedTool) -> Value {
    let aliases = registry::built_in(&tool.name).map_or(&[][..], |tool| tool.about().aliases);
    json!({
        "name": tool.name,
        "aliases": aliases,
        "enabled": tool.why_not.is_none(),
        "why_not": tool.why_not,
        "level": tool.level,
        "risk": tool.risk,
        "declared": tool.is_declared,
        "summary": tool.summary,
    })
}

pub(super) fn show(
    setting: &Setting,
    name: &str,
    format: Format,
    streams: &mut Streams<'_>,
) -> Result<(), Failure> {
    let declared = || -> Result<Option<&'static dyn AnyTool>, Failure> {
        let (loaded, ..) = setting.settings()?;
        let mut tools = registry::with(&loaded.settings.tools.declared);
        Ok(tools.find(|tool| tool.about().name == name))
    };
    // A built-in tool is shown whatever the settings are.
    let tool = match registry::built_in(name) {
        Some(tool) => Some(tool),
        None => declared()?,
    };
    let tool = tool.ok_or_else(|| {
        Failure::new(Exit::Failed, format!("there is no tool `{name}`"))
            .with_hint("`qd tool list` shows them")
    })?;
    let (about, spec) = (tool.about(), toolset::spec(tool));
    match format {
        Format::Text => {
            writeln!(streams.out, "{}\n\n{}", spec.name, spec.description)?;
            if !about.aliases.is_empty() {
                writeln!(streams.out, "\nAlso called: {}", about.aliases.join(", "))?;
            }
            if let Some(declared) = tool.declared() {
                writeln!(streams.out, "\nRuns: {}", declared.command.join(" "))?;
            }
            let schema = serde_json::to_string_pretty(&spec.schema)?;
            writeln!(streams.out, "\nArguments:\n{schema}")?;
            Ok(())
        }
        Format::Json => streams.json(&json!({
            "name": spec.name,
            "aliases": about.aliases,
            "description": spec.description,
            "schema": spec.schema,
        })),
    }
}
