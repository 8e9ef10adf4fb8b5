use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};

use super::{LEVELS, MODES, decided, path_call, rule, session_only, settings, shell, write};
use crate::{
    domain::agent_policy::AgentPermissions,
    domain::permission::{
        Grant, Level, Mode, PermissionSettings, Rule, Scope,
        Verdict::{self, Allow, Ask, Deny},
    },
    permission::{
        call::PreparedCall,
        evaluate::{Limits, evaluate, evaluate_limited},
        grants::Grants,
    },
};

fn any_verdict() -> impl Strategy<Value = Verdict> {
    prop_oneof![Just(Allow), Just(Ask), Just(Deny)]
}

fn any_rule() -> impl Strategy<Value = Rule> {
    let action = prop_oneof![
        Just("*"),
        Just("file_*"),
        Just("file_write"),
        Just("file_read"),
        Just("shell_execute"),
        Just("bash")
    ];
    let resource = prop_oneof![
        Just("*"),
        Just("/proj/*"),
        Just("a"),
        Just("/out/*"),
        Just("ls"),
        Just("ls *"),
        Just("rm *")
    ];
    (action, resource, any_verdict())
        .prop_map(|(action, resource, verdict)| rule(action, resource, verdict))
}

fn any_call() -> impl Strategy<Value = PreparedCall> {
    let path = prop_oneof![Just("/proj/a"), Just("/out/a"), Just("/proj/.git/config")];
    let line = prop_oneof![
        Just("ls"),
        Just("ls -l"),
        Just("ls; rm x"),
        Just("sudo rm x")
    ];
    prop_oneof![
        (path.clone(), path, any::<bool>(), any::<bool>()).prop_map(
            |(named, resolved, writes, secret)| {
                let tool = if writes { "file_write" } else { "file_read" };
                path_call(tool, named, resolved, writes, secret)
            }
        ),
        line.prop_map(shell),
        Just(session_only()),
    ]
}

fn any_settings() -> impl Strategy<Value = PermissionSettings> {
    (
        0..LEVELS.len(),
        0..MODES.len(),
        any::<bool>(),
        proptest::collection::vec(any_rule(), 0..6),
    )
        .prop_map(|(level, mode, approvals, rules)| {
            let mut settings = settings(LEVELS[level], MODES[mode]);
            settings.approvals = approvals;
            settings.rules = rules;
            settings
        })
}

fn any_grants() -> impl Strategy<Value = Grants> {
    proptest::collection::vec(any_rule(), 0..5).prop_map(|rules| {
        Grants::new(
            rules
                .into_iter()
                .map(|rule| Grant {
                    rule,
                    scope: Scope::Session,
                    expires_ms: None,
                    kind: false,
                })
                .collect(),
        )
    })
}

/// What documents from the main agent down to one let it do: each answers for the person only at the end.
fn any_policies() -> impl Strategy<Value = Vec<AgentPermissions>> {
    proptest::collection::vec(
        (proptest::collection::vec(any_rule(), 0..4), any::<bool>()),
        0..4,
    )
    .prop_map(|all| {
        all.into_iter()
            .map(|(rules, answers)| {
                let mut policy = AgentPermissions {
                    of: "x".to_owned(),
                    answers,
                    ..AgentPermissions::default()
                };
                for rule in rules {
                    policy
                        .actions
                        .entry(rule.action)
                        .or_default()
                        .insert(rule.resource, rule.verdict);
                }
                policy
            })
            .collect()
    })
}

/// How much a verdict lets happen.
fn freedom(
    call: &PreparedCall,
    settings: &PermissionSettings,
    grants: &Grants,
    policies: &[AgentPermissions],
) -> u8 {
    let limits = Limits {
        cap: Level::Unrestricted,
        policies,
    };
    match evaluate_limited(call, settings, grants, &limits).verdict {
        Deny => 0,
        Ask => 1,
        Allow => 2,
    }
}

