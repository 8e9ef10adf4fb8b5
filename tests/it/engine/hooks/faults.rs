//! Hooks that do not do their work: never a stuck turn, and never consent where it is required.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use quarterdeck::{
    domain::{
        hook::{Hook, HookCommand, HookEvent},
        ids::AgentId,
        record::TurnOutcome,
        tool::CallStatus,
    },
    engine::command::Command,
    process::sandbox::{backend::Choice, wanted::SandboxSettings},
};

use crate::support::cage::backends;

use super::world::{bench, bench_with, deeds, hook, reads_a_file};

const PRE: HookEvent = HookEvent::PreToolCall;

/// Reads a file with this hook around it: what the model was told, and what the hook did.
async fn read_with(hook: Hook) -> (CallStatus, String, Vec<String>) {
    let mut bench = bench(vec![hook]).await;
    reads_a_file(&bench);
    bench.say("go");
    let outcome = bench.turn_over().await;
    assert_eq!(outcome, TurnOutcome::Finished);
    let result = bench.results().remove(0);
    (result.status, result.text, deeds(&bench))
}

#[tokio::test]
async fn a_hook_that_fails_is_told_of_and_the_call_runs_unless_it_is_required() {
    let table = [
        ("echo oops >&2; exit 1", "exit code 1: oops"),
        ("kill -9 $$", "ended by signal 9"),
        ("echo no", "it did not print one JSON object"),
        ("echo '{\"decison\": \"deny\"}'", "unknown field `decison`"),
        ("printf '\\377'", "it printed what is not UTF-8"),
        (
            "head -c 10000000 /dev/zero | tr '\\0' x",
            "it printed more than 1,048,576 bytes and was ended",
        ),
        ("no-such-program", "exit code 127"),
        ("echo '{\"output\": \"x\"}'", "before there is one"),
    ];
    for (line, why) in table {
        let (status, text, did) = read_with(hook("weak", PRE, line)).await;
        assert_eq!(status, CallStatus::Done, "{line}: {text}");
        assert!(text.contains("content of a"), "{line}: {text}");
        assert!(
            did.len() == 1 && did[0].contains(why) && did[0].ends_with(" false"),
            "{line}: {did:?}"
        );

        let mut required = hook("weak", PRE, line);
        required.required = true;
        let (status, text, did) = read_with(required).await;
        assert_eq!(status, CallStatus::Refused, "{line}: {text}");
        assert!(text.contains("it is required and failed"), "{line}: {text}");
        assert!(did[0].ends_with(" true"), "{line}: {did:?}");
    }
}

#[tokio::test]
async fn a_program_that_is_not_there_is_a_fault_like_any_other() {
    let mut gone = hook("gone", PRE, "");
    gone.command = HookCommand::Words(vec!["/no/such/program".to_owned()]);

    let (status, _, did) = read_with(gone).await;

    assert_eq!(status, CallStatus::Done);
    assert!(
        did[0].contains("/no/such/program") || did[0].contains("No such file"),
        "{did:?}"
    );
}

#[tokio::test]
async fn a_hook_that_takes_too_long_is_ended_with_all_that_it_started() {
    let folder = tempfile::tempdir().unwrap();
    let pid = folder.path().join("pid");
    let line = format!("sleep 600 & echo $! >{}; wait", pid.display());
    let mut slow = hook("slow", PRE, &line);
    slow.timeout_ms = 1_000;

    let (status, _, did) = read_with(slow).await;

    assert_eq!(status, CallStatus::Done);
    assert_eq!(
        did,
        ["slow failed it took longer than 1000 ms and was ended false"]
    );
    assert!(is_gone(&std::fs::read_to_string(pid).unwrap()));
}

#[tokio::test]
async fn what_a_hook_leaves_behind_ends_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let pid = folder.path().join("pid");
    let line = format!(
        "setsid sleep 600 & echo $! >{}; echo '{{\"context\": \"left\"}}'",
        pid.display()
    );

    let (status, _, did) = read_with(hook("leaves", PRE, &line)).await;

    assert_eq!(status, CallStatus::Done);
    assert_eq!(did, ["leaves added left"]);
    assert!(is_gone(&std::fs::read_to_string(pid).unwrap()));
}

