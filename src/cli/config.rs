//! `qd config path|show|check|init`.

use serde_json::{Map, Value, json};

use super::{
    arguments::Format,
    environment::HiddenVariables,
    failure::{Exit, Failure},
    run::Streams,
    startup::Setting,
    table,
};
use crate::{
    config::{Loaded, Paths, edit, shown},
    domain::{hook::HookCommand, notice::Notice},
    process::program,
    providers::registry,
};

pub(super) fn path(
    setting: &Setting,
    format: Format,
    streams: &mut Streams<'_>,
) -> Result<(), Failure> {
    let named = setting.paths.named();
    match format {
        Format::Text => {
            let rows: Vec<Vec<String>> = named
                .iter()
                .map(|(name, path)| vec![(*name).to_owned(), path.display().to_string()])
                .collect();
            table::write(streams.out, &rows)?;
            Ok(())
        }
        Format::Json => {
            let object: Map<String, Value> = named
                .into_iter()
                .map(|(name, path)| (name.replace(' ', "_"), json!(path)))
                .collect();
            streams.json(&object)
        }
    }
}

pub(super) fn show(
    setting: &Setting,
    format: Format,
    streams: &mut Streams<'_>,
) -> Result<(), Failure> {
    let (loaded, ..) = setting.settings()?;
    streams.tell_all(&loaded.notices);
    let values = shown::values(&loaded.settings);
    match format {
        Format::Text => {
            let rows: Vec<Vec<String>> = values
                .iter()
                .map(|(key, value)| {
                    vec![
                        format!("{key} = {value}"),
                        format!("# {}", loaded.origin(key)),
                    ]
                })
                .collect();
            table::write(streams.out, &rows)?;
            Ok(())
        }
        Format::Json => {
            let rows: Vec<Value> = values
                .iter()
                .map(|(key, value)| {
                    json!({
                        "key": key,
                        "value": shown::json(value),
                        "origin": loaded.origin(key).to_string(),
                    })
                })
                .collect();
            streams.json(&rows)
        }
    }
}

pub(super) fn check(
    setting: &Setting,
    environment: &HiddenVariables,
    streams: &mut Streams<'_>,
) -> Result<(), Failure> {
    let (loaded, trust, asking) = setting.settings()?;
    streams.tell_all(&loaded.notices);
    for name in loaded.own_profiles() {
        if let Ok(chosen) = loaded.profile(name) {
            for words in registry::without_effect(&chosen) {
                streams.tell(&Notice::warning(words));
            }
        }
    }
    let project = Paths::project_file(&setting.cwd);
    if !trust.is_given() && project.exists() {
        let text = format!(
            "{} was not looked at: this folder is not trusted",
            project.display()
        );
        let notice = Notice::warning(text);
        streams.tell(&match asking.reason() {
            Some(reason) => notice.with_hint(reason),
            None => notice,
        });
    }
    for (account, variable) in loaded.unset_variables(|name| environment.get(name).is_some()) {
        let text = format!(
            "account {account} takes its key from {variable}, which is not set in this environment"
        );
        streams.tell(&Notice::warning(text));
    }
    for notice in missing_programs(setting, &loaded) {
        streams.tell(&notice);
    }
    let rows: Vec<Vec<String>> = if loaded.files.is_empty() {
        let none = setting.paths.config_file().display().to_string();
        vec![vec!["not there".to_owned(), none]]
    } else {
        let files = loaded.files.iter();
        files
            .map(|file| vec!["ok".to_owned(), file.display().to_string()])
            .collect()
    };
    table::write(streams.out, &rows)?;
    Ok(())
}

/// Hooks and declared tools whose program is nowhere. Of a line for bash nothing is known before it runs.
fn missing_programs(setting: &Setting, loaded: &Loaded) -> Vec<Notice> {
    let settings = &loaded.settings;
    let hooks = settings
        .hooks
        .iter()
        .filter_map(|hook| match &hook.command {
            HookCommand::Words(words) => Some((format!("the hook {}", hook.name), words.first()?)),
            HookCommand::Line(_) => None,
        });
    let tools = settings.tools.declared.iter();
    let tools = tools.filter_map(|tool| {
        let what = format!("the declared tool {}", tool.name);
        Some((what, tool.command.first()?))
    });
    let is_missing = |name: &str| {
        if name.contains('/') {
            !program::can_run(&setting.cwd.join(name))
        } else {
            std::env::var_os("PATH").is_some() && program::find(name, &[]).is_none()
        }
    };
    hooks
        .chain(tools)
        .filter(|(_, program)| is_missing(program))
        .map(|(what, program)| {
            Notice::warning(format!("{what} runs {program}, which is no program here"))
                .with_hint("name it by its whole path, or put its folder into PATH")
        })
        .collect()
}

pub(super) fn init(setting: &Setting, streams: &mut Streams<'_>) -> Result<(), Failure> {
    let (file, written) = edit::init(&setting.paths)?;
    if !written {
        let text = format!("{} is there already; it was not changed", file.display());
        return Err(Failure::new(Exit::Failed, text));
    }
    writeln!(streams.out, "{}", table::line(&file.display().to_string()))?;
    Ok(())
}
