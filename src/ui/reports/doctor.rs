//! What this machine gives, seen from a session.

use std::fmt::Write as _;

use crate::{domain::permission::Level, ui::Model};

/// What holds commands, and how far the session reaches.
pub fn doctor(model: &Model) -> String {
    let mut rows = match &model.session.sandbox {
        Some(report) => report.rows.clone(),
        None => vec![("sandbox", "not known yet: it is being tried".to_owned())],
    };
    if let Some(settings) = &model.session.settings {
        let unheld = settings.level == Level::Unrestricted;
        let held = if unheld {
            ": commands run as you, outside of the sandbox"
        } else {
            ""
        };
        rows.push(("level", format!("{}{held}", settings.level.name())));
        rows.push(("mode", settings.mode.name().to_owned()));
        rows.push(("network", settings.network.name().to_owned()));
        let reason = model.session.found.asking.reason();
        rows.push((
            "folder",
            match reason {
                _ if settings.trusted => "trusted".to_owned(),
                Some(reason) => format!("not trusted: {reason}"),
                None => "not trusted".to_owned(),
            },
        ));
    }
    let widest = rows.iter().map(|(about, _)| about.len()).max();
    let mut text = String::new();
    for (about, says) in rows {
        let _ = writeln!(
            text,
            "{about:<width$}  {says}",
            width = widest.unwrap_or_default()
        );
    }
    text
}
