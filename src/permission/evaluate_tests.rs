use std::path::{Path, PathBuf};

use super::{evaluate, evaluate_capped};
use crate::{
    domain::access::{Access, Resource},
    domain::permission::{
        Grant, Judgement, Level, Mode, Network, OwnPlaces, PermissionSettings, Risk, Rule, Scope,
        Verdict,
    },
    permission::{
        call::{PreparedCall, Target},
        grants::{Grants, session_rule},
    },
};
use Verdict::{Allow, Ask, Deny};

#[path = "evaluate_line_tests.rs"]
mod lines;

#[path = "evaluate_property_tests.rs"]
mod properties;

/// Rules as a test writes them: action, resource, verdict.
type Rules = [(&'static str, &'static str, Verdict)];

const LEVELS: [Level; 4] = [
    Level::None,
    Level::Read,
    Level::Workspace,
    Level::Unrestricted,
];
const MODES: [Mode; 3] = [Mode::Strict, Mode::Adaptive, Mode::Open];

fn settings(level: Level, mode: Mode) -> PermissionSettings {
    PermissionSettings {
        own: OwnPlaces::default(),
        level,
        mode,
        approvals: true,
        network: Network::All,
        confine_reads: false,
        rules: Vec::new(),
        roots: vec![PathBuf::from("/proj")],
    }
}

fn with_rules(
    mut settings: PermissionSettings,
    rules: &[(&str, &str, Verdict)],
) -> PermissionSettings {
    settings.rules = rules
        .iter()
        .map(|&(action, resource, verdict)| rule(action, resource, verdict))
        .collect();
    settings
}

fn rule(action: &str, resource: &str, verdict: Verdict) -> Rule {
    Rule {
        action: action.to_owned(),
        resource: resource.to_owned(),
        verdict,
    }
}

fn grants(rules: &[(&str, &str, Verdict)]) -> Grants {
    Grants::new(
        rules
            .iter()
            .map(|&(action, resource, verdict)| Grant {
                rule: rule(action, resource, verdict),
                scope: Scope::Session,
                expires_ms: None,
                kind: false,
            })
            .collect(),
    )
}

fn path_call(tool: &str, named: &str, resolved: &str, writes: bool, secret: bool) -> PreparedCall {
    PreparedCall {
        tool: tool.to_owned(),
        aliases: Vec::new(),
        needs: if writes {
            Level::Workspace
        } else {
            Level::Read
        },
        risk: if writes {
            Risk::WorkspaceWrite
        } else {
            Risk::ReadOnlyLocal
        },
        targets: vec![Target::Path {
            writes,
            named: PathBuf::from(named),
            resolved: PathBuf::from(resolved),
            secret,
        }],
        ..PreparedCall::default()
    }
}

fn read(path: &str) -> PreparedCall {
    path_call("file_read", path, path, false, false)
}

fn write(path: &str) -> PreparedCall {
    path_call("file_write", path, path, true, false)
}

fn shell(command: &str) -> PreparedCall {
    let access = Access {
        resources: vec![Resource::Shell {
            command: command.to_owned(),
        }],
        level: Level::Unrestricted,
        risk: Risk::Execution,
    };
    let resolve = |path: &Path| {
        let is_secret = path.ends_with(".env");
        (Path::new("/proj").join(path), is_secret)
    };
    PreparedCall::new("shell_execute", &["bash"], &access, resolve)
}

fn session_only() -> PreparedCall {
    PreparedCall {
        tool: "checklist_add".to_owned(),
        aliases: Vec::new(),
        needs: Level::None,
        risk: Risk::SessionOnly,
        targets: Vec::new(),
        ..PreparedCall::default()
    }
}

fn decided(judgement: &Judgement) -> (Verdict, &str) {
    let last = judgement.path.last().unwrap();
    assert!(last.decided, "the last step decides");
    assert_eq!(last.says, judgement.reason);
    assert_eq!(judgement.path.iter().filter(|step| step.decided).count(), 1);
    (judgement.verdict, last.stage.as_str())
}

