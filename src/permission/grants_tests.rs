use std::path::PathBuf;

use super::{Grants, session_rule};
use crate::{
    domain::{
        ids::AgentId,
        permission::{Grant, Level, Risk, Rule, Scope, Verdict},
    },
    permission::call::{PreparedCall, Target},
};

fn call(tool: &str, targets: Vec<Target>) -> PreparedCall {
    PreparedCall {
        tool: tool.to_owned(),
        aliases: vec!["bash".to_owned()],
        needs: Level::Unrestricted,
        risk: Risk::Execution,
        targets,
        ..PreparedCall::default()
    }
}

fn shell(command: &str) -> PreparedCall {
    call("shell_execute", vec![Target::shell(command)])
}

fn grant(resource: &str, verdict: Verdict) -> Grant {
    Grant {
        rule: Rule {
            action: "shell_execute".to_owned(),
            resource: resource.to_owned(),
            verdict,
        },
        scope: Scope::Session,
        expires_ms: None,
        kind: false,
    }
}

#[test]
fn the_offered_rule_covers_the_shown_command_and_nothing_wider() {
    let shown = [
        "python3 -c 'print(1)'",
        "npm run build",
        "ls *.rs",
        r"printf '\*'",
        "git *",
    ];
    let others = [
        "python3 -c 'open(\"x\",\"w\")'",
        "npm run build; touch x",
        "npm run build:x",
        "ls a.rs",
        "git",
        "git push",
        "printf '*'",
    ];

    for line in shown {
        let rule = session_rule(&shell(line)).unwrap();
        let grants = Grants::new(vec![Grant {
            rule,
            scope: Scope::Session,
            expires_ms: None,
            kind: false,
        }]);

        assert!(grants.allowance(&shell(line), &[]).is_some(), "{line}");
        for other in others.iter().chain(&shown).filter(|other| **other != line) {
            assert_eq!(
                grants.allowance(&shell(other), &[]),
                None,
                "{line} gave {other}"
            );
        }
    }
}

#[test]
fn the_offered_rule_of_an_edit_is_that_file_by_its_resolved_path() {
    let path = |named: &str, resolved: &str| Target::Path {
        writes: true,
        named: PathBuf::from(named),
        resolved: PathBuf::from(resolved),
        secret: false,
    };
    let edit = call(
        "file_edit",
        vec![path("/proj/link.txt", "/proj/real[1]*.txt")],
    );

    assert_eq!(
        session_rule(&edit),
        Some(Rule {
            action: "file_edit".to_owned(),
            resource: r"/proj/real[1]\*.txt".to_owned(),
            verdict: Verdict::Allow,
        })
    );
    let two = call("file_move", vec![path("/a", "/a"), path("/b", "/b")]);
    assert_eq!(session_rule(&two), None);
}

#[test]
fn a_call_is_granted_only_when_every_part_is() {
    let both = call(
        "shell_execute",
        vec![Target::shell("make"), Target::shell("make test")],
    );
    let mut grants = Grants::new(vec![grant("make", Verdict::Allow)]);

    assert_eq!(grants.allowance(&both, &[]), None);
    grants.add(grant("make test", Verdict::Allow));
    assert!(grants.allowance(&both, &[]).is_some());
}

#[test]
fn a_wide_grant_never_covers_a_line_that_hides_something() {
    let grants = Grants::new(vec![grant("ls *", Verdict::Allow)]);

    assert!(grants.allowance(&shell("ls -la"), &[]).is_some());
    for line in [
        "ls; touch x",
        "ls && touch x",
        "ls | tee x",
        "ls & touch x",
        "lsx",
    ] {
        assert_eq!(grants.allowance(&shell(line), &[]), None, "{line}");
    }
}

#[test]
fn a_denial_takes_back_what_it_covers_and_can_be_revoked() {
    let mut grants = Grants::new(vec![
        grant("git push", Verdict::Allow),
        grant("make", Verdict::Allow),
    ]);

    let dropped = grants.add(grant("git *", Verdict::Deny));

    assert_eq!(dropped, [grant("git push", Verdict::Allow)]);
    assert_eq!(
        grants.list(),
        [grant("make", Verdict::Allow), grant("git *", Verdict::Deny)]
    );
    assert!(grants.denial(&shell("true && git push"), &[]).is_some());
    assert_eq!(
        grants.revoke(&grant("git *", Verdict::Deny).rule),
        [grant("git *", Verdict::Deny)]
    );
    assert_eq!(grants.denial(&shell("git push"), &[]), None);
}

#[test]
fn the_same_grant_is_kept_once() {
    let mut grants = Grants::default();

    grants.add(grant("make", Verdict::Allow));
    grants.add(grant("make", Verdict::Allow));

    assert_eq!(grants.list(), [grant("make", Verdict::Allow)]);
}

