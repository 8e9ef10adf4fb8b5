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
            let rows: Vec<Vec<String>> = registry::all()
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
            let tools: Vec<_> = registry::all()
                .map(|tool| {
                    let about = tool.about();
                    json!({
                        "name": about.name,
                        "aliases": about.aliases,
                        "enabled": is_on(tool),
                        "summary": first_line(about.description),
                    })
                })
                .collect();
            streams.json(&tools)
        }
    }
}

pub(super) fn show(name: &str, format: Format, streams: &mut Streams<'_>) -> Result<(), Failure> {
    let tool = registry::find(name).ok_or_else(|| {
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
