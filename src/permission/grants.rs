//! What the person allowed or forbade, and the rule that an approval offers to add.
//!
//! A denial beats every grant. The offered rule is never wider than what was shown: that file, that command
//! line to the letter, that type of agent.

use std::path::PathBuf;

use super::{
    call::{PreparedCall, Target},
    consult::{consult, is_neutral},
    rule::{Pattern, escape},
    web,
};
use crate::domain::{
    ids::AgentId,
    permission::{Grant, Rule, Scope, Verdict},
};

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
                old.rule.verdict == Verdict::Allow
                    && takes_back(&grant.scope, &old.scope)
                    && covers(&grant.rule, &old.rule)
            });
            self.list = kept;
            dropped = covered;
        }
        if !self.list.contains(&grant) {
            self.list.push(grant);
        }
        dropped
    }

    /// Drops what is over.
    pub fn prune(&mut self, now_ms: i64) {
        self.list.retain(|grant| !grant.is_over(now_ms));
    }

    /// Those that count for an agent. `lineage` leads from the main agent down to it: what was allowed to one agent
    /// counts for it alone, what was forbidden to it counts for all below it as well.
    pub fn of_agent(&self, lineage: &[AgentId]) -> Self {
        let counts = |grant: &&Grant| match (grant.scope.agent(), grant.rule.verdict) {
            (None, _) => true,
            (Some(agent), Verdict::Allow) => lineage.last() == Some(agent),
            (Some(agent), _) => lineage.contains(agent),
        };
        Self {
            list: self.list.iter().filter(counts).cloned().collect(),
        }
    }

    /// Drops what held for a turn of this agent; says whether there was something.
    pub fn end_turn(&mut self, agent: &AgentId) -> bool {
        self.drop_where(|scope| matches!(scope, Scope::Turn(of) if of == agent))
    }

    /// Drops what held for a turn of any agent.
    pub fn end_turns(&mut self) {
        self.drop_where(|scope| matches!(scope, Scope::Turn(_)));
    }

    /// Drops what held for this agent; says whether there was something.
    pub fn end_agent(&mut self, agent: &AgentId) -> bool {
        self.drop_where(|scope| scope.agent() == Some(agent))
    }

    fn drop_where(&mut self, is_over: impl Fn(&Scope) -> bool) -> bool {
        let before = self.list.len();
        self.list.retain(|grant| !is_over(&grant.scope));
        self.list.len() < before
    }

    /// Takes back every grant and denial with exactly this rule, and returns them.
    pub fn revoke(&mut self, rule: &Rule) -> Vec<Grant> {
        let (revoked, kept) = std::mem::take(&mut self.list)
            .into_iter()
            .partition(|grant| grant.rule == *rule);
        self.list = kept;
        revoked
    }

    /// What was forbidden.
    pub(super) fn denials(&self) -> impl Iterator<Item = &Rule> {
        self.rules(Verdict::Deny)
    }

    /// The denial that covers some part of the call.
    pub(super) fn denial(&self, call: &PreparedCall, roots: &[PathBuf]) -> Option<&Rule> {
        consult(call, self.rules(Verdict::Deny), roots).denial()
    }

    /// How widely the answer with this rule holds, in words.
    pub(super) fn scope_of(&self, rule: &Rule) -> String {
        let made = self.list.iter().find(|grant| grant.rule == *rule);
        made.map_or_else(String::new, |grant| grant.scope.words())
    }

    /// The kinds of calls that were allowed.
    pub(super) fn kinds(&self) -> impl Iterator<Item = &Rule> {
        let kinds = self.list.iter().filter(|grant| grant.kind);
        kinds.map(|grant| &grant.rule)
    }

    /// The grant for the call; `None` when some part of it is not covered.
    pub(super) fn allowance(&self, call: &PreparedCall, roots: &[PathBuf]) -> Option<&Rule> {
        consult(call, self.rules(Verdict::Allow), roots).allowance()
    }

    fn rules(&self, verdict: Verdict) -> impl Iterator<Item = &Rule> {
        self.list
            .iter()
            .filter(|grant| !grant.kind)
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
        [Target::Url { url }] => web::site(url),
        _ => return None,
    };
    Some(Rule {
        action: call.tool.clone(),
        resource,
        verdict: Verdict::Allow,
    })
}

/// Patterns that a person may want to make a rule of, the narrowest first; each covers the call.
pub fn patterns(call: &PreparedCall) -> Vec<String> {
    let mut patterns: Vec<String> = session_rule(call)
        .into_iter()
        .map(|rule| rule.resource)
        .collect();
    match call.targets.as_slice() {
        [Target::Shell { line, .. }] => {
            let named = line.commands.iter().find(|command| !is_neutral(command));
            if let Some(command) = named.filter(|_| line.doubts.is_empty()) {
                let program = escape(
                    &command
                        .words
                        .first()
                        .map_or_else(String::new, |word| word.text.clone()),
                );
                let subcommand = command.arguments().first().filter(|word| {
                    word.literal
                        && word
                            .text
                            .chars()
                            .all(|c| c.is_ascii_lowercase() || c == '-')
                        && word.text.starts_with(|c: char| c.is_ascii_lowercase())
                });
                if let Some(subcommand) = subcommand {
                    patterns.push(format!("{program} {} *", subcommand.text));
                }
                patterns.push(format!("{program} *"));
            }
        }
        [Target::Url { url }] => patterns.insert(0, escape(url)),
        [Target::Path { resolved, .. }] => {
            if let Some(folder) = resolved.parent() {
                patterns.push(format!("{}/*", escape(&folder.to_string_lossy())));
            }
        }
        _ => {}
    }
    patterns
}

/// Whether a rule decides about a call: what a rule would have answered for.
pub fn covers_call(rule: &Rule, call: &PreparedCall, roots: &[PathBuf]) -> bool {
    let says = consult(call, std::iter::once(rule), roots).says;
    says.is_some_and(|says| says.verdict == rule.verdict)
}

/// Whether a denial of one scope ends grants of another, rather than only going before them: what is forbidden for a
/// turn or to an agent leaves what was allowed for longer.
fn takes_back(denial: &Scope, grant: &Scope) -> bool {
    match (denial, grant) {
        (Scope::Turn(one), Scope::Turn(other))
        | (Scope::Agent(one), Scope::Turn(other) | Scope::Agent(other)) => one == other,
        (Scope::Turn(_) | Scope::Agent(_), _) => false,
        (Scope::Session | Scope::Project | Scope::User, _) => true,
    }
}

/// Whether the denial's patterns match what the grant is about, taken as text.
fn covers(denial: &Rule, grant: &Rule) -> bool {
    let covers = |wide: &str, narrow: &str| wide == narrow || Pattern::parse(wide).matches(narrow);
    covers(&denial.action, &grant.action) && covers(&denial.resource, &grant.resource)
}

#[cfg(test)]
#[path = "grants_tests.rs"]
mod tests;
