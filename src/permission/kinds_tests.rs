use std::path::{Path, PathBuf};

use super::{super::evaluate::evaluate, rules};
use crate::{
    domain::{
        access::{Access, Resource},
        permission::{
            Grant, Judgement, Level, Mode, Network, OwnPlaces, PermissionSettings, Risk, Verdict,
        },
    },
    permission::{Grants, PreparedCall},
};

const ROOT: &str = "/home/ada/project";

fn settings() -> PermissionSettings {
    PermissionSettings {
        level: Level::Workspace,
        mode: Mode::Adaptive,
        roots: vec![PathBuf::from(ROOT)],
        own: OwnPlaces::default(),
        approvals: true,
        network: Network::All,
        confine_reads: false,
        rules: Vec::new(),
    }
}

fn held(command: &str) -> PreparedCall {
    let access = Access {
        level: Level::Workspace,
        risk: Risk::Execution,
        resources: vec![Resource::Shell {
            command: command.to_owned(),
        }],
    };
    let mut call = PreparedCall::new("shell_execute", &[], &access, |path: &Path| {
        (path.to_owned(), false)
    });
    call.surrounded(true, true);
    call
}

fn change(tool: &str, path: &str) -> PreparedCall {
    let access = Access {
        level: Level::Workspace,
        risk: Risk::WorkspaceWrite,
        resources: vec![Resource::Write {
            path: PathBuf::from(path),
        }],
    };
    PreparedCall::new(tool, &[], &access, |path: &Path| (path.to_owned(), false))
}

fn kinds(call: &PreparedCall) -> Vec<String> {
    let rules = rules(call, &settings());
    rules.into_iter().map(|rule| rule.resource).collect()
}

/// The judgement of the second call once the first one was allowed for the session.
fn after(first: &PreparedCall, second: &PreparedCall) -> Judgement {
    let offered = rules(first, &settings());
    assert!(!offered.is_empty(), "{first:?}");
    let grants = Grants::new(offered.into_iter().map(Grant::kind).collect());
    evaluate(second, &settings(), &grants)
}

fn runs(first: &str, second: &str) -> bool {
    after(&held(first), &held(second)).verdict == Verdict::Allow
}

#[test]
fn the_kind_is_the_program_and_what_it_does() {
    for (command, kind) in [
        ("cargo test -q", "cargo test *"),
        ("timeout 60 cargo build --release", "cargo build *"),
        ("cd sub && make -j2 all", "make *"),
        ("npm run build", "npm run build *"),
        ("npm test -- --watch=false", "npm test *"),
        ("python3 tools/check.py --all", "python3 tools/check.py *"),
        ("python3 -m pytest -q", "python3 -m pytest *"),
        ("./configure --prefix=out", "./configure *"),
        ("cargo test 2>&1 | tail -5", "cargo test *"),
        ("cargo test >/dev/null", "cargo test *"),
        ("git add -A", "git add *"),
        ("make $FLAGS", "make *"),
    ] {
        assert_eq!(kinds(&held(command)), [kind], "{command}");
    }
    assert_eq!(
        kinds(&held("cargo fmt && cargo clippy && git add src")),
        ["cargo fmt *", "cargo clippy *", "git add *"]
    );
}

/// What carries its code in its arguments, talks to others or throws work away has no kind.
#[test]
fn what_no_sandbox_makes_harmless_is_of_no_kind() {
    for command in [
        "python3 -c 'print(1)'",
        "python3",
        "python3 -m http.server",
        "python3 -m pip install x",
        "bash -c 'make'; node -e 1",
        "bash +e -c 'rm x'",
        "node -e '1'",
        "npm install",
        "npx something",
        "npm run",
        "cargo publish",
        "cargo install x",
        "cargo --config a.b=1 test",
        "cargo",
        "curl https://example.org",
        "git push",
        "git reset --hard",
        "git -c core.pager=x add a",
        "rm -r build",
        "mv a b",
        "dd if=a of=b",
        "/usr/bin/make",
        "/tmp/x.sh",
        "CC=/tmp/evil make",
        "PATH=/tmp/x:$PATH make",
        "$PROGRAM test",
        "cargo test $(rm x)",
        "cargo test `nproc`",
        "cargo test; eval \"$X\"",
        "make > Makefile",
        "touch a; rm b",
        "echo words",
        "sudo make install",
        "cargo build; cargo test; cargo doc; cargo fmt; make",
    ] {
        assert_eq!(kinds(&held(command)), [""; 0], "{command}");
    }
}

/// At level read nothing can be thrown away.
#[test]
fn at_level_read_every_program_is_a_kind_but_those_that_talk_to_others() {
    let reading = PermissionSettings {
        level: Level::Read,
        ..settings()
    };
    let kinds = |command: &str| -> Vec<String> {
        let rules = rules(&held(command), &reading).into_iter();
        rules.map(|rule| rule.resource).collect()
    };

    assert_eq!(kinds("python3 -c 'print(1)'"), ["python3 *"]);
    assert_eq!(kinds("awk '{print}' a | jq ."), ["awk *", "jq *"]);
    assert_eq!(kinds("cargo check -q"), ["cargo check *"]);
    assert_eq!(
        kinds("t=$(mktemp) && awk '{print}' a > $t"),
        ["mktemp *", "awk *"]
    );
    for command in [
        "curl https://example.org",
        "git push",
        "npm install",
        "python3 -c 'x' && curl a",
        "$X a",
        "sudo ls",
        "awk '{print}' a > $(mktemp); git fetch",
    ] {
        assert_eq!(kinds(command), [""; 0], "{command}");
    }
    // What was allowed where nothing can be written does not hold where it can.
    let allowed = rules(&held("python3 -c 'print(1)'"), &reading);
    let grants = Grants::new(allowed.into_iter().map(Grant::kind).collect());
    let mut again = held("python3 -c 'print(2)'");
    again.needs = Level::Read;
    assert_eq!(evaluate(&again, &reading, &grants).verdict, Verdict::Allow);
    assert_eq!(evaluate(&again, &settings(), &grants).verdict, Verdict::Ask);
}