/// Verdict and deciding stage for each mode (strict, adaptive, open) at one level, without rules or grants.
fn row(call: &PreparedCall, level: Level) -> [(Verdict, String); 3] {
    MODES.map(|mode| {
        let judgement = evaluate(call, &settings(level, mode), &Grants::default());
        let (verdict, stage) = decided(&judgement);
        (verdict, stage.to_owned())
    })
}

#[test]
fn every_level_and_mode_has_its_verdict() {
    let all = |verdict, stage: &str| [verdict; 3].map(|verdict| (verdict, stage.to_owned()));
    let modes = |verdicts: [Verdict; 3]| verdicts.map(|verdict| (verdict, "mode".to_owned()));
    let table = [
        (session_only(), LEVELS.map(|_| all(Allow, "mode"))),
        (
            read("/proj/a"),
            [
                all(Ask, "level"),
                all(Allow, "mode"),
                all(Allow, "mode"),
                all(Allow, "mode"),
            ],
        ),
        (
            read("/usr/include/stdio.h"),
            [
                all(Ask, "level"),
                all(Allow, "mode"),
                all(Allow, "mode"),
                all(Allow, "mode"),
            ],
        ),
        (
            read("/home/other/notes"),
            [
                all(Ask, "level"),
                modes([Ask, Ask, Allow]),
                modes([Ask, Ask, Allow]),
                all(Allow, "mode"),
            ],
        ),
        (
            write("/proj/a"),
            [
                all(Ask, "level"),
                all(Ask, "level"),
                modes([Ask, Ask, Allow]),
                modes([Ask, Ask, Allow]),
            ],
        ),
        (
            write("/proj/.git/hooks/pre-commit"),
            [
                all(Ask, "level"),
                all(Ask, "level"),
                all(Ask, "mode"),
                modes([Ask, Ask, Allow]),
            ],
        ),
        (
            write("/elsewhere/a"),
            [
                all(Deny, "bounds"),
                all(Deny, "bounds"),
                all(Deny, "bounds"),
                modes([Ask, Ask, Allow]),
            ],
        ),
        (
            shell("make"),
            [
                all(Ask, "level"),
                all(Ask, "level"),
                all(Ask, "level"),
                modes([Ask, Ask, Allow]),
            ],
        ),
    ];

    for (call, rows) in table {
        for (level, expected) in LEVELS.into_iter().zip(rows) {
            assert_eq!(row(&call, level), expected, "{call:?} at {level:?}");
        }
    }
}

#[test]
fn without_approvals_what_a_mode_or_a_rule_would_ask_is_refused_with_what_to_do() {
    let off = |mode| PermissionSettings {
        approvals: false,
        ..settings(Level::Workspace, mode)
    };
    let ask = [("file_write", "*", Ask)];
    for (settings, stage, short) in [
        (
            off(Mode::Strict),
            "mode",
            "mode strict asks for changing files",
        ),
        (
            with_rules(off(Mode::Open), &ask),
            "rule",
            "a rule says ask file_write `*`",
        ),
    ] {
        let judgement = evaluate(&write("/proj/a"), &settings, &Grants::default());

        assert_eq!(decided(&judgement), (Deny, stage));
        assert_eq!(
            judgement.reason,
            format!(
                "{short}, and approvals are off: turn them on with /asking, or allow it by a rule"
            )
        );
    }
}

#[test]
fn without_approvals_a_call_above_the_level_is_refused_with_the_way_to_raise_it() {
    let mut settings = settings(Level::Read, Mode::Open);
    settings.approvals = false;

    let judgement = evaluate(&write("/proj/a"), &settings, &Grants::default());

    assert_eq!(decided(&judgement), (Deny, "level"));
    assert_eq!(
        judgement.reason,
        "it needs level workspace, and read is given, and approvals are off: raise the level with \
         /permission workspace, or turn approvals on with /asking"
    );
}

