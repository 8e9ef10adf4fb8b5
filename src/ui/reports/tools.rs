//! What an agent can call.

use std::fmt::Write as _;

use crate::{domain::tool::ListedTool, text::figures::counted};

/// The tools that are not offered with the reason, then the others with what each needs.
pub fn tools(tools: &[ListedTool]) -> String {
    let named = tools.iter().map(|tool| tool.name.len());
    let width = named.max().unwrap_or_default();
    let (offered, left_out): (Vec<_>, Vec<_>) =
        tools.iter().partition(|tool| tool.why_not.is_none());
    let mut text = format!("{} on offer\n", counted(offered.len(), "tool", "tools"));
    if !left_out.is_empty() {
        text.push_str("\nnot offered, and why\n");
    }
    for tool in left_out {
        let why = tool.why_not.as_deref().unwrap_or_default();
        let _ = writeln!(text, "{:<width$}  {why}", tool.name);
    }
    text.push_str("\noffered: what a call needs at the least, and what it may do\n");
    for tool in offered {
        let yours = if tool.is_declared { "  yours" } else { "" };
        let _ = writeln!(
            text,
            "{:<width$}  {:<12}  {}{yours}",
            tool.name,
            tool.level.name(),
            tool.risk.name()
        );
    }
    text
}
