//! What the person allowed or forbade, and the rule that an approval offers to add.
//!
//! A denial beats every grant. The offered rule is never wider than what was shown: that file, that command
//! line to the letter, that type of agent.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{
    call::{PreparedCall, Target},
    consult::{consult, is_neutral},
    rule::{Pattern, escape},
    shell::{Role, Simple, Word},
    web,
};
use crate::domain::{
    ids::AgentId,
    permission::{Grant, Rule, Scope, Verdict},
};

/// The most commands of a line for which patterns are offered.
const MOST_COMMANDS: usize = 6;

/// Grants and denials in the order in which they were made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
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
    Some(allowing(call, &resource))
}

fn allowing(call: &PreparedCall, resource: &str) -> Rule {
    Rule {
        action: call.tool.clone(),
        resource: resource.to_owned(),
        verdict: Verdict::Allow,
    }
}

/// Patterns that a person may want to make rules of, the narrowest first, which is for exactly the call. Each of the
/// others covers it; where a line runs several commands, by several patterns, one a line.
pub fn patterns(call: &PreparedCall) -> Vec<String> {
    let mut patterns: Vec<String> = session_rule(call)
        .into_iter()
        .map(|rule| rule.resource)
        .collect();
    match call.targets.as_slice() {
        [Target::Shell { line, .. }] => {
            let named = line
                .commands
                .iter()
                .filter(|command| command.role != Role::Wrapper && !is_neutral(command));
            let named: Vec<&Simple> = named.take(MOST_COMMANDS + 1).collect();
            if named.is_empty() || named.len() > MOST_COMMANDS {
                return patterns;
            }
            for of_command in [by_subcommand, by_program] {
                let mut lines: Vec<String> = Vec::new();
                for pattern in named.iter().copied().map(of_command) {
                    if !lines.contains(&pattern) {
                        lines.push(pattern);
                    }
                }
                let rules: Vec<Rule> = lines.iter().map(|line| allowing(call, line)).collect();
                let text = lines.join("\n");
                if !patterns.contains(&text) && covers_call(&rules, call, &[]) {
                    patterns.push(text);
                }
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

/// The pattern for a program.
fn by_program(command: &Simple) -> String {
    let program = command.words.first().map_or("", |word| word.text.as_str());
    format!("{} *", escape(program))
}

/// The pattern for what a program is told to do, where that is a word of its own.
fn by_subcommand(command: &Simple) -> String {
    let is_name = |word: &&Word| {
        let mut letters = word.text.chars();
        word.literal
            && letters.next().is_some_and(|c| c.is_ascii_lowercase())
            && letters.all(|c| c.is_ascii_lowercase() || c == '-')
    };
    let program = command.words.first().map_or("", |word| word.text.as_str());
    match command.arguments().first().filter(is_name) {
        Some(subcommand) => format!("{} {} *", escape(program), subcommand.text),
        None => by_program(command),
    }
}

/// Whether rules of one verdict decide about a call: what they would have answered for.
pub fn covers_call(rules: &[Rule], call: &PreparedCall, roots: &[PathBuf]) -> bool {
    let verdict = rules.first().map(|rule| rule.verdict);
    let says = consult(call, rules.iter(), roots).says;
    says.is_some_and(|says| Some(says.verdict) == verdict)
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
