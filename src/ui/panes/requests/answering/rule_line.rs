//! The rules that a person makes of an answer, mostly one: their patterns, how widely and how long they hold, and what
//! they would have answered for so far.
//!
//! The one invariant: rules are made only when they are known to cover the call that is shown.

use crossterm::event::KeyCode;

use crate::{
    domain::{
        approval::ApprovalRequest,
        ids::{AgentId, CallId},
        permission::{Grant, Rule, Scope, Verdict},
    },
    engine::event::Covered,
    ui::{message::Clock, panes::composer::Editor},
};

/// How long the pattern must have been still before the engine is asked about it.
const STILL_MS: u64 = 200;
/// How long an answer may be out before the same may be asked again.
const PATIENCE_MS: u64 = 2_000;
const DAY_MS: i64 = 24 * 3_600_000;

/// A rule that is being made.
#[derive(Debug)]
pub struct RuleLine {
    /// The patterns as they stand, one a line.
    pub pattern: Editor,
    /// How widely it will hold.
    pub scope: Scope,
    /// When it will end.
    pub end: End,
    action: String,
    call: (AgentId, CallId),
    offered: Vec<String>,
    /// The offered pattern that was taken last.
    at: usize,
    changed_ms: u64,
    /// What the engine was asked about last, and when.
    asked: Option<(Vec<Rule>, u64)>,
    found: Option<Covered>,
}

/// When a rule ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// With its scope.
    #[default]
    WithScope,
    /// At the next midnight of the person's time.
    Today,
    /// A week from now.
    Week,
}

/// What is known of the rule as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known<'a> {
    /// There is no pattern.
    Empty,
    /// The engine has not said it yet.
    NotYet,
    /// It does not cover the call that is shown.
    Elsewhere,
    /// It covers the call, and these.
    Covers(&'a Covered),
}

impl RuleLine {
    /// A rule that starts from what the request offers; `None` when it offers nothing.
    pub fn of(request: &ApprovalRequest, now_ms: u64) -> Option<Self> {
        let at = usize::from(request.offers.patterns.len() > 1);
        let first = request.offers.patterns.get(at)?;
        let mut pattern = Editor::multi_line().field();
        pattern.set_text(first);
        Some(Self {
            pattern,
            scope: Scope::Session,
            end: End::WithScope,
            action: request.tool.clone(),
            call: (request.agent.clone(), request.call.clone()),
            offered: request.offers.patterns.clone(),
            at,
            // The pattern that it starts with is asked about at once.
            changed_ms: now_ms.saturating_sub(STILL_MS),
            asked: None,
            found: None,
        })
    }

    /// The rules as they stand. The text of the call itself is one pattern, however many lines it has.
    pub fn rules(&self) -> Vec<Rule> {
        let text = self.pattern.text();
        let is_call = self.offered.first() == Some(&text);
        let patterns = if is_call {
            vec![text.as_str()]
        } else {
            text.lines().collect()
        };
        let patterns = patterns
            .into_iter()
            .filter(|pattern| !pattern.trim().is_empty());
        patterns
            .map(|pattern| Rule {
                action: self.action.clone(),
                resource: pattern.to_owned(),
                verdict: Verdict::Allow,
            })
            .collect()
    }

    /// What the rules would be from now on.
    pub fn grants(&self, clock: &Clock) -> Vec<Grant> {
        let grant = |rule| Grant {
            rule,
            scope: self.scope.clone(),
            expires_ms: self.end.at(clock),
            kind: false,
        };
        self.rules().into_iter().map(grant).collect()
    }

    /// Takes another of the offered patterns.
    pub fn walk(&mut self, key: KeyCode, now_ms: u64) {
        let count = self.offered.len().max(1);
        let by = if key == KeyCode::Up { count - 1 } else { 1 };
        self.at = (self.at + by) % count;
        if let Some(pattern) = self.offered.get(self.at) {
            self.pattern.set_text(pattern);
        }
        self.changed(now_ms);
    }

    /// The pattern was changed.
    pub fn changed(&mut self, now_ms: u64) {
        self.changed_ms = now_ms;
    }

    /// Takes the next scope.
    pub fn widen(&mut self) {
        self.scope = match &self.scope {
            Scope::Turn(agent) => Scope::Agent(agent.clone()),
            Scope::User => Scope::Turn(self.call.0.clone()),
            scope => wider(scope),
        };
        self.end = self.end.within(&self.scope);
    }

    /// Takes the next end.
    pub fn prolong(&mut self) {
        self.end = self.end.next(&self.scope);
    }

