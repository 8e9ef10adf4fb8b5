//! Command lines in a running session: what a rule for one command lets through, and what it does not.

use quarterdeck::{
    domain::permission::{Level, Rule, Verdict},
    providers::scripted::Reply,
};
use serde_json::{Value, json};

use crate::support::bench::Bench;

/// A session in which these patterns of command lines are allowed.
async fn allowing(patterns: &[&str]) -> Bench {
    let rules = patterns
        .iter()
        .map(|pattern| Rule {
            action: "shell_execute".to_owned(),
            resource: (*pattern).to_owned(),
            verdict: Verdict::Allow,
        })
        .collect();
    Bench::start_with(|options| options.permissions.rules = rules).await
}

/// Whether a line is asked about. It is rejected then; the canary `x` must not be there in any case.
async fn is_asked(bench: &mut Bench, line: &str) -> bool {
    let asked = is_call_asked(bench, "shell_execute", json!({ "command": line })).await;
    assert!(!bench.folder.join("x").exists(), "{line}");
    asked
}

async fn is_call_asked(bench: &mut Bench, tool: &str, arguments: Value) -> bool {
    bench
        .script
        .reply(Reply::calls(tool, arguments))
        .reply(Reply::says("ok"));
    bench.asks_next().await
}

/// Every line of `asked` is asked about although the patterns are allowed; `free` show that they are.
async fn hold(patterns: &[&str], free: &[&str], asked: &[&str]) {
    let mut bench = allowing(patterns).await;
    for line in free {
        assert!(!is_asked(&mut bench, line).await, "{line}");
    }
    for line in asked {
        assert!(is_asked(&mut bench, line).await, "{line}");
    }
}

#[tokio::test]
async fn b94_every_command_of_a_chain_is_judged() {
    hold(
        &["ls", "ls *"],
        &["ls", "ls -la", "ls && ls -l"],
        &[
            "ls; touch x",
            "ls && touch x",
            "ls || touch x",
            "ls | tee x",
            "ls & touch x",
            "ls\ntouch x",
            "lsx",
            "(ls; touch x)",
            "if ls; then touch x; fi",
        ],
    )
    .await;
}

#[tokio::test]
async fn b95_substitutions_and_redirections_are_asked() {
    hold(
        &["echo *", "find *", "cat *"],
        &["echo hello", "find . -maxdepth 0"],
        &[
            "echo $(touch x)",
            "echo `touch x`",
            "echo \"$(touch x)\"",
            "echo ${A:=$(touch x)}",
            "echo hi > x",
            "echo hi >> x",
            "echo hi >| x",
            "echo hi &> x",
            "cat <(touch x)",
            "cat <<E\n$(touch x)\nE",
            "find . -maxdepth 0 -exec touch x +",
            "find . -maxdepth 0 -ok touch x \\;",
            "find . -name y -delete",
            "find . -fprint x",
        ],
    )
    .await;
}

#[tokio::test]
async fn b97_wrappers_are_opened() {
    hold(
        &[
            "git *", "env *", "echo *", "xargs *", "nice *", "ls", "ls *",
        ],
        &["nice ls", "env ls"],
        &[
            "git -c alias.s='!touch x' s",
            "git -c core.fsmonitor='touch x' status",
            "env touch x",
            "env -S 'touch x'",
            "env -i touch x",
            "PATH=/tmp/evil:$PATH ls",
            "LD_PRELOAD=/tmp/evil.so ls",
            "echo x | xargs touch",
            "nice touch x",
            "nice -n 5 touch x",
            "env nice touch x",
            "xargs -I{} sh -c 'touch {}'",
        ],
    )
    .await;
}

/// git starts what a folder's own configuration names: it looks without a question only where the folder is trusted,
/// and there at level read already.
#[tokio::test]
async fn git_looks_at_level_read_in_a_trusted_folder_only() {
    for (trusted, asked) in [(true, false), (false, true)] {
        let mut bench = Bench::start_with(|options| {
            options.permissions.level = Level::Read;
            options.trusted = Some(trusted);
        })
        .await;
        for line in ["git status", "cd . && git log --oneline -n 3"] {
            assert_eq!(is_asked(&mut bench, line).await, asked, "{line} {trusted}");
        }
        for argv in [json!(["git", "status"]), json!(["git", "log", "-n", "3"])] {
            let arguments = json!({ "argv": argv });
            let is_asked = is_call_asked(&mut bench, "shell_inspect", arguments).await;
            assert_eq!(is_asked, asked, "{argv} {trusted}");
        }
        assert!(!is_asked(&mut bench, "ls").await);
        assert!(is_asked(&mut bench, "touch x").await);
    }
}