#[test]
fn a_link_out_of_the_workspace_is_judged_by_where_it_leads() {
    let settings = with_rules(
        settings(Level::Workspace, Mode::Open),
        &[("*", "/proj/*", Allow), ("file_read", "link/*", Allow)],
    );
    let link = |tool, writes| path_call(tool, "/proj/link/n.txt", "/tmp/out/n.txt", writes, false);

    let write = evaluate(&link("file_write", true), &settings, &Grants::default());
    let mut asking = settings.clone();
    asking.mode = Mode::Adaptive;
    let read = evaluate(&link("file_read", false), &asking, &Grants::default());

    assert_eq!(decided(&write), (Deny, "bounds"));
    assert_eq!(decided(&read), (Ask, "mode"));
    assert_eq!(read.reason, "/tmp/out/n.txt is outside the workspace");
}

#[test]
fn a_neighbour_with_the_same_beginning_is_outside() {
    let judgement = evaluate(
        &write("/workshop/a"),
        &settings(Level::Workspace, Mode::Open),
        &Grants::default(),
    );

    assert_eq!(decided(&judgement), (Deny, "bounds"));
}

#[test]
fn a_deny_rule_reaches_a_file_by_its_link_too() {
    let settings = with_rules(
        settings(Level::Unrestricted, Mode::Open),
        &[("file_read", "private/*", Deny)],
    );

    for (named, resolved) in [
        ("/proj/private/a", "/data/a"),
        ("/proj/link", "/proj/private/a"),
        ("/proj/private/a", "/proj/private/a"),
    ] {
        let call = path_call("file_read", named, resolved, false, false);
        assert_eq!(
            decided(&evaluate(&call, &settings, &Grants::default())),
            (Deny, "rule"),
            "{named} -> {resolved}"
        );
    }
}

#[test]
fn a_secret_file_opens_only_to_a_rule_that_names_it() {
    let secret = path_call("file_read", "/proj/.env", "/proj/.env", false, true);
    let table: [(&Rules, (Verdict, &str)); 6] = [
        (&[], (Deny, "bounds")),
        (&[("*", "*", Allow)], (Deny, "bounds")),
        (&[("file_read", "/proj/*", Allow)], (Deny, "bounds")),
        (&[("file_read", ".env", Allow)], (Allow, "grant")),
        (&[("file_read", "*.env", Allow)], (Allow, "grant")),
        (
            &[
                ("file_read", "*.env", Allow),
                ("file_read", "/proj/.env", Deny),
            ],
            (Deny, "bounds"),
        ),
    ];

    for (rules, expected) in table {
        let settings = with_rules(settings(Level::Unrestricted, Mode::Open), rules);
        let open = grants(&[("file_read", "*.env", Allow)]);
        assert_eq!(
            decided(&evaluate(&secret, &settings, &open)),
            expected,
            "{rules:?}"
        );
    }
}

#[test]
fn a_wildcard_rule_allows_plain_lines_only() {
    let settings = with_rules(
        settings(Level::Workspace, Mode::Adaptive),
        &[
            ("shell_execute", "ls *", Allow),
            ("bash", "echo *", Allow),
            ("shell_execute", "find *", Allow),
            ("shell_execute", "git *", Allow),
            ("shell_execute", "cat *", Allow),
        ],
    );
    let verdict = |line: &str| decided(&evaluate(&shell(line), &settings, &Grants::default())).0;

    for line in [
        "ls",
        "ls -la src",
        "echo hi",
        "git status",
        "find . -name x",
    ] {
        assert_eq!(verdict(line), Allow, "{line}");
    }
    for line in [
        "ls; touch x",
        "ls && touch x",
        "ls | tee x",
        "ls & touch x",
        "lsx",
        "ls\ntouch x",
        "echo $(touch x)",
        "echo `touch x`",
        "echo hi > x",
        "find . -maxdepth 0 -exec touch x +",
        "find . -name y -delete",
        "git -c alias.s='!touch x' s",
        "git -c core.fsmonitor='touch x' status",
        "env touch x",
        "echo x | xargs touch",
    ] {
        assert_eq!(verdict(line), Ask, "{line}");
    }
}

