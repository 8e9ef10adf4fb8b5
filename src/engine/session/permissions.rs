//! Level, mode, rules and grants of an open session, and the judgement of calls by them.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use crate::{
    domain::{
        access::Access,
        permission::{Grant, Judgement, Level, PermissionSettings, Rule, Scope, Verdict},
    },
    permission::{self, Grants, PreparedCall, evaluate_capped, grants},
    tools::contract::About,
    workspace,
};

/// The permissions of a session.
#[derive(Debug)]
pub struct Permissions {
    tool_levels: BTreeMap<String, Level>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    settings: PermissionSettings,
    grants: Grants,
}

/// A judged call and the rule that "for this session" would add.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// What happens, and why.
    pub judgement: Judgement,
    /// The rule on offer.
    pub session_rule: Option<Rule>,
}

impl Permissions {
    /// Permissions with the grants made so far.
    pub fn new(
        settings: PermissionSettings,
        grants: Vec<Grant>,
        tool_levels: BTreeMap<String, Level>,
    ) -> Self {
        Self {
            tool_levels,
            state: Mutex::new(State {
                settings,
                grants: Grants::new(grants),
            }),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The settings.
    pub fn settings(&self) -> PermissionSettings {
        self.lock().settings.clone()
    }

    /// Changes the settings.
    pub fn change(&self, change: impl FnOnce(&mut PermissionSettings)) {
        change(&mut self.lock().settings);
    }

    /// All grants and denials.
    pub fn grants(&self) -> Vec<Grant> {
        self.lock().grants.list().to_vec()
    }

    /// Adds what a person answered; returns every grant to be recorded: (grant, taken back).
    pub fn grant(&self, rule: Rule) -> Vec<(Grant, bool)> {
        let grant = Grant {
            rule,
            scope: Scope::Session,
        };
        let dropped = self.lock().grants.add(grant.clone());
        let mut changes: Vec<(Grant, bool)> =
            dropped.into_iter().map(|grant| (grant, true)).collect();
        changes.push((grant, false));
        changes
    }

    /// Takes grants back.
    pub fn revoke(&self, rule: &Rule) -> Vec<Grant> {
        self.lock().grants.revoke(rule)
    }

    /// Files that look like secrets and that a rule opens for this call. Follows links, so it may block on the disk.
    pub fn opened(&self, about: &About, access: &Access) -> Vec<PathBuf> {
        let settings = self.settings();
        let call = PreparedCall::new(about.name, about.aliases, access, resolve);
        permission::opened(&call, &settings)
    }

    /// Judges a prepared call of an agent whose own level is at most `cap`. Follows links, so it may block on the
    /// disk.
    pub fn judge(&self, about: &About, access: &Access, cap: Level) -> Judged {
        let (settings, grants) = {
            let state = self.lock();
            (state.settings.clone(), state.grants.clone())
        };
        let mut access = access.clone();
        if let Some(level) = self.tool_levels.get(about.name) {
            access.level = access.level.max(*level);
        }
        let call = PreparedCall::new(about.name, about.aliases, &access, resolve);
        let judgement = evaluate_capped(&call, &settings, &grants, cap);
        Judged {
            session_rule: (judgement.verdict == Verdict::Ask)
                .then(|| grants::session_rule(&call))
                .flatten(),
            judgement,
        }
    }
}

fn resolve(path: &Path) -> (PathBuf, bool) {
    // A path that cannot be resolved (a loop of links) is judged as named; the tool fails on it the same way.
    let resolved = workspace::root::resolve(path).unwrap_or_else(|_| path.to_owned());
    let secret = workspace::secrets::reason(&resolved)
        .or_else(|| workspace::secrets::reason(path))
        .is_some();
    (resolved, secret)
}
