//! Programs that only look, run as a model runs them.

use std::{net::TcpListener, os::unix::fs::PermissionsExt as _, process::Stdio};

use quarterdeck::{
    domain::{
        access::{Access, Resource},
        permission::{Level, Risk},
    },
    permission::RUNNER,
    process::supervisor,
    tools::registry,
};
use serde_json::{Value, json};

use crate::support::{
    cage::{Cage, backends},
    host::Workbench,
};

fn bench() -> Workbench {
    supervisor::use_program(env!("CARGO_BIN_EXE_qd"));
    Workbench::new()
}

async fn inspect(bench: &Workbench, argv: Value) -> String {
    bench
        .text("terminal.inspect", json!({ "argv": argv }))
        .await
}

#[expect(clippy::disallowed_types, reason = "a project is made by git itself")]
fn git(bench: &Workbench, arguments: &[&str]) {
    let status = std::process::Command::new("git")
        .args(["-c", "user.name=A", "-c", "user.email=a@b.c"])
        .args(arguments)
        .current_dir(&bench.path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success(), "{arguments:?}");
}

#[tokio::test]
async fn a_program_gets_its_words_as_they_are() {
    let bench = bench();
    bench.put("$HOME *'s {a,b}.txt", "one\ntwo\n");

    assert_eq!(
        inspect(&bench, json!(["head", "-n", "1", "$HOME *'s {a,b}.txt"])).await,
        "one"
    );
    assert_eq!(
        inspect(&bench, json!("pwd")).await,
        bench.path.display().to_string()
    );
    let nowhere = inspect(&bench, json!(["cat", "*.txt"])).await;
    assert!(
        nowhere.contains("No such file") && nowhere.ends_with("[exit code: 1]"),
        "{nowhere}"
    );
}

#[tokio::test]
async fn what_is_not_known_to_only_look_is_refused_before_it_is_judged() {
    let bench = bench();
    bench.put("a", "");

    assert_eq!(
        inspect(&bench, json!(["rm", "a"])).await,
        "refused: shell_inspect: `argv`: `rm a` is not known to only look: the programs are pwd, ls, cat, stat, file, \
         head, tail, wc and git, by their bare names and one word an argument. Use shell_execute for anything else"
    );
    assert_eq!(
        inspect(&bench, json!(["cat", ""])).await,
        "refused: shell_inspect: `argv`: its word 2 is empty"
    );
    assert_eq!(bench.names(), ["a"]);
}

#[test]
fn it_is_judged_as_the_line_that_runs_exactly_its_words() {
    let bench = Workbench::new();
    let tool = registry::find("shell_inspect").unwrap();
    let checked = tool
        .check(&json!({"argv": ["cat", "it's", "src/a.rs"]}))
        .unwrap();

    let access = tool.access(&checked, &bench.context);

    assert_eq!(
        access,
        Ok(Access {
            resources: vec![Resource::Shell {
                command: r"cat 'it'\''s' src/a.rs".to_owned()
            }],
            level: Level::Read,
            risk: Risk::ReadOnlyLocal,
        })
    );
    let runner = registry::find("shell_execute").unwrap().about();
    assert_eq!(RUNNER, [&[runner.name], runner.aliases].concat());
}

#[tokio::test]
async fn in_a_sandbox_it_sees_and_changes_nothing_and_has_no_network() {
    for backend in backends() {
        let cage = Cage::new(backend).at(Level::Workspace);
        cage.put("work/a.txt", "here\n");
        let bench = cage.bench();
        git(bench, &["init", "-q"]);
        git(bench, &["add", "a.txt"]);
        git(bench, &["commit", "-qm", "one"]);
        // What git starts is held as well: it may neither write nor connect.
        let outside = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = outside.local_addr().unwrap().port();
        let program = cage.put(
            "work/hook",
            format!(
                "#!/bin/bash\ntouch touched\n(exec 3<>/dev/tcp/127.0.0.1/{port}) && echo reached >&2\necho asked >&2\n"
            ).as_str(),
        );
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        git(bench, &["config", "core.fsmonitor", "./hook"]);

        let status = inspect(bench, json!(["git", "status", "--short"])).await;

        assert!(status.contains("?? hook"), "{status}");
        assert!(status.contains("asked"), "{status}");
        assert!(
            status.contains("touch")
                && !status.contains("reached")
                && !cage.path("work/touched").exists(),
            "{status}"
        );
        assert_eq!(inspect(bench, json!(["cat", "a.txt"])).await, "here");
        assert_eq!(
            inspect(bench, json!(["git", "log", "--oneline", "-1"]))
                .await
                .split_once(' ')
                .map(|(_, subject)| subject.to_owned()),
            Some("one".to_owned())
        );
    }
}
