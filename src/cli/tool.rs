//! `qd tool list` and `qd tool show NAME`: what agents can do, from the one list of tools.

use serde_json::json;

use super::{
    arguments::Format,
    failure::{Exit, Failure},
    run::Streams,
    startup::Setting,
    table,
};
use crate::{
    engine::toolset,
    tools::{contract::AnyTool, registry},
};

pub(super) fn list(
    setting: &Setting,
    format: Format,
    streams: &mut Streams<'_>,
) -> Result<(), Failure> {
    let (loaded, _) = setting.settings()?;
    streams.tell_all(&loaded.notices);
    let is_on = |tool: &dyn AnyTool| {
        let disabled = &loaded.settings.tools.disabled;
        !disabled.iter().any(|name| name == tool.about().name)
    };
    match format {
        Format::Text => {
            let rows: Vec<Vec<String>> = registry::with(&loaded.settings.tools.declared)
                .map(|tool| {
                    let about = tool.about();
                    let state = if is_on(tool) { "on" } else { "off" };
                    vec![
                        about.name.to_owned(),
                        state.to_owned(),
                        first_line(about.description).to_owned(),
                    ]
                })
                .collect();
            table::write(streams.out, &rows)?;
            Ok(())
        }
        Format::Json => {
            let tools: Vec<_> = registry::with(&loaded.settings.tools.declared)
                .map(|tool| {
                    let about = tool.about();
                    json!({
                        "name": about.name,
                        "aliases": about.aliases,
                        "enabled": is_on(tool),
                        "declared": tool.declared().is_some(),
                        "summary": first_line(about.description),
                    })
                })
                .collect();
            streams.json(&tools)
        }
    }
}

pub(super) fn show(
    setting: &Setting,
    name: &str,
    format: Format,
    streams: &mut Streams<'_>,
) -> Result<(), Failure> {
    let declared = || -> Result<Option<&'static dyn AnyTool>, Failure> {
        let (loaded, _) = setting.settings()?;
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

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