    /// What the rule would do, in words.
    pub fn words(&self) -> String {
        let scope = match &self.scope {
            Scope::Turn(_) => "in this turn",
            Scope::Agent(_) => "by this agent",
            Scope::Session => "in this session",
            Scope::Project => "in this folder",
            Scope::User => "everywhere",
        };
        match (&self.scope, self.end) {
            (Scope::Turn(_) | Scope::Agent(_) | Scope::Session, End::WithScope) => scope.to_owned(),
            (scope_of, end) => format!("{scope}, {}", end.name(scope_of)),
        }
    }

    /// What is known of the rule as it stands.
    pub fn known(&self) -> Known<'_> {
        let rules = self.rules();
        if rules.is_empty() {
            return Known::Empty;
        }
        match &self.found {
            Some(found) if found.rules != rules => Known::NotYet,
            None => Known::NotYet,
            Some(found) if found.calls.contains(&self.call) => Known::Covers(found),
            Some(_) => Known::Elsewhere,
        }
    }

    /// In how many milliseconds the engine is to be asked about the rule; `None` when there is nothing to ask.
    pub fn due_in_ms(&self, now_ms: u64) -> Option<u64> {
        if self.known() != Known::NotYet {
            return None;
        }
        let still = self.changed_ms.saturating_add(STILL_MS);
        let due = match &self.asked {
            None => still,
            // It was refused, or the answer was lost; Enter asks again.
            Some((asked, _)) if *asked == self.rules() => return None,
            // One question at a time.
            Some((_, at)) => still.max(at.saturating_add(PATIENCE_MS)),
        };
        Some(due.saturating_sub(now_ms))
    }

    /// The rules, when it is time to ask about them.
    pub fn take_due(&mut self, now_ms: u64) -> Option<Vec<Rule>> {
        if self.due_in_ms(now_ms)? > 0 {
            return None;
        }
        let rules = self.rules();
        self.asked = Some((rules.clone(), now_ms));
        Some(rules)
    }

    /// What was asked long ago may be asked again.
    pub fn insist(&mut self, now_ms: u64) {
        let is_old = |at: u64| now_ms.saturating_sub(at) >= PATIENCE_MS;
        if self.asked.as_ref().is_some_and(|(_, at)| is_old(*at)) {
            self.asked = None;
        }
    }

    /// The engine has answered.
    pub fn found(&mut self, covered: &Covered) {
        if self
            .asked
            .as_ref()
            .is_some_and(|(asked, _)| *asked == covered.rules)
        {
            self.asked = None;
            self.found = Some(covered.clone());
        }
    }
}

/// The scope that comes after this one, among those that are about no agent alone; the narrowest comes after the
/// widest.
pub fn wider(scope: &Scope) -> Scope {
    match scope {
        Scope::Turn(_) | Scope::Agent(_) => Scope::Session,
        Scope::Session => Scope::Project,
        Scope::Project => Scope::User,
        Scope::User => Scope::Session,
    }
}

impl End {
    /// The end that comes after this one, as far as this scope has it.
    pub fn next(self, scope: &Scope) -> Self {
        let next = match self {
            Self::WithScope => Self::Today,
            Self::Today => Self::Week,
            Self::Week => Self::WithScope,
        };
        next.within(scope)
    }

    /// The same as far as this scope has it: a session does not last for a week, a turn not until midnight.
    pub fn within(self, scope: &Scope) -> Self {
        match self {
            Self::Week if !scope.lasts() => Self::WithScope,
            Self::Today if matches!(scope, Scope::Turn(_)) => Self::WithScope,
            end => end,
        }
    }

    /// In words.
    pub fn name(self, scope: &Scope) -> &'static str {
        match (self, scope) {
            (Self::WithScope, Scope::Turn(_)) => "until the turn ends",
            (Self::WithScope, Scope::Agent(_)) => "until the agent is removed",
            (Self::WithScope, Scope::Session) => "until the session ends",
            (Self::WithScope, Scope::Project | Scope::User) => "until you take it back",
            (Self::Today, _) => "until midnight",
            (Self::Week, _) => "for 7 days",
        }
    }

    /// The moment, in milliseconds since 1970.
    pub fn at(self, clock: &Clock) -> Option<i64> {
        let offset_ms = i64::from(clock.utc_offset_s) * 1000;
        match self {
            Self::WithScope => None,
            Self::Today => {
                let local_day = (clock.now_ms + offset_ms).div_euclid(DAY_MS);
                Some((local_day + 1) * DAY_MS - offset_ms)
            }
            Self::Week => Some(clock.now_ms + 7 * DAY_MS),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn today_ends_at_the_midnight_of_the_person() {
        let clock = Clock {
            now_ms: 23 * 3_600_000,
            utc_offset_s: 2 * 3600,
            ..Clock::default()
        };

        // One o'clock of the next day there: that day ends at ten in the evening of UTC.
        assert_eq!(End::Today.at(&clock), Some(46 * 3_600_000));
        assert_eq!(End::Week.at(&clock), Some(clock.now_ms + 7 * DAY_MS));
    }
}
