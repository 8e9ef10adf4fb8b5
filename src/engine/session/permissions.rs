//! Level, mode, rules and grants of an open session, and the judgement of calls by them.

use std::{
    collections::{BTreeMap, VecDeque},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::{
    domain::{
        access::{Access, Places, Resource},
        agent_policy::{AgentPermissions, AgentTypes, RuleOrigin},
        approval::{Findings, Offers},
        declared::DeclaredTool,
        hook::Hook,
        ids::AgentId,
        permission::{
            DecisionStep, Grant, JudgedCall, Judgement, Level, PermissionSettings, Risk, Rule,
            Verdict,
        },
    },
    engine::{clock, toolset},
    permission::{self, Grants, Limits, PreparedCall, evaluate_limited, grants, kinds},
    tools::contract::About,
    workspace,
};

/// The permissions of a session.
#[derive(Debug)]
pub struct Permissions {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    configured: Arc<Configured>,
    settings: Arc<PermissionSettings>,
    grants: Grants,
    /// The latest judgements, the latest last.
    judged: VecDeque<JudgedCall>,
}

/// Judgements that are kept to look back at.
const JUDGED_KEPT: usize = 200;

/// What the configuration says of tools, agents and hooks, and where its rules stand.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Configured {
    /// Lists of tools, of which each lets only those through that it names.
    pub allowed: Vec<Vec<String>>,
    /// Tools that are switched off.
    pub disabled: Vec<String>,
    /// Tools that need at least this level, whatever their own is.
    pub levels: BTreeMap<String, Level>,
    /// The types of agents that documents describe.
    pub agents: AgentTypes,
    /// Where each rule stands, in the order of the rules.
    pub origins: Vec<RuleOrigin>,
    /// Programs that are told of what agents do.
    pub hooks: Arc<[Hook]>,
    /// Tools that the configuration adds.
    pub declared: Arc<[DeclaredTool]>,
}

/// Where an agent stands: what it may do at the most, and whose its answers are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The most that it may do.
    pub cap: Level,
    /// What its type and those above it let it do.
    pub policies: Vec<AgentPermissions>,
    /// From the main agent down to it.
    pub lineage: Vec<AgentId>,
}

/// What is around a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surroundings {
    /// Whether a sandbox holds its commands whole.
    pub held: bool,
    /// Whether the folder is trusted.
    pub trusted: bool,
    /// Why no command runs below level unrestricted, when that is so.
    pub refusal: Option<String>,
}

/// A judged call and what an answer may stand for.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// What happens, and why.
    pub judgement: Judgement,
    /// What an answer may stand for, when it is asked.
    pub offers: Offers,
    /// What could go wrong, as judged: a command that was proven to only look reads.
    pub risk: Risk,
    /// What was found in a command line.
    pub findings: Findings,
    /// Where its paths led.
    pub places: Places,
}

