//! The judgement: stage by stage, the first stage that decides ends it.
//!
//! Order: the floor and bounds (never asked) → a denial of the session, of the agent's type or a deny rule → the level
//! → grants, the agent's type and rules → the mode. Nothing after a refusal can lift it. Every stage that was looked at stays in the judgement's path.
//! Where approvals are off, what a stage would ask is refused.

use std::borrow::Cow;

use super::{
    agent, bounds,
    call::PreparedCall,
    consult::{Says, consult},
    grants::Grants,
    kinds,
    mode::{self, Situation},
    rule::describe,
};
use crate::domain::{
    agent_policy::AgentPermissions,
    permission::{DecisionStep, Judgement, Level, PermissionSettings, Risk, Verdict},
};

/// Judges a prepared call of the session's own agent.
pub fn evaluate(call: &PreparedCall, settings: &PermissionSettings, grants: &Grants) -> Judgement {
    evaluate_capped(call, settings, grants, Level::Unrestricted)
}

/// Judges a prepared call of an agent whose own level is at most `cap`. What needs more than the cap is asked each
/// time: neither a grant, which the person gave with the session's level in mind, nor a rule answers for it.
pub fn evaluate_capped(
    call: &PreparedCall,
    settings: &PermissionSettings,
    grants: &Grants,
    cap: Level,
) -> Judgement {
    let limits = Limits { cap, policies: &[] };
    evaluate_limited(call, settings, grants, &limits)
}

/// What holds for one agent: the most that it may do, and its documents.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// The most that it may do.
    pub cap: Level,
    /// What its document and those above it let it do, its own last.
    pub policies: &'a [AgentPermissions],
}

/// Judges a prepared call of an agent with documents.
pub fn evaluate_limited(
    call: &PreparedCall,
    settings: &PermissionSettings,
    grants: &Grants,
    limits: &Limits<'_>,
) -> Judgement {
    let mut trail = Trail::default();
    let mut settings = Cow::Borrowed(settings);
    if settings.level > limits.cap {
        settings.to_mut().level = limits.cap;
    }
    let decided = judge(call, &settings, grants, limits, &mut trail);
    trail.close(unasked(decided, call, &settings))
}

/// With approvals off a question of any stage is a refusal.
fn unasked(decided: Decision, call: &PreparedCall, settings: &PermissionSettings) -> Decision {
    let (Verdict::Ask, stage, says) = decided else {
        return decided;
    };
    if settings.approvals {
        return (Verdict::Ask, stage, says);
    }
    let way = if stage == "level" {
        let needs = call.needs.name();
        format!("raise the level with /permission {needs}, or turn approvals on with /asking")
    } else {
        "turn them on with /asking, or allow it by a rule".to_owned()
    };
    let says = format!("{says}, and approvals are off: {way}");
    (Verdict::Deny, stage, says)
}

/// A stage's decision: verdict, stage, reason.
type Decision = (Verdict, &'static str, String);

fn judge(
    call: &PreparedCall,
    settings: &PermissionSettings,
    grants: &Grants,
    limits: &Limits<'_>,
    trail: &mut Trail,
) -> Decision {
    if let Some(found) = &call.floor {
        let says = format!(
            "{} ({}): no level, mode, rule or answer allows it; whoever wants it runs it with !",
            found.says, found.code
        );
        return (Verdict::Deny, "floor", says);
    }
    trail.note("floor", "nothing that is never allowed");
    if let Some(reason) = bounds::refuses(call, settings) {
        return (Verdict::Deny, "bounds", reason);
    }
    trail.note("bounds", "nothing is out of bounds");
    let roots = &settings.roots;
    if let Some(denial) = grants.denial(call, roots) {
        let says = format!(
            "you said never, {}: {}",
            grants.scope_of(denial),
            describe(denial)
        );
        return (Verdict::Deny, "grant", says);
    }
    let document = agent::says(call, limits.policies, roots);
    if let Some((Verdict::Deny, says)) = document {
        return (Verdict::Deny, "agent", says);
    }
    let rules = consult(call, settings.rules.iter(), roots);
    for caveat in &rules.caveats {
        trail.note("rule", caveat);
    }
    if let Some(rule) = rules.denial() {
        return (
            Verdict::Deny,
            "rule",
            format!("a rule says {}", describe(rule)),
        );
    }
    let grant = grants.allowance(call, roots);
    let answered = call.needs <= limits.cap
        && (grant.is_some() || answers(rules.says.as_ref(), call, settings.level));
    if let Some(decision) = judge_level(call, settings, answered, trail) {
        return decision;
    }
    if let Some(grant) = grant {
        let says = format!(
            "you allowed it {}: {}",
            grants.scope_of(grant),
            describe(grant)
        );
        return (Verdict::Allow, "grant", says);
    }
    trail.note("grant", "no grant of this session covers it");
    if let Some((verdict, says)) = document {
        return (verdict, "agent", says);
    }
    if !limits.policies.is_empty() {
        trail.note("agent", "its type leaves it to the configuration");
    }
    if let Some(Says { verdict, rule }) = rules.says {
        return (verdict, "rule", format!("a rule says {}", describe(rule)));
    }
    trail.note("rule", "no rule decides");
    match &call.unproven {
        Some(why) => trail.note("mode", format!("it may do more than look: {why}")),
        None if call.risk == Risk::ReadOnlyLocal && !call.looks.is_empty() => {
            trail.note("mode", "the line was proven to only look");
        }
        None => {}
    }
    let situation = Situation {
        risk: call.risk,
        level: settings.level,
        foreign_read: bounds::foreign_read(call, settings).map(|path| path.display().to_string()),
        kinds: kinds::known(call, settings, grants.kinds()),
        guarded_write: bounds::guarded_write(call, settings).map(|path| path.display().to_string()),
    };
    let (verdict, says) = mode::judge(settings.mode, &situation);
    (verdict, "mode", says)
}

/// A level below the need asks. A standing answer stands for the person's while approvals are on.
fn judge_level(
    call: &PreparedCall,
    settings: &PermissionSettings,
    answered: bool,
    trail: &mut Trail,
) -> Option<Decision> {
    let (needs, has) = (call.needs.name(), settings.level.name());
    if call.needs <= settings.level {
        trail.note("level", format!("needs {needs}, {has} is given"));
        return None;
    }
    let short = format!("it needs level {needs}, and {has} is given");
    if answered && settings.approvals {
        trail.note("level", format!("{short}; a standing answer follows"));
        return None;
    }
    Some((Verdict::Ask, "level", short))
}

/// Allow rules that stand for the person's answer where the level is too low: for a command, from `workspace` on,
/// since without a sandbox every command needs `unrestricted`.
fn answers(says: Option<&Says<'_>>, call: &PreparedCall, level: Level) -> bool {
    call.risk == Risk::Execution
        && level >= Level::Workspace
        && says.is_some_and(|says| says.verdict == Verdict::Allow)
}

/// The stages looked at so far.
#[derive(Default)]
struct Trail {
    path: Vec<DecisionStep>,
}

impl Trail {
    fn note(&mut self, stage: &str, says: impl Into<String>) {
        self.path.push(DecisionStep {
            stage: stage.to_owned(),
            says: says.into(),
            decided: false,
        });
    }

    fn close(mut self, (verdict, stage, reason): Decision) -> Judgement {
        self.path.push(DecisionStep {
            stage: stage.to_owned(),
            says: reason.clone(),
            decided: true,
        });
        Judgement {
            verdict,
            reason,
            path: self.path,
        }
    }
}

#[cfg(test)]
#[path = "evaluate_tests.rs"]
mod tests;