#[test]
fn an_exact_rule_allows_exactly_its_line() {
    let settings = with_rules(
        settings(Level::Workspace, Mode::Strict),
        &[("shell_execute", "make && make test", Allow)],
    );
    let judged = |line: &str| evaluate(&shell(line), &settings, &Grants::default()).verdict;

    assert_eq!(judged("make && make test"), Allow);
    assert_eq!(judged("make && make test; touch x"), Ask);
}

#[test]
fn a_deny_rule_sees_every_part_of_a_line() {
    let settings = with_rules(
        settings(Level::Unrestricted, Mode::Open),
        &[
            ("shell_execute", "rm *", Deny),
            ("shell_execute", "git push *", Ask),
        ],
    );
    let judged = |line: &str| evaluate(&shell(line), &settings, &Grants::default()).verdict;

    for line in [
        "rm x",
        "true; rm -rf x",
        "sudo rm x",
        "echo $(rm x)",
        "sh -c 'true; rm x'",
    ] {
        assert_eq!(judged(line), Deny, "{line}");
    }
    assert_eq!(judged("git add . && git push"), Ask);
    assert_eq!(judged("grep 'rm x' notes"), Allow);
}

#[test]
fn a_rule_does_not_lift_the_level_for_writes_nor_for_commands_below_workspace() {
    let rules = [("*", "/proj/*", Allow), ("shell_execute", "make", Allow)];
    let at_read = with_rules(settings(Level::Read, Mode::Open), &rules);

    assert_eq!(
        decided(&evaluate(&write("/proj/a"), &at_read, &Grants::default())),
        (Ask, "level")
    );
    assert_eq!(
        decided(&evaluate(&shell("make"), &at_read, &Grants::default())),
        (Ask, "level")
    );
}

#[test]
fn a_grant_stands_for_the_answer_and_for_nothing_wider() {
    let level = settings(Level::Workspace, Mode::Strict);
    for call in [write("/proj/a"), shell("make *"), read("/home/other/notes")] {
        let grants = Grants::new(vec![Grant {
            rule: session_rule(&call).unwrap(),
            scope: Scope::Session,
            expires_ms: None,
            kind: false,
        }]);

        assert_eq!(decided(&evaluate(&call, &level, &grants)), (Allow, "grant"));
        assert_eq!(evaluate(&write("/proj/ab"), &level, &grants).verdict, Ask);
        assert_eq!(evaluate(&shell("make all"), &level, &grants).verdict, Ask);
    }
}

#[test]
fn a_grant_answers_an_ask_rule_and_loses_to_a_deny_rule_and_a_denial() {
    let call = shell("git push");
    let granted = [("shell_execute", "git push", Allow)];
    let level = settings(Level::Unrestricted, Mode::Open);
    let asked = with_rules(level.clone(), &[("shell_execute", "git *", Ask)]);
    let denied = with_rules(level.clone(), &[("shell_execute", "git *", Deny)]);
    let both = grants(&[granted[0], ("shell_execute", "git push", Deny)]);

    assert_eq!(
        decided(&evaluate(&call, &asked, &grants(&[]))),
        (Ask, "rule")
    );
    assert_eq!(
        decided(&evaluate(&call, &asked, &grants(&granted))),
        (Allow, "grant")
    );
    assert_eq!(
        decided(&evaluate(&call, &denied, &grants(&granted))),
        (Deny, "rule")
    );
    assert_eq!(decided(&evaluate(&call, &level, &both)), (Deny, "grant"));
}

