//! The system prompt: byte-identical from turn to turn, so that the provider's cache holds.

/// For the agent that the person talks to.
pub const MAIN: &str = include_str!("main.md");
/// Added for a sub-agent.
pub const SUB_AGENT: &str = include_str!("sub_agent.md");

/// For a request that summarises a conversation.
pub const SUMMARY: &str = include_str!("summary.md");
/// What an agent is told when it is to summarise its own.
pub const CHECKPOINT: &str = include_str!("checkpoint.md");

/// The prompt of an agent.
pub fn prompt(is_main: bool) -> String {
    if is_main {
        MAIN.to_owned()
    } else {
        format!("{MAIN}\n{SUB_AGENT}")
    }
}
