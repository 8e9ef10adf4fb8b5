//! `qd doctor`: what this machine gives the program, and what follows where it does not.

use std::io::IsTerminal as _;

use serde_json::{Value, json};

use super::{
    arguments::Format,
    failure::{Exit, Failure},
    options,
    run::Streams,
    startup::Setting,
    table,
};
use crate::{
    config::layers::Loaded,
    process::sandbox::state::{self, State},
};

/// A line of the report: what it is about, and what there is to say.
type Row = (&'static str, String);

pub(super) fn report(
    setting: &Setting,
    format: Format,
    streams: &mut Streams<'_>,
) -> Result<(), Failure> {
    let (loaded, trust, asking) = setting.settings()?;
    let trust = match (trust.is_given(), asking.reason()) {
        (true, _) => "trusted".to_owned(),
        (false, None) => "not trusted".to_owned(),
        (false, Some(reason)) => format!("not trusted: {reason}"),
    };
    let wanted = options::sandbox(&loaded);
    let state = sandbox(setting, &loaded);
    match format {
        Format::Text => {
            let mut rows = state.report(wanted.choice).rows;
            rows.extend(other_rows(setting, &trust));
            let rows: Vec<Vec<String>> = rows
                .into_iter()
                .map(|(about, says)| vec![about.to_owned(), says])
                .collect();
            table::write(streams.out, &rows)?;
            Ok(())
        }
        Format::Json => {
            let others: serde_json::Map<String, Value> = other_rows(setting, &trust)
                .into_iter()
                .map(|(about, says)| (about.to_owned(), says.into()))
                .collect();
            streams.json(&json!({ "sandbox": sandbox_json(&state), "machine": others }))
        }
    }?;
    match state {
        State::Broken { .. } => Err(Failure::new(
            Exit::Setup,
            "the sandbox that sandbox.backend names does not hold here",
        )
        .with_hint("set sandbox.backend to \"auto\"")),
        State::On(_) | State::Off { .. } => Ok(()),
    }
}

/// What holds commands.
pub(super) fn sandbox(setting: &Setting, loaded: &Loaded) -> State {
    let spool = setting.paths.spool();
    let place = if spool.is_dir() {
        spool
    } else {
        // Looking must not make the program's own folders.
        std::env::temp_dir()
    };
    state::find(options::sandbox(loaded).choice, &place)
}

fn sandbox_json(state: &State) -> Value {
    match state {
        State::On(enforced) => json!({
            "backend": enforced.backend,
            "enforced": enforced,
            "missing": enforced.missing(),
        }),
        State::Off { tried } => json!({ "backend": null, "tried": tried }),
        State::Broken { backend, why } => json!({ "backend": null, "tried": [[backend, why]] }),
    }
}

fn other_rows(setting: &Setting, trust: &str) -> Vec<Row> {
    let variable = |name: &str| std::env::var(name).unwrap_or_else(|_| "not set".to_owned());
    let terminal = if std::io::stdout().is_terminal() {
        ""
    } else {
        ", and this is none"
    };
    let exists = |path: &std::path::Path| {
        let there = if path.exists() { "" } else { " (not made yet)" };
        format!("{}{there}", path.display())
    };
    vec![
        (
            "terminal",
            format!(
                "TERM {}, COLORTERM {}{terminal}",
                variable("TERM"),
                variable("COLORTERM")
            ),
        ),
        ("settings", exists(&setting.paths.config_file())),
        ("sessions", exists(&setting.store_places().database())),
        ("folder", format!("{}, {trust}", setting.cwd.display())),
    ]
}
