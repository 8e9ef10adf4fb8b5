//! How a command line is judged: by every command in it, and by what it looks at.

use super::{LEVELS, decided, row, settings, shell, with_rules};
use crate::{
    domain::agent_policy::AgentPermissions,
    domain::permission::{
        Level, Mode,
        Verdict::{self, Allow, Ask, Deny},
    },
    permission::{
        evaluate::{Limits, evaluate, evaluate_limited},
        grants::Grants,
    },
};

#[test]
fn a_line_that_only_looks_is_judged_by_what_it_looks_at() {
    let all = |verdict, stage: &str| [verdict; 3].map(|verdict| (verdict, stage.to_owned()));
    let modes = |verdicts: [Verdict; 3]| verdicts.map(|verdict| (verdict, "mode".to_owned()));
    let table = [
        (
            shell("ls src && cat a | head -n 3"),
            [
                all(Ask, "level"),
                all(Allow, "mode"),
                all(Allow, "mode"),
                all(Allow, "mode"),
            ],
        ),
        (
            // Git starts what the folder's configuration names: not before the folder is trusted.
            shell("git status"),
            [
                all(Ask, "level"),
                all(Ask, "level"),
                all(Allow, "mode"),
                all(Allow, "mode"),
            ],
        ),
        (
            shell("cat /home/other/notes"),
            [
                all(Ask, "level"),
                modes([Ask, Ask, Allow]),
                modes([Ask, Ask, Allow]),
                all(Allow, "mode"),
            ],
        ),
        (shell("cat .env"), LEVELS.map(|_| all(Deny, "floor"))),
        (shell("ls .env"), LEVELS.map(|_| all(Deny, "bounds"))),
        (shell("make; rm -rf /"), LEVELS.map(|_| all(Deny, "floor"))),
    ];

    for (call, rows) in table {
        for (level, expected) in LEVELS.into_iter().zip(rows) {
            assert_eq!(row(&call, level), expected, "{call:?} at {level:?}");
        }
    }
}

#[test]
fn a_line_is_judged_by_every_command_in_it() {
    let judged = |line: &str, rules: &[(&str, &str, Verdict)]| {
        let settings = with_rules(settings(Level::Unrestricted, Mode::Open), rules);
        decided(&evaluate(&shell(line), &settings, &Grants::default())).0
    };
    type Case<'a> = (&'a str, &'a [(&'a str, Verdict)], Verdict);
    let table: [Case<'_>; 16] = [
        (
            "git push origin main; rm x",
            &[("rm *", Deny), ("git push *", Ask)],
            Deny,
        ),
        ("for f in a; do rm $f; done", &[("rm *", Deny)], Deny),
        ("! rm x", &[("rm *", Deny)], Deny),
        ("echo \"$(date)\"; rm x", &[("rm *", Deny)], Deny),
        ("/bin/rm x", &[("rm *", Deny)], Deny),
        ("git -C . push", &[("git push *", Deny)], Deny),
        ("find . -exec rm {} +", &[("rm *", Deny)], Deny),
        (">o rm x", &[("rm *", Deny)], Deny),
        ("env A=1 nice rm x", &[("rm *", Ask)], Ask),
        ("bash -c 'rm x'", &[("rm *", Deny)], Deny),
        ("echo rm x | sh", &[("rm *", Deny)], Deny),
        ("ssh host rm x", &[("rm *", Deny)], Deny),
        (
            "git status && git diff",
            &[("git *", Ask), ("git status", Allow)],
            Ask,
        ),
        (
            "git status",
            &[("git *", Ask), ("git status", Allow)],
            Allow,
        ),
        ("cat secret/key", &[("*", Allow)], Allow),
        ("a <<E; rm x\nE", &[("rm *", Deny)], Deny),
    ];
    for (line, rules, expected) in table {
        let rules: Vec<_> = rules
            .iter()
            .map(|(resource, verdict)| ("bash", *resource, *verdict))
            .collect();
        assert_eq!(judged(line, &rules), expected, "{line}");
    }
    // What may not be read may not be looked at by a command either.
    assert_eq!(
        judged("cat secret/key", &[("file_read", "secret/*", Deny)]),
        Deny
    );
}

#[test]
fn a_pattern_answers_only_for_lines_that_are_understood() {
    let judged = |line: &str| {
        let rules = [
            ("shell_execute", "cargo *", Allow),
            ("shell_execute", "tail *", Allow),
            ("shell_execute", "git *", Allow),
            ("shell_execute", "sed *", Allow),
        ];
        let settings = with_rules(settings(Level::Unrestricted, Mode::Adaptive), &rules);
        decided(&evaluate(&shell(line), &settings, &Grants::default())).0
    };
    for line in [
        "cargo test",
        "cargo test 2>&1 | tail -5",
        "cd sub && cargo test --lib",
        "RUST_BACKTRACE=1 timeout 60 cargo test",
        "cargo fmt; cargo clippy -- -D warnings",
        "git log --oneline -- src/*.rs",
        "sed -n 1,5p a",
    ] {
        assert_eq!(judged(line), Allow, "{line}");
    }
    for line in [
        "cargo test > out",
        "cargo test $(id)",
        "cargo test $X",
        "cargo test | tee out",
        "PATH=. cargo test",
        "cargo --config x test",
        "git -c a=b status",
        "git status *",
        "sed -i s/a/b/ f",
        "./cargo test",
        "cargo test &&",
    ] {
        assert_eq!(judged(line), Ask, "{line}");
    }
}

