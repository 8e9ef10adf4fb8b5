//! What the person allowed or forbade for the session, and the rule that an approval offers to add.
//!
//! A denial beats every grant. The offered rule is never wider than what was shown: that file, that command
//! line to the letter, that type of agent.

use std::path::PathBuf;

use super::{
    call::{PreparedCall, Target},
    consult::consult,
    rule::{Pattern, escape},
};
use crate::domain::permission::{Grant, Rule, Verdict};

/// Grants and denials in the order in which they were made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grants {
    list: Vec<Grant>,
}

impl Grants {
    /// Grants as they were recorded.
    pub fn new(list: Vec<Grant>) -> Self {
        let mut grants = Self::default();
        for grant in list {
            grants.add(grant);
        }
        grants
    }

    /// All of them, for showing.
    pub fn list(&self) -> &[Grant] {
        &self.list
    }

    /// Adds one; an equal one is not kept twice. A new denial takes back the grants that it covers; what it
    /// took back is returned.
    pub fn add(&mut self, grant: Grant) -> Vec<Grant> {
        let mut dropped = Vec::new();
        if grant.rule.verdict != Verdict::Allow {
            let (covered, kept) = std::mem::take(&mut self.list).into_iter().partition(|old| {
                old.rule.verdict == Verdict::Allow && covers(&grant.rule, &old.rule)
            });
            self.list = kept;
            dropped = covered;
        }
        if !self.list.contains(&grant) {
            self.list.push(grant);
        }
        dropped
    }

    /// Takes back every grant and denial with exactly this rule, and returns them.
    pub fn revoke(&mut self, rule: &Rule) -> Vec<Grant> {
        let (revoked, kept) = std::mem::take(&mut self.list)
            .into_iter()
            .partition(|grant| grant.rule == *rule);
        self.list = kept;
        revoked
    }

    /// The denial that covers some part of the call.
    pub(super) fn denial(&self, call: &PreparedCall, roots: &[PathBuf]) -> Option<&Rule> {
        consult(call, self.rules(Verdict::Deny), roots).denial()
    }

    /// The grant for the call; `None` when some part of it is not covered.
    pub(super) fn allowance(&self, call: &PreparedCall, roots: &[PathBuf]) -> Option<&Rule> {
        consult(call, self.rules(Verdict::Allow), roots).allowance()
    }

    fn rules(&self, verdict: Verdict) -> impl Iterator<Item = &Rule> {
        self.list
            .iter()
            .map(|grant| &grant.rule)
            .filter(move |rule| rule.verdict == verdict)
    }
}

/// The rule that "allow for this session" adds; `None` when the call touches several things, so that no
/// single narrow rule covers it.
pub fn session_rule(call: &PreparedCall) -> Option<Rule> {
    let resource = match call.targets.as_slice() {
        [] => "*".to_owned(),
        [Target::Path { resolved, .. }] => escape(&resolved.to_string_lossy()),
        [Target::Shell { command, .. }] => escape(command),
        [Target::Agent { name }] => escape(name),
        _ => return None,
    };
    Some(Rule {
        action: call.tool.clone(),
        resource,
        verdict: Verdict::Allow,
    })
}

/// Whether the denial's patterns match what the grant is about, taken as text.
fn covers(denial: &Rule, grant: &Rule) -> bool {
    let covers = |wide: &str, narrow: &str| wide == narrow || Pattern::parse(wide).matches(narrow);
    covers(&denial.action, &grant.action) && covers(&denial.resource, &grant.resource)
}

#[cfg(test)]
#[path = "grants_tests.rs"]
mod tests;
