//! Names of scratchpad entries: what is fit for one, and what to say when there is none of that name.

use crate::{
    domain::scratchpad::{ScratchpadInfo, fit_name},
    tools::error::ToolError,
};

/// How many names a refusal lists.
const LISTED: usize = 20;

/// The name without the space around it, or why it is not fit.
pub(super) fn fit<'a>(tool: &str, name: &'a str) -> Result<&'a str, ToolError> {
    fit_name(name).map_err(|why| ToolError::model(format!("{tool}: `name` {why}")))
}

/// Says that there is no such entry, and which there are.
pub(super) fn unknown(tool: &str, name: &str, entries: &[ScratchpadInfo]) -> ToolError {
    let mut names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
    let left_out = names.len().saturating_sub(LISTED);
    names.truncate(LISTED);
    let known = match (names.is_empty(), left_out) {
        (true, _) => "the scratchpad is empty".to_owned(),
        (false, 0) => format!("the entries are {}", names.join(", ")),
        (false, more) => format!("the entries are {} and {more} more", names.join(", ")),
    };
    ToolError::model(format!("{tool}: there is no entry `{name}`; {known}"))
}