#[test]
fn one_denied_target_refuses_and_one_unknown_target_is_not_allowed() {
    let target = |path: &str| Target::Path {
        writes: false,
        named: PathBuf::from(path),
        resolved: PathBuf::from(path),
        secret: false,
    };
    let mut call = read("/proj/a");
    call.targets.push(target("/proj/b"));
    let strict = settings(Level::Read, Mode::Strict);
    let judged = |rules: &[(&str, &str, Verdict)]| {
        decided(&evaluate(
            &call,
            &with_rules(strict.clone(), rules),
            &Grants::default(),
        ))
        .0
    };

    assert_eq!(
        judged(&[("file_read", "a", Allow), ("file_read", "b", Deny)]),
        Deny
    );
    assert_eq!(
        judged(&[("file_read", "a", Allow), ("file_read", "b", Ask)]),
        Ask
    );
    let judgement = evaluate(
        &call,
        &with_rules(strict.clone(), &[("file_read", "a", Allow)]),
        &Grants::default(),
    );
    assert_eq!(decided(&judgement), (Allow, "mode"));
}

#[test]
fn the_path_names_every_stage_in_order() {
    let judgement = evaluate(
        &shell("ls > x"),
        &with_rules(
            settings(Level::Unrestricted, Mode::Adaptive),
            &[("shell_execute", "ls*", Allow)],
        ),
        &Grants::default(),
    );

    let path: Vec<(&str, &str)> = judgement
        .path
        .iter()
        .map(|step| (step.stage.as_str(), step.says.as_str()))
        .collect();
    assert_eq!(
        path,
        [
            ("floor", "nothing that is never allowed"),
            ("bounds", "nothing is out of bounds"),
            (
                "rule",
                "allow shell_execute `ls*` does not count: the line redirects to x"
            ),
            ("level", "needs unrestricted, unrestricted is given"),
            ("grant", "no grant of this session covers it"),
            ("rule", "no rule decides"),
            ("mode", "it may do more than look: it redirects to x"),
            ("mode", "mode adaptive asks for running a command"),
        ]
    );
}

#[test]
fn a_grant_and_a_rule_do_not_answer_for_an_agent_below_the_session() {
    let settings = with_rules(
        settings(Level::Workspace, Mode::Open),
        &[("shell_execute", "cargo", Allow)],
    );
    let granted = grants(&[("shell_execute", "make", Allow), ("file_write", "a", Allow)]);
    let judged =
        |call: &PreparedCall, cap| decided(&evaluate_capped(call, &settings, &granted, cap)).0;

    for call in [shell("make"), shell("cargo"), write("/proj/a")] {
        assert_eq!(judged(&call, Level::Read), Ask, "{call:?}");
        assert_eq!(judged(&call, Level::Unrestricted), Allow, "{call:?}");
    }
    assert_eq!(judged(&write("/proj/a"), Level::Workspace), Allow);
    assert_eq!(judged(&read("/proj/a"), Level::Read), Allow);
    assert_eq!(judged(&write("/out/a"), Level::Unrestricted), Deny);
}

#[test]
fn confined_reads_are_refused_outside_the_workspace_and_the_system() {
    let judged = |path: &str, level| {
        let mut settings = settings(level, Mode::Open);
        settings.confine_reads = true;
        decided(&evaluate(
            &read(path),
            &settings,
            &grants(&[("file_read", "*", Allow)]),
        ))
        .0
    };

    assert_eq!(judged("/home/other/notes", Level::Workspace), Deny);
    assert_eq!(judged("/home/other/notes", Level::Read), Deny);
    assert_eq!(judged("/usr/include/stdio.h", Level::Workspace), Allow);
    assert_eq!(judged("/proj/a", Level::Workspace), Allow);
    assert_eq!(judged("/home/other/notes", Level::Unrestricted), Allow);
}
