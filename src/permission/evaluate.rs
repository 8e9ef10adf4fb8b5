//! The judgement: stage by stage, the first stage that decides ends it.
//!
//! Order: bounds (never asked) → a denial of the session or a deny rule → the level → rules and grants → the
//! mode. Nothing after a refusal can lift it. Every stage that was looked at stays in the judgement's path.

use super::{
    bounds,
    call::{PreparedCall, Target},
    grants::Grants,
    mode::{self, Situation},
    rule::{self, Pattern, describe},
    shell,
};
use crate::domain::permission::{
    DecisionStep, Judgement, Level, PermissionSettings, Risk, Rule, Verdict,
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
    let mut trail = Trail::default();
    let mut settings = settings.clone();
    settings.level = settings.level.min(cap);
    let decided = judge(call, &settings, grants, cap, &mut trail);
    trail.close(decided)
}

/// A stage's decision: verdict, stage, reason.
type Decision = (Verdict, &'static str, String);

fn judge(
    call: &PreparedCall,
    settings: &PermissionSettings,
    grants: &Grants,
    cap: Level,
    trail: &mut Trail,
) -> Decision {
    if let Some(reason) = bounds::refuses(call, settings) {
        return (Verdict::Deny, "bounds", reason);
    }
    trail.note("bounds", "nothing is out of bounds");
    if let Some(denial) = grants.denial(call, &settings.roots) {
        let says = format!("you said never in this session: {}", describe(denial));
        return (Verdict::Deny, "grant", says);
    }
    let rules = consult(call, settings);
    for caveat in &rules.caveats {
        trail.note("rule", caveat);
    }
    if let Some(Says {
        verdict: Verdict::Deny,
        rule,
    }) = rules.says
    {
        return (
            Verdict::Deny,
            "rule",
            format!("a rule says {}", describe(rule)),
        );
    }
    let grant = grants.allowance(call, &settings.roots);
    let answered = call.needs <= cap && (grant.is_some() || rules.answer(call, settings.level));
    if let Some(decision) = judge_level(call, settings, answered, trail) {
        return decision;
    }
    if let Some(grant) = grant {
        let says = format!("you allowed it for this session: {}", describe(grant));
        return (Verdict::Allow, "grant", says);
    }
    trail.note("grant", "no grant of this session covers it");
    if let Some(Says { verdict, rule }) = rules.says {
        return (verdict, "rule", format!("a rule says {}", describe(rule)));
    }
    trail.note("rule", "no rule decides");
    let situation = Situation {
        risk: call.risk,
        level: settings.level,
        foreign_read: bounds::foreign_read(call, settings).map(|path| path.display().to_string()),
        guarded_write: bounds::guarded_write(call, settings).map(|path| path.display().to_string()),
    };
    let (verdict, says) = mode::judge(settings.mode, &situation);
    (verdict, "mode", says)
}

/// A level below the need asks, or refuses when approvals are off. A standing answer stands for the person's.
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
    if !settings.approvals {
        let says = format!(
            "{short}, and approvals are off: raise the level with /permission {needs}, or turn approvals on"
        );
        return Some((Verdict::Deny, "level", says));
    }
    if answered {
        trail.note("level", format!("{short}; a standing answer follows"));
        return None;
    }
    Some((Verdict::Ask, "level", short))
}

/// What the configuration says about a call.
struct Consulted<'a> {
    says: Option<Says<'a>>,
    /// Allow rules that matched and do not count, with the reason.
    caveats: Vec<String>,
}

impl Consulted<'_> {
    /// Whether an allow rule stands for the person's answer where the level is too low: for a command, from
    /// `workspace` on, since without a sandbox every command needs `unrestricted`.
    fn answer(&self, call: &PreparedCall, level: Level) -> bool {
        call.risk == Risk::Execution
            && level >= Level::Workspace
            && self.says.is_some_and(|says| says.verdict == Verdict::Allow)
    }
}

/// A deciding rule with its verdict.
#[derive(Clone, Copy)]
struct Says<'a> {
    verdict: Verdict,
    rule: &'a Rule,
}

/// Every target is looked at by itself: one deny refuses the call, one ask asks, and only when all are allowed
/// is it allowed.
fn consult<'a>(call: &PreparedCall, settings: &'a PermissionSettings) -> Consulted<'a> {
    let mut caveats = Vec::new();
    let mut winners: Vec<Option<&Rule>> = Vec::new();
    if call.targets.is_empty() {
        let matching = settings.rules.iter().filter(|rule| {
            call.is_meant_by(&rule.action) && Pattern::parse(&rule.resource).matches("")
        });
        winners.push(rule::winner(matching));
    }
    for target in &call.targets {
        let wide = target.wide_subjects(&settings.roots);
        let narrow = target.narrow_subjects(&settings.roots);
        let matching = settings.rules.iter().filter(|rule| {
            let subjects = if rule.verdict == Verdict::Allow {
                &narrow
            } else {
                &wide
            };
            let pattern = Pattern::parse(&rule.resource);
            if !call.is_meant_by(&rule.action)
                || !subjects.iter().any(|subject| pattern.matches(subject))
            {
                return false;
            }
            match (rule.verdict, target) {
                (Verdict::Allow, Target::Shell { command }) if !pattern.is_exact() => {
                    match shell::hides(command) {
                        None => true,
                        Some(why) => {
                            caveats.push(format!("{} does not count: {why}", describe(rule)));
                            false
                        }
                    }
                }
                _ => true,
            }
        });
        winners.push(rule::winner(matching));
    }
    Consulted {
        says: strictest(&winners),
        caveats,
    }
}

fn strictest<'a>(winners: &[Option<&'a Rule>]) -> Option<Says<'a>> {
    let with = |verdict| {
        winners
            .iter()
            .flatten()
            .find(|rule| rule.verdict == verdict)
            .map(|&rule| Says { verdict, rule })
    };
    let all_decided = winners.iter().all(Option::is_some);
    with(Verdict::Deny)
        .or_else(|| with(Verdict::Ask))
        .or_else(|| with(Verdict::Allow).filter(|_| all_decided))
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
