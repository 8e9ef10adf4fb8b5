//! Names of scratchpad entries: what is fit for one, and what to say when there is none of that name.

use crate::{domain::scratchpad::ScratchpadInfo, tools::error::ToolError};

/// The longest name in characters.
const LONGEST: usize = 120;

/// How many names a refusal lists.
const LISTED: usize = 20;

/// The name without the space around it, or why it is not fit.
pub(super) fn fit<'a>(tool: &str, name: &'a str) -> Result<&'a str, ToolError> {
    let name = name.trim();
    let length = name.chars().count();
    if name.chars().any(char::is_control) {
        return Err(ToolError::model(format!(
            "{tool}: `name` must be one line without control characters"
        )));
    }
    if length > LONGEST {
        return Err(ToolError::model(format!(
            "{tool}: `name` has {length} characters; at most {LONGEST} are possible"
        )));
    }
    Ok(name)
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
