//! Names of scratchpad entries: what is fit for one, and what to say when there is none of that name.

use crate::{
    domain::scratchpad::{ScratchpadEntry, ScratchpadInfo, fit_name},
    tools::{context::ToolContext, contract::Concurrency, error::ToolError},
};

/// How many names a refusal lists.
const LISTED: usize = 20;

/// The name without the space around it, or why it is not fit.
pub(super) fn fit<'a>(tool: &str, name: &'a str) -> Result<&'a str, ToolError> {
    fit_as(tool, "name", name)
}

/// The same of a name that comes in another argument.
pub(super) fn fit_as<'a>(tool: &str, argument: &str, name: &'a str) -> Result<&'a str, ToolError> {
    fit_name(name).map_err(|why| ToolError::model(format!("{tool}: `{argument}` {why}")))
}

/// Calls about the same entry follow each other.
pub(super) fn one_by_one(name: &str) -> Concurrency {
    Concurrency::Keyed(format!("scratchpad {}", name.trim()))
}

/// The entry of this name, or the names that there are.
pub(super) async fn read(
    tool: &str,
    name: &str,
    context: &ToolContext,
) -> Result<ScratchpadEntry, ToolError> {
    if let Some(entry) = context.host.scratchpad_read(&context.agent, name).await? {
        return Ok(entry);
    }
    let entries = context.host.scratchpad_list(&context.agent).await?;
    Err(unknown(tool, name, &entries))
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
