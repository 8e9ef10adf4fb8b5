//! What the documents of an agent and of those above it say about a call.
//!
//! Each denies whatever it names and lets nothing of it through; the strictest counts. Only the agent's own may answer
//! for the person, so that handing work on never makes more possible.

use std::path::PathBuf;

use super::{call::PreparedCall, consult::consult, rule::describe};
use crate::domain::{
    agent_policy::AgentPermissions,
    permission::{Rule, Verdict},
};

/// The verdict of the documents and why; `None` when they leave the call to the configuration.
pub(super) fn says(
    call: &PreparedCall,
    policies: &[AgentPermissions],
    roots: &[PathBuf],
) -> Option<(Verdict, String)> {
    let verdicts: Vec<(Verdict, String, bool)> = policies
        .iter()
        .filter_map(|policy| of_one(call, policy, roots))
        .collect();
    let first = |wanted| {
        let found = verdicts
            .iter()
            .find(|(verdict, _, counts)| *verdict == wanted && *counts);
        found.map(|(verdict, says, _)| (*verdict, says.clone()))
    };
    first(Verdict::Deny)
        .or_else(|| first(Verdict::Ask))
        .or_else(|| first(Verdict::Allow))
}

/// Verdict, reason, and whether it counts by itself.
fn of_one(
    call: &PreparedCall,
    policy: &AgentPermissions,
    roots: &[PathBuf],
) -> Option<(Verdict, String, bool)> {
    let rules: Vec<Rule> = policy.rules();
    // Rules about reading files hold for what a command looks at.
    let consulted = consult(call, rules.iter(), roots);
    let of = &policy.of;
    if let Some(says) = consulted.says {
        let rule = describe(says.rule);
        let counts = says.verdict != Verdict::Allow || policy.answers;
        return Some((
            says.verdict,
            format!("the agent type {of} says {rule}"),
            counts,
        ));
    }
    if !policy.actions.keys().any(|action| call.is_meant_by(action)) {
        return None;
    }
    let why = consulted.caveats.first();
    let why = why.map_or_else(String::new, |why| format!(": {why}"));
    let says = format!(
        "the agent type {of} names {} and allows nothing like this{why}",
        call.tool
    );
    Some((Verdict::Deny, says, true))
}