impl Permissions {
    /// Permissions with the grants made so far.
    pub fn new(settings: PermissionSettings, grants: Vec<Grant>, configured: Configured) -> Self {
        Self {
            state: Mutex::new(State {
                configured: Arc::new(configured),
                settings: Arc::new(settings),
                grants: Grants::new(grants),
                judged: VecDeque::new(),
            }),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The settings.
    pub fn settings(&self) -> Arc<PermissionSettings> {
        Arc::clone(&self.lock().settings)
    }

    /// Changes the settings.
    pub fn change(&self, change: impl FnOnce(&mut PermissionSettings)) {
        change(Arc::make_mut(&mut self.lock().settings));
    }

    /// Programs that are told of what agents do.
    pub fn hooks(&self) -> Arc<[Hook]> {
        Arc::clone(&self.lock().configured.hooks)
    }

    /// Tools that the configuration adds.
    pub fn declared(&self) -> Arc<[DeclaredTool]> {
        Arc::clone(&self.lock().configured.declared)
    }

    /// Takes over what another reading of the configuration says.
    pub fn configure(&self, configured: Configured) {
        self.lock().configured = Arc::new(configured);
    }

    /// What the configuration says of tools and agents.
    pub fn configured(&self) -> Arc<Configured> {
        Arc::clone(&self.lock().configured)
    }

    /// All grants and denials.
    pub fn grants(&self) -> Vec<Grant> {
        self.lock().grants.list().to_vec()
    }

    /// Adds what a person answered; returns every grant to be recorded: (grant, taken back).
    pub fn grant(&self, grant: Grant) -> Vec<(Grant, bool)> {
        let dropped = self.lock().grants.add(grant.clone());
        let mut changes: Vec<(Grant, bool)> =
            dropped.into_iter().map(|grant| (grant, true)).collect();
        changes.push((grant, false));
        changes
    }

    /// Drops what held for a turn of this agent; says whether there was something.
    pub fn end_turn(&self, agent: &AgentId) -> bool {
        self.lock().grants.end_turn(agent)
    }

    /// Drops what held for this agent; says whether there was something.
    pub fn end_agent(&self, agent: &AgentId) -> bool {
        self.lock().grants.end_agent(agent)
    }

    /// The latest judgements, the latest first.
    pub fn judged(&self) -> Vec<JudgedCall> {
        self.lock().judged.iter().rev().cloned().collect()
    }

    /// Which of these calls rules would have answered for.
    pub fn covered<'c>(
        &self,
        rules: &[Rule],
        calls: impl Iterator<Item = (&'c About, &'c Access)>,
        cwd: &Path,
    ) -> Vec<bool> {
        let settings = self.settings();
        let resolve = |path: &Path| resolve(&cwd.join(path));
        calls
            .map(|(about, access)| {
                let call = PreparedCall::new(about.name, about.aliases, access, resolve);
                grants::covers_call(rules, &call, &settings.roots)
            })
            .collect()
    }

    /// Takes grants back.
    pub fn revoke(&self, rule: &Rule) -> Vec<Grant> {
        self.lock().grants.revoke(rule)
    }

    /// Judges a prepared call of an agent. Follows links, so it may block on the disk. Paths inside of command lines
    /// start at `cwd`; `around` says what is around it.
    pub fn judge(
        &self,
        about: &About,
        access: &Access,
        standing: &Standing,
        cwd: &Path,
        around: Surroundings,
    ) -> Judged {
        let cap = standing.cap;
        let (settings, grants, tools) = {
            let mut state = self.lock();
            state.grants.prune(clock::now_ms());
            (
                Arc::clone(&state.settings),
                state.grants.of_agent(&standing.lineage),
                Arc::clone(&state.configured),
            )
        };
        // An agent may still have it on offer: the tools of a conversation do not change.
        if let Some(reason) = toolset::why_off(&tools, about.name) {
            return Judged::switched_off(reason);
        }
        let resolve = |path: &Path| resolve(&cwd.join(path));
        let mut call = PreparedCall::new(about.name, about.aliases, access, resolve);
        call.surrounded(around.held, around.trusted);
        call.refuse_commands(around.refusal);
        let mut declared = tools.declared.iter();
        let of_declared = declared.find(|tool| tool.name == about.name);
        let levels = tools.levels.get(about.name).copied();
        for level in levels.into_iter().chain(of_declared.map(|tool| tool.level)) {
            call.needs = call.needs.max(level);
        }
        let limits = Limits {
            cap,
            policies: &standing.policies,
        };
        let judgement = evaluate_limited(&call, &settings, &grants, &limits);
        self.keep(about.name, access, &judgement);
        let places = Places {
            links: permission::web::links(&call, &settings, &grants, &standing.policies),
            ..permission::places(&call, &settings)
        };
        if judgement.verdict != Verdict::Ask {
            return Judged {
                risk: call.risk,
                findings: permission::findings(&call),
                ..Judged::without_question(judgement, places)
            };
        }
        let capped = PermissionSettings {
            level: settings.level.min(cap),
            ..PermissionSettings::clone(&settings)
        };
        // What the mode did not ask about is asked again, whatever kind it is of.
        let asked_by_mode = judgement
            .path
            .last()
            .is_some_and(|step| step.stage == "mode");
        Judged {
            risk: call.risk,
            findings: permission::findings(&call),
            places,
            offers: Offers {
                session_rule: grants::session_rule(&call),
                kinds: if asked_by_mode {
                    kinds::rules(&call, &capped)
                } else {
                    Vec::new()
                },
                patterns: grants::patterns(&call),
            },
            judgement,
        }
    }

    fn keep(&self, tool: &str, access: &Access, judgement: &Judgement) {
        let judged = JudgedCall {
            tool: tool.to_owned(),
            subject: access
                .resources
                .first()
                .map(Resource::subject)
                .unwrap_or_default(),
            judgement: judgement.clone(),
            at_ms: clock::now_ms(),
        };
        let mut state = self.lock();
        // The same call is judged again before it runs.
        let is_again = |last: &JudgedCall| {
            (&last.tool, &last.subject, &last.judgement)
                == (&judged.tool, &judged.subject, &judged.judgement)
        };
        if state.judged.back().is_some_and(is_again) {
            return;
        }
        state.judged.push_back(judged);
        if state.judged.len() > JUDGED_KEPT {
            state.judged.pop_front();
        }
    }
}

impl Judged {
    fn without_question(judgement: Judgement, places: Places) -> Self {
        Self {
            judgement,
            offers: Offers::default(),
            risk: Risk::SessionOnly,
            findings: Findings::default(),
            places,
        }
    }

    fn switched_off(reason: String) -> Self {
        Self::without_question(
            Judgement {
                verdict: Verdict::Deny,
                path: vec![DecisionStep {
                    stage: "bounds".to_owned(),
                    says: reason.clone(),
                    decided: true,
                }],
                reason,
            },
            Places::default(),
        )
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