/// B107: what an answer stands for is no wider than what it says.
#[test]
fn b107_another_task_or_a_longer_line_is_asked() {
    assert!(runs("npm run build", "npm run build"));
    assert!(runs("npm run build", "cd web && npm run build -- --fast"));
    assert!(!runs("npm run build", "npm run build; touch x"));
    assert!(!runs("npm run build", "npm run build:x"));
    assert!(!runs("npm run build", "npm run deploy"));
    assert!(!runs("python3 a.py", "python3 -c 'open(\"x\",\"w\")'"));
    assert!(!runs("python3 a.py", "python3 b.py"));
    assert!(!runs("cargo test", "cargo build"));
    assert!(!runs("cargo test", "cargo test $(touch x)"));
    assert!(runs("touch a; cargo test", "cargo test $(touch x)"));
    assert!(runs(
        "t=$(mktemp -d) && tar xf a.tar -C \"$t\"",
        "u=$(mktemp -d); tar xf b.tar -C \"$u\" && cd \"$u\""
    ));
    assert!(!runs(
        "t=$(mktemp -d) && tar xf a.tar -C \"$t\"",
        "tar xf b.tar -C src"
    ));
    assert!(!runs("cargo test", "cargo test > src/main.rs"));
    assert!(!runs("cargo test", "CARGO_TARGET_DIR=x cargo test"));
    assert!(runs("make && touch a", "touch b"));
    assert!(runs("cargo test", "cargo test -q 2>&1 | tail -3"));
}

#[test]
fn a_change_stands_for_changes_of_the_workspace_by_the_same_tool() {
    let first = change("file_edit", "/home/ada/project/src/a.rs");
    assert_eq!(kinds(&first), ["/home/ada/project/*"]);
    let verdict = |call: &PreparedCall| after(&first, call).verdict;

    assert_eq!(
        verdict(&change("file_edit", "/home/ada/project/b/c.rs")),
        Verdict::Allow
    );
    assert_eq!(
        verdict(&change("file_write", "/home/ada/project/b.rs")),
        Verdict::Ask
    );
    for guarded in [
        "/home/ada/project/.git/hooks/pre-commit",
        "/home/ada/project/.envrc",
    ] {
        assert_eq!(
            verdict(&change("file_edit", guarded)),
            Verdict::Ask,
            "{guarded}"
        );
        assert_eq!(kinds(&change("file_edit", guarded)), [""; 0]);
    }
    assert_ne!(
        verdict(&change("file_edit", "/elsewhere/a")),
        Verdict::Allow
    );
}

/// The answer counts where it was given: in mode adaptive, at level workspace, while a sandbox holds.
#[test]
fn without_what_holds_it_everything_is_asked_again() {
    let test = held("cargo test");
    let grants = Grants::new(
        rules(&test, &settings())
            .into_iter()
            .map(Grant::kind)
            .collect(),
    );
    let verdict = |call: &PreparedCall, change: &dyn Fn(&mut PermissionSettings)| {
        let mut settings = settings();
        change(&mut settings);
        evaluate(call, &settings, &grants).verdict
    };
    let free = PreparedCall {
        held: false,
        ..test.clone()
    };

    assert_eq!(verdict(&test, &|_| {}), Verdict::Allow);
    assert_eq!(verdict(&free, &|_| {}), Verdict::Ask);
    assert_eq!(
        verdict(&test, &|settings| settings.mode = Mode::Strict),
        Verdict::Ask
    );
    assert_eq!(
        verdict(&test, &|settings| settings.level = Level::Unrestricted),
        Verdict::Ask
    );
    assert!(rules(&free, &settings()).is_empty());
}

/// A rule of the person's own says more than an answer for a kind.
#[test]
fn a_rule_that_asks_and_a_denial_win() {
    let test = held("cargo test --workspace");
    let kind = Grant::kind(rules(&test, &settings()).remove(0));
    let rule = |resource: &str, verdict| crate::domain::permission::Rule {
        action: "shell_execute".to_owned(),
        resource: resource.to_owned(),
        verdict,
    };
    let grants = Grants::new(vec![kind.clone()]);
    let mut asks = settings();
    asks.rules = vec![rule("cargo *", Verdict::Ask)];
    let denied = Grants::new(vec![
        kind,
        Grant::session(rule("cargo test --workspace", Verdict::Deny)),
    ]);

    assert_eq!(evaluate(&test, &asks, &grants).verdict, Verdict::Ask);
    assert_eq!(evaluate(&test, &settings(), &denied).verdict, Verdict::Deny);
}