#[tokio::test]
async fn cancelling_ends_the_turn_while_a_hook_runs_at_each_moment() {
    for event in [
        HookEvent::PreToolCall,
        HookEvent::PostToolCall,
        HookEvent::PreGeneration,
        HookEvent::TurnEnd,
    ] {
        let folder = tempfile::tempdir().unwrap();
        let pid = folder.path().join("pid");
        let line = format!(
            "echo $$ >{0}.new; mv {0}.new {0}; exec sleep 600",
            pid.display()
        );
        let mut slow = hook("slow", event, &line);
        slow.timeout_ms = 600_000;
        let mut bench = bench(vec![slow]).await;
        reads_a_file(&bench);
        bench.say("go");
        wait_for("the hook", || pid.exists()).await;

        bench.send(Command::Cancel {
            agent: AgentId::main(),
        });
        let outcome = bench.turn_over().await;

        assert_eq!(outcome, TurnOutcome::Cancelled, "{event:?}");
        let pid = std::fs::read_to_string(pid).unwrap();
        if event != HookEvent::TurnEnd {
            wait_for("the end of the hook", || is_gone(&pid)).await;
        }
    }
}

#[tokio::test]
async fn a_hook_that_removes_itself_is_missed_from_then_on() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("once.sh");
    #[expect(clippy::disallowed_methods, reason = "a test makes its world")]
    std::fs::write(&script, "rm -- \"$0\"\n").unwrap();
    let mut once = hook("once", PRE, "");
    once.command = HookCommand::Words(vec!["sh".to_owned(), script.display().to_string()]);
    once.required = true;
    let mut bench = bench(vec![once]).await;
    for _ in 0..2 {
        reads_a_file(&bench);
        bench.say("go");
        bench.turn_over().await;
    }

    let results = bench.results();
    assert_eq!(results[0].status, CallStatus::Done);
    assert_eq!(
        results[1].status,
        CallStatus::Refused,
        "{}",
        results[1].text
    );
    assert!(results[1].text.contains("once.sh"), "{}", results[1].text);
}

#[tokio::test]
async fn a_program_that_agents_could_have_written_does_not_get_the_rights_of_the_person() {
    let mut bench = bench(vec![hook("own", PRE, "sh ./check.sh")]).await;
    bench.file("check.sh", "echo ran >ran\n");
    reads_a_file(&bench);
    bench.say("go");
    bench.turn_over().await;

    assert!(!bench.folder.join("ran").exists());
    let did = deeds(&bench);
    assert!(did[0].contains("lies where agents write"), "{did:?}");
}

#[tokio::test]
async fn a_hook_that_wants_a_sandbox_does_not_run_where_there_is_none() {
    let mut caged = hook("caged", PRE, "echo ran >ran");
    caged.sandbox = true;
    let mut bench = bench(vec![caged]).await;
    reads_a_file(&bench);
    bench.say("go");
    bench.turn_over().await;

    assert!(!bench.folder.join("ran").exists());
    let did = deeds(&bench);
    assert!(did[0].contains("nothing holds commands here"), "{did:?}");
}

#[tokio::test]
async fn in_each_sandbox_a_hook_reads_what_it_is_told_and_writes_in_the_workspace_only() {
    for backend in backends() {
        // Not in /tmp, which is the session's own in there.
        let outside = Path::new(env!("CARGO_TARGET_TMPDIR")).join("outside-of-hooks");
        let script = format!(
            "read -r told; echo \"$told\" >told; echo x >'{}' || echo '{{\"context\": \"held back\"}}'",
            outside.display()
        );
        let mut caged = hook("caged", PRE, &script);
        caged.sandbox = true;
        let mut bench = bench_with(vec![caged], |options| {
            options.tools.sandbox = SandboxSettings {
                choice: Choice::Only(backend),
                ..SandboxSettings::none()
            };
        })
        .await;
        reads_a_file(&bench);
        bench.say("go");
        bench.turn_over().await;

        let told = std::fs::read_to_string(bench.folder.join("told")).unwrap();
        assert!(
            told.contains("\"pre_tool_call\""),
            "{}: {told}",
            backend.name()
        );
        assert!(!outside.exists(), "{}", backend.name());
        assert_eq!(
            deeds(&bench),
            ["caged added held back"],
            "{}",
            backend.name()
        );
    }
}

#[tokio::test]
async fn our_own_keys_are_not_in_its_environment() {
    let line =
        "echo \"{\\\"context\\\": \\\"${CARGO_PKG_NAME:-none} ${CARGO_PKG_VERSION:-none}\\\"}\"";
    let mut bench = bench_with(vec![hook("env", PRE, line)], |options| {
        options.tools.secret_variables = vec!["CARGO_PKG_NAME".to_owned()];
    })
    .await;
    reads_a_file(&bench);
    bench.say("go");
    bench.turn_over().await;

    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(deeds(&bench), [format!("env added none {version}")]);
}

/// Whether a process has ended, perhaps without anybody having waited for it.
fn is_gone(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
    stat.is_err() || stat.is_ok_and(|stat| stat.contains(") Z "))
}

/// Waits for something that no event tells.
async fn wait_for(what: &str, is_so: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !is_so() {
        assert!(Instant::now() < deadline, "waited in vain for {what}");
        tokio::task::yield_now().await;
    }
}