#[test]
fn patterns_grow_from_the_call_to_its_program_and_each_covers_it() {
    let offered = |line: &str| super::patterns(&shell(line));
    assert_eq!(
        offered("cargo test --lib"),
        ["cargo test --lib", "cargo test *", "cargo *"]
    );
    assert_eq!(offered("ls -la"), ["ls -la", "ls *"]);
    assert_eq!(
        offered("cd sub && make all"),
        ["cd sub && make all", "make all *", "make *"]
    );
    assert_eq!(
        offered("git status; make all"),
        [
            "git status; make all",
            "git status *\nmake all *",
            "git *\nmake *"
        ]
    );
    assert_eq!(
        offered("timeout 9 cargo test && cargo test -q | tail -1"),
        [
            "timeout 9 cargo test && cargo test -q | tail -1",
            "cargo test *\ntail *",
            "cargo *\ntail *"
        ]
    );
    // What no pattern answers for is offered as it is only.
    for line in [
        "echo $(id)",
        "make > log",
        "make $X",
        "cd a",
        "a;b;c;d;e;f;g",
    ] {
        assert_eq!(offered(line), [line]);
    }
    let path = Target::Path {
        writes: true,
        named: PathBuf::from("/proj/src/a.rs"),
        resolved: PathBuf::from("/proj/src/a.rs"),
        secret: false,
    };
    assert_eq!(
        super::patterns(&call("file_write", vec![path])),
        ["/proj/src/a.rs", "/proj/src/*"]
    );
    for line in [
        "cargo test --lib",
        "cd sub && make all",
        "git status; make all",
    ] {
        for text in offered(line) {
            let rules = text
                .lines()
                .map(|resource| grant(resource, Verdict::Allow).rule);
            let rules: Vec<_> = rules.collect();
            assert!(super::covers_call(&rules, &shell(line), &[]), "{text}");
            assert!(!super::covers_call(&rules, &shell("rm x"), &[]), "{text}");
        }
    }
}

#[test]
fn what_is_over_holds_no_longer() {
    let mut lasting = grant("make", Verdict::Allow);
    lasting.expires_ms = Some(1_000);
    let mut grants = Grants::new(vec![lasting]);

    grants.prune(999);
    assert!(grants.allowance(&shell("make"), &[]).is_some());
    grants.prune(1_000);
    assert_eq!(grants.allowance(&shell("make"), &[]), None);
}

#[test]
fn what_one_agent_was_allowed_holds_for_it_alone_and_what_it_was_forbidden_below_it_too() {
    let [main, scout, deep, other] = ["main", "scout", "deep", "other"].map(AgentId::new);
    let scoped = |scope: Scope, verdict| Grant {
        scope,
        ..grant("make *", verdict)
    };
    let lineages = [
        vec![main.clone()],
        vec![main.clone(), scout.clone()],
        vec![main.clone(), scout.clone(), deep],
        vec![main, other],
    ];
    let counts = |grant: Grant| {
        let grants = Grants::new(vec![grant]);
        lineages
            .each_ref()
            .map(|lineage| !grants.of_agent(lineage).list().is_empty())
    };

    for scope in [Scope::Turn(scout.clone()), Scope::Agent(scout)] {
        assert_eq!(
            counts(scoped(scope.clone(), Verdict::Allow)),
            [false, true, false, false]
        );
        assert_eq!(
            counts(scoped(scope, Verdict::Deny)),
            [false, true, true, false]
        );
    }
    for scope in [Scope::Session, Scope::Project, Scope::User] {
        assert_eq!(counts(scoped(scope, Verdict::Allow)), [true; 4]);
    }
}

#[test]
fn what_held_for_a_turn_or_an_agent_ends_with_it() {
    let [main, scout] = ["main", "scout"].map(AgentId::new);
    let all = || {
        let scopes = [
            Scope::Turn(main.clone()),
            Scope::Turn(scout.clone()),
            Scope::Agent(scout.clone()),
            Scope::Session,
        ];
        Grants::new(
            scopes
                .map(|scope| Grant {
                    scope,
                    ..grant("make", Verdict::Allow)
                })
                .to_vec(),
        )
    };
    let left = |grants: &Grants| -> Vec<Scope> {
        grants
            .list()
            .iter()
            .map(|grant| grant.scope.clone())
            .collect()
    };

    let mut grants = all();
    assert!(grants.end_turn(&scout));
    assert!(!grants.end_turn(&scout));
    assert_eq!(
        left(&grants),
        [
            Scope::Turn(main.clone()),
            Scope::Agent(scout.clone()),
            Scope::Session
        ]
    );
    let mut grants = all();
    assert!(grants.end_agent(&scout));
    assert_eq!(left(&grants), [Scope::Turn(main.clone()), Scope::Session]);
    let mut grants = all();
    grants.end_turns();
    assert_eq!(left(&grants), [Scope::Agent(scout), Scope::Session]);
}

#[test]
fn a_denial_takes_back_what_holds_no_longer_than_itself() {
    let [main, scout] = ["main", "scout"].map(AgentId::new);
    let scopes = [
        Scope::Turn(scout.clone()),
        Scope::Agent(scout.clone()),
        Scope::Turn(main),
        Scope::Session,
        Scope::Project,
    ];
    let kept = |denial: Scope| {
        let allowed = scopes.clone().map(|scope| Grant {
            scope,
            ..grant("make test", Verdict::Allow)
        });
        let mut grants = Grants::new(allowed.to_vec());
        grants.add(Grant {
            scope: denial,
            ..grant("make *", Verdict::Deny)
        });
        grants.list().len() - 1
    };

    assert_eq!(kept(Scope::Turn(scout.clone())), 4);
    assert_eq!(kept(Scope::Agent(scout)), 3);
    assert_eq!(kept(Scope::Session), 0);
}