#[test]
fn what_is_forbidden_to_the_shell_is_forbidden_to_every_tool_that_runs_commands() {
    let judged = |line: &str, rules: &[(&str, &str, Verdict)]| {
        let mut call = shell(line);
        call.tool = "shell_inspect".to_owned();
        call.aliases.clear();
        let settings = with_rules(settings(Level::Workspace, Mode::Strict), rules);
        decided(&evaluate(&call, &settings, &Grants::default())).0
    };

    assert_eq!(judged("cat a", &[]), Allow);
    for (action, verdict) in [
        ("shell_execute", Deny),
        ("bash", Ask),
        ("shell_*", Deny),
        ("shell_inspect", Ask),
    ] {
        assert_eq!(judged("cat a", &[(action, "cat *", verdict)]), verdict);
        assert_eq!(judged("ls a", &[(action, "cat *", verdict)]), Allow);
    }
    assert_eq!(judged("cat a", &[("file_edit", "*", Deny)]), Allow);
    assert_eq!(judged("cat .env", &[]), Deny);
    // What the shell may run, another tool may not.
    assert_eq!(judged("make", &[("bash", "make", Allow)]), Ask);
}

/// A document of a type, as a test writes it.
fn policy(rules: &[(&str, &str, Verdict)], answers: bool) -> AgentPermissions {
    let mut policy = AgentPermissions {
        of: "tests".to_owned(),
        answers,
        ..AgentPermissions::default()
    };
    for (action, resource, verdict) in rules {
        let patterns = policy.actions.entry((*action).to_owned()).or_default();
        patterns.insert((*resource).to_owned(), *verdict);
    }
    policy
}

#[test]
fn a_type_lets_nothing_of_what_it_names_through_but_what_it_allows() {
    let judged = |line: &str, policies: &[AgentPermissions]| {
        let rules = [("bash", "make *", Ask), ("bash", "rm *", Deny)];
        let settings = with_rules(settings(Level::Unrestricted, Mode::Open), &rules);
        let limits = Limits {
            cap: Level::Unrestricted,
            policies,
        };
        let judgement = evaluate_limited(&shell(line), &settings, &Grants::default(), &limits);
        let (verdict, stage) = decided(&judgement);
        (verdict, stage.to_owned())
    };
    let own = policy(
        &[
            ("bash", "make *", Allow),
            ("bash", "rm *", Allow),
            ("bash", "npm *", Ask),
        ],
        true,
    );
    let agent = |verdict| (verdict, "agent".to_owned());
    for (line, expected) in [
        ("make test", agent(Allow)),
        ("npm test", agent(Ask)),
        ("npm test && make", agent(Ask)),
        ("touch x", agent(Deny)),
        ("make; touch x", agent(Deny)),
        // An allow that does not count, since the line is not understood, lets nothing through.
        ("make $(id)", agent(Deny)),
        ("rm x", (Deny, "rule".to_owned())),
    ] {
        assert_eq!(judged(line, std::slice::from_ref(&own)), expected, "{line}");
    }
    // What a project says, and what stands above, answers for nobody: the configuration goes on to decide.
    let inherited = own.inherited();
    for (line, expected) in [
        ("make test", (Ask, "rule".to_owned())),
        ("npm test", agent(Ask)),
        ("touch x", agent(Deny)),
    ] {
        assert_eq!(
            judged(line, std::slice::from_ref(&inherited)),
            expected,
            "{line}"
        );
    }
    let above = policy(
        &[
            ("shell_execute", "make test", Deny),
            ("shell_execute", "*", Allow),
        ],
        false,
    );
    assert_eq!(
        judged("make test", &[above.clone(), own.clone()]),
        agent(Deny)
    );
    assert_eq!(judged("make lint", &[above, own]), agent(Allow));
    // Another tool is left to the configuration, and files hold for what a command looks at.
    let reading = policy(
        &[
            ("file_read", "/proj/src/*", Allow),
            ("file_read", "*", Deny),
        ],
        true,
    );
    assert_eq!(
        judged("touch x", std::slice::from_ref(&reading)),
        (Allow, "mode".to_owned())
    );
    assert_eq!(judged("cat /proj/notes", &[reading]), agent(Deny));
}

/// Looking through folders is looking where a sandbox keeps secrets from it, and nowhere else.
#[test]
fn what_looks_through_folders_runs_unasked_only_where_it_is_held() {
    let judged = |line: &str, held: bool, rules: &[(&str, &str, Verdict)]| {
        let mut call = shell(line);
        call.surrounded(held, true);
        let settings = with_rules(settings(Level::Workspace, Mode::Adaptive), rules);
        decided(&evaluate(&call, &settings, &Grants::default())).0
    };
    for line in [
        "grep -rn 'fn main' src | head -5",
        "find . -name '*.rs' | xargs wc -l",
        "git diff HEAD~1",
        "cat src/*.rs 2>/dev/null",
    ] {
        assert_eq!(judged(line, true, &[]), Allow, "{line}");
        assert_eq!(judged(line, false, &[]), Ask, "{line}");
        // A rule of a file that it may come by keeps the question; one for this command answers it.
        let closed = ("file_read", "private/*", Deny);
        assert_eq!(judged(line, true, &[closed]), Ask, "{line}");
        let open = ["grep *", "find *", "git *", "cat *", "wc *", "head *"];
        let mut rules: Vec<_> = open.iter().map(|open| ("bash", *open, Allow)).collect();
        rules.push(closed);
        assert_eq!(judged(line, true, &rules), Allow, "{line}");
    }
    assert_eq!(judged("grep x /home/else/a", true, &[]), Ask);
    assert_eq!(judged("grep x .env", true, &[]), Deny);
    assert_eq!(judged("grep .env a", true, &[]), Allow);
    assert_eq!(
        judged("grep -r x .", true, &[("bash", "grep *", Deny)]),
        Deny
    );
    assert_eq!(
        judged("grep -r x private", true, &[("file_read", "private", Deny)]),
        Deny
    );
}