proptest! {
    #[test]
    fn what_is_refused_above_is_refused_below(call in any_call(), settings in any_settings(), grants in any_grants(), policies in any_policies(), own in any_policies()) {
        // What is refused only because nobody is asked is what a type may answer.
        let settings = PermissionSettings { approvals: true, ..settings };
        let above = freedom(&call, &settings, &grants, &policies);
        let mut chain: Vec<AgentPermissions> = policies.iter().map(AgentPermissions::inherited).collect();
        chain.extend(own.into_iter().take(1));

        assert!(above > 0 || freedom(&call, &settings, &grants, &chain) == 0);
    }

    #[test]
    fn whoever_has_less_above_never_has_more(call in any_call(), settings in any_settings(), grants in any_grants(), policies in any_policies(), own in any_policies()) {
        let own: Vec<AgentPermissions> = own.into_iter().take(1).collect();
        let mut chain: Vec<AgentPermissions> = policies.iter().map(AgentPermissions::inherited).collect();
        chain.extend(own.clone());

        assert!(freedom(&call, &settings, &grants, &chain) <= freedom(&call, &settings, &grants, &own));
        // Without a type of its own, an agent has no more than without any.
        let inherited = &chain[..chain.len() - own.len()];
        assert!(freedom(&call, &settings, &grants, inherited) <= freedom(&call, &settings, &grants, &[]));
    }

    #[test]
    fn a_write_outside_never_runs_below_unrestricted(settings in any_settings(), grants in any_grants()) {
        let judgement = evaluate(&write("/out/a"), &settings, &grants);

        assert!(settings.level == Level::Unrestricted || judgement.verdict == Deny);
    }

    #[test]
    fn no_grant_lifts_a_refusal(call in any_call(), settings in any_settings(), grants in any_grants()) {
        // What is refused only because nobody is asked is what a grant answers.
        let settings = PermissionSettings { approvals: true, ..settings };
        let without = evaluate(&call, &settings, &Grants::default());
        let with = evaluate(&call, &settings, &grants);

        assert!(without.verdict != Deny || with.verdict == Deny);
    }

    #[test]
    fn a_denial_of_everything_refuses_everything(call in any_call(), settings in any_settings(), grants in any_grants()) {
        let mut grants = grants;
        grants.add(Grant { rule: rule("*", "*", Deny), scope: Scope::Session, expires_ms: None, kind: false });

        assert_eq!(evaluate(&call, &settings, &grants).verdict, Deny);
    }

    #[test]
    fn a_call_above_the_level_never_runs_without_approvals(call in any_call(), settings in any_settings(), grants in any_grants()) {
        let mut settings = settings;
        settings.approvals = false;

        assert!(call.needs <= settings.level || evaluate(&call, &settings, &grants).verdict == Deny);
    }

    #[test]
    fn nothing_is_asked_without_approvals(call in any_call(), settings in any_settings(), grants in any_grants(), policies in any_policies()) {
        let mut settings = settings;
        settings.approvals = true;
        let with = freedom(&call, &settings, &grants, &policies);
        settings.approvals = false;
        let without = freedom(&call, &settings, &grants, &policies);

        assert_ne!(without, 1);
        assert!(without <= with);
    }

    #[test]
    fn a_stricter_mode_never_runs_more(call in any_call(), settings in any_settings(), grants in any_grants()) {
        let runs = |mode| {
            let mut settings = settings.clone();
            settings.mode = mode;
            evaluate(&call, &settings, &grants).verdict == Allow
        };

        assert!(!runs(Mode::Strict) || runs(Mode::Adaptive));
        assert!(!runs(Mode::Adaptive) || runs(Mode::Open));
    }

    #[test]
    fn the_path_always_ends_with_its_only_decision(call in any_call(), settings in any_settings(), grants in any_grants()) {
        decided(&evaluate(&call, &settings, &grants));
    }
}
