//! Commands that hang, flood, hide, outlive their shell or look for secrets.

use std::{
    fs::File,
    io::{Read as _, Write as _},
    path::{Path, PathBuf},
    process::Stdio,
    sync::{Arc, Mutex},
    time::Duration,
};

use futures::future::BoxFuture;
use quarterdeck::{
    domain::{
        agent::AgentNode,
        artifact::Address,
        checklist::Checklist,
        display::Display,
        ids::{AgentId, CallId, SessionId},
        job::JobInfo,
        media::MediaGate,
        permission::OwnPlaces,
        question::{FormOutcome, Question},
        scratchpad::{ScratchpadEntry, ScratchpadInfo, ScratchpadOrigin},
        window::ContextGauge,
    },
    process::{environment, sandbox::wanted::SandboxSettings, supervisor, table},
    text::ansi,
    tools::{
        context::{Reach, ToolContext, ToolSettings},
        error::ToolError,
        host::{ChecklistEdit, Host, SpawnReport, SpawnRequest},
        output::ToolOutput,
        registry,
    },
    workspace::{freshness::Freshness, root::Roots},
};
use serde_json::{Value, json};
use tokio::{sync::Notify, time::timeout};
use tokio_util::sync::CancellationToken;

/// Only a guard against hanging: nothing waits for it to pass.
pub(super) const GUARD: Duration = Duration::from_secs(20);

/// A folder to run in, and what was shown live.
pub(super) struct World {
    pub(super) folder: tempfile::TempDir,
    host: Arc<Watcher>,
    cancel: CancellationToken,
}

impl World {
    pub(super) fn new() -> Self {
        supervisor::use_program(env!("CARGO_BIN_EXE_qd"));
        Self {
            folder: tempfile::tempdir().unwrap(),
            host: Arc::default(),
            cancel: CancellationToken::new(),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// One of its own for each world, so that jobs of others are not seen.
    pub(super) fn session(&self) -> SessionId {
        SessionId::new(self.folder.path().display().to_string())
    }

    pub(super) fn job(&self) -> JobInfo {
        let mut jobs = table::list(&self.session());
        assert_eq!(jobs.len(), 1, "{jobs:?}");
        jobs.remove(0)
    }

    fn context(&self, cwd: &Path) -> ToolContext {
        ToolContext {
            session: self.session(),
            agent: AgentId::main(),
            call: CallId::new("call"),
            cwd: cwd.to_owned(),
            roots: Arc::new(Roots::default()),
            reach: Reach::of_person(),
            places: None,
            freshness: Arc::new(Freshness::default()),
            settings: Arc::new(ToolSettings {
                shell_timeout: GUARD,
                shell_timeout_max: GUARD,
                spool: self.path("spool"),
                secret_variables: vec!["OUR_OWN".to_owned()],
                own: OwnPlaces::default(),
                sandbox: SandboxSettings::none(),
            }),
            host: self.host.clone(),
            media: MediaGate::default(),
            keeps: false,
            cancel: self.cancel.clone(),
        }
    }

    /// Calls the tool as a model does.
    pub(super) async fn call(&self, arguments: Value) -> Result<ToolOutput, ToolError> {
        self.call_in(self.folder.path(), arguments).await
    }

    async fn call_in(&self, cwd: &Path, arguments: Value) -> Result<ToolOutput, ToolError> {
        let tool = registry::find("bash").unwrap();
        let checked = tool.check(&arguments)?;
        timeout(2 * GUARD, tool.run(checked, self.context(cwd)))
            .await
            .expect("the command hangs")
    }

    /// The text for the model.
    pub(super) async fn text(&self, command: &str) -> String {
        self.call(json!({ "command": command })).await.unwrap().text
    }

    /// A pipe by name; the answer comes when nobody holds its other end any more.
    pub(super) fn pipe(&self, name: &str) -> impl Future<Output = String> + use<> {
        let path = self.path(name);
        rustix::fs::mknodat(
            rustix::fs::CWD,
            &path,
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::from_raw_mode(0o600),
            0,
        )
        .unwrap();
        let reading = tokio::task::spawn_blocking(move || {
            let mut text = String::new();
            File::open(path).unwrap().read_to_string(&mut text).unwrap();
            text
        });
        async {
            timeout(2 * GUARD, reading)
                .await
                .expect("a process survives")
                .unwrap()
        }
    }
}

/// A host that remembers what was shown live.
#[derive(Default)]
struct Watcher {
    shown: Mutex<String>,
    changed: Notify,
}

impl Watcher {
    /// Waits until this was shown.
    async fn saw(&self, text: &str) {
        let seen = async {
            loop {
                let changed = self.changed.notified();
                if self.shown.lock().unwrap().contains(text) {
                    return;
                }
                changed.await;
            }
        };
        timeout(GUARD, seen).await.expect("it is never shown");
    }
}

fn nothing<T>() -> BoxFuture<'static, Result<T, ToolError>> {
    Box::pin(async { Err(ToolError::model("a command asks for nothing")) })
}

impl Host for Watcher {
    fn progress(&self, _agent: &AgentId, _call: &CallId, text: &str) {
        ansi::append(&mut self.shown.lock().unwrap(), text, 100_000);
        self.changed.notify_waiters();
    }
    fn checklist(&self, _: &AgentId) -> BoxFuture<'_, Result<Checklist, ToolError>> {
        nothing()
    }
    fn edit_checklist(
        &self,
        _: &AgentId,
        _: ChecklistEdit,
    ) -> BoxFuture<'_, Result<(Checklist, Vec<u32>), ToolError>> {
        nothing()
    }
    fn scratchpad_list(
        &self,
        _: &AgentId,
    ) -> BoxFuture<'_, Result<Vec<ScratchpadInfo>, ToolError>> {
        nothing()
    }
    fn scratchpad_read(
        &self,
        _: &AgentId,
        _: &str,
    ) -> BoxFuture<'_, Result<Option<ScratchpadEntry>, ToolError>> {
        nothing()
    }
    fn scratchpad_write(
        &self,
        _: &AgentId,
        _: &str,
        _: String,
        _: ScratchpadOrigin,
    ) -> BoxFuture<'_, Result<ScratchpadInfo, ToolError>> {
        nothing()
    }
    fn scratchpad_delete(&self, _: &AgentId, _: &str) -> BoxFuture<'_, Result<bool, ToolError>> {
        nothing()
    }
    fn scratchpad_rename(
        &self,
        _: &AgentId,
        _: &str,
        _: &str,
    ) -> BoxFuture<'_, Result<(), ToolError>> {
        nothing()
    }
    fn artifact(&self, _: &Address) -> BoxFuture<'_, Result<PathBuf, ToolError>> {
        nothing()
    }
    fn ask(
        &self,
        _: &AgentId,
        _: &CallId,
        _: Vec<Question>,
    ) -> BoxFuture<'_, Result<FormOutcome, ToolError>> {
        nothing()
    }
    fn spawn(
        &self,
        _: &AgentId,
        _: &CallId,
        _: SpawnRequest,
        _: CancellationToken,
    ) -> BoxFuture<'_, Result<SpawnReport, ToolError>> {
        nothing()
    }
    fn agents(&self, _: &AgentId) -> BoxFuture<'_, Result<Vec<AgentNode>, ToolError>> {
        nothing()
    }
    fn context_gauge(&self, _: &AgentId) -> BoxFuture<'_, Result<ContextGauge, ToolError>> {
        nothing()
    }
}

#[tokio::test]
async fn a_command_answers_with_its_output_and_its_status() {
    let world = World::new();

    let good = world
        .call(json!({"command": "echo out; echo err >&2"}))
        .await
        .unwrap();
    let bad = world
        .call(json!({"cmd": "echo no; exit 101"}))
        .await
        .unwrap();
    let silent = world.text("true").await;
    let killed = world.call(json!({"command": "kill -9 $$"})).await.unwrap();

    let mut lines: Vec<&str> = good.text.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines, ["err", "out"]);
    assert_eq!((good.outcome.as_str(), good.whole), ("ok", None));
    assert_eq!(bad.text, "no\n[exit code: 101]");
    assert_eq!(bad.outcome, "exit 101");
    assert_eq!(
        bad.display,
        Display::Terminal {
            command: "echo no; exit 101".to_owned(),
            output: "no\n".to_owned(),
            exit: Some(101),
            omitted_lines: 0,
        }
    );
    assert_eq!(silent, "(no output)");
    assert_eq!(killed.text, "(no output)\n[ended by SIGKILL]");
}

#[tokio::test]
async fn a_broken_pipe_ends_the_writer_as_in_any_shell() {
    let world = World::new();

    let text = world.text("yes | head -1; echo ${PIPESTATUS[0]}").await;

    assert_eq!(text, "y\n141");
}

/// Case B42.
#[tokio::test]
async fn a_job_that_keeps_the_output_open_does_not_keep_the_call() {
    for command in [
        "exec 9>held; sleep 300 & echo started",
        "exec 9>held; sleep 300 >/dev/null 2>&1 & echo started",
        "exec 9>held; setsid sleep 300 & echo started",
    ] {
        let world = World::new();
        let held = world.pipe("held");

        let text = world.text(command).await;

        let (first, note) = text.split_once('\n').unwrap();
        assert_eq!(first, "started");
        assert!(
            note.starts_with("[still running in the background: "),
            "{note}"
        );
        assert!(note.contains("`sleep 300`"), "{note}");
        let job = world.job();
        assert_eq!(
            (job.agent, job.command.as_str()),
            (AgentId::main(), command)
        );
        let elsewhere = SessionId::new("another session");
        assert_eq!(table::stop(&elsewhere, job.id).await, None);
        let stopped = table::stop(&world.session(), job.id).await;
        assert_eq!(stopped.as_deref(), Some(command));
        assert_eq!(held.await, "");
        assert_eq!(table::stop(&world.session(), job.id).await, None);
    }
}

#[tokio::test]
async fn a_job_may_go_on_printing_after_the_call() {
    let world = World::new();
    let done = world.pipe("done");

    let text = world
        .text("(trap '' PIPE; exec 9>done; read -t 1 <>/dev/zero; seq 100000; echo $? >&9) & echo started")
        .await;

    assert!(text.starts_with("started\n"), "{text}");
    assert_eq!(done.await, "0\n");
}

/// Case B44.
#[tokio::test]
async fn nothing_of_a_tree_is_left_after_a_time_out() {
    let world = World::new();
    let held = world.pipe("held");

    let output = world
        .call(json!({
            "command": "exec 9>held; (trap '' TERM; sleep 300; touch x) & setsid sleep 300 & echo up; sleep 300",
            "timeout_ms": 700,
        }))
        .await
        .unwrap();

    assert_eq!(held.await, "");
    assert_eq!(
        output.text,
        "up\n[ended with all its processes after 700 ms, the time limit; timeout_ms may be up to 20000]"
    );
    assert_eq!(output.outcome, "timed out after 0.7 s");
    assert!(!world.path("x").exists());
}

/// Case B44.
#[tokio::test]
async fn nothing_of_a_tree_is_left_after_it_is_stopped() {
    let world = World::new();
    let held = world.pipe("held");
    let command = "exec 9>held; sh -c 'sleep 300; touch x' & setsid sleep 300 & echo up; sleep 300";

    let stop = async {
        world.host.saw("up").await;
        world.cancel.cancel();
    };
    let (result, ()) = tokio::join!(world.call(json!({ "command": command })), stop);

    assert_eq!(held.await, "");
    let Err(ToolError::Interrupted(output)) = result else {
        panic!("it was not interrupted: {result:?}");
    };
    assert!(
        output.text.starts_with("up\n[stopped after "),
        "{}",
        output.text
    );
    assert!(!world.path("x").exists());
}

#[tokio::test]
async fn nothing_of_a_tree_is_left_when_nobody_waits_for_it() {
    let world = World::new();
    let held = world.pipe("held");

    tokio::select! {
        _ = world.call(json!({"command": "exec 9>held; setsid sleep 300 & echo up; sleep 300"})) => {
            panic!("it ended by itself");
        }
        () = world.host.saw("up") => {}
    }

    assert_eq!(held.await, "");
}

/// Case B46.
#[tokio::test]
async fn a_command_has_no_terminal_and_nothing_to_read() {
    let world = World::new();

    let text = world
        .text("read v </dev/tty || echo none; cat; echo \"end $?\"")
        .await;

    assert!(
        text.contains("/dev/tty: No such device or address"),
        "{text}"
    );
    // The two streams are read apart, so their lines may change places.
    assert!(text.contains("none\n") && text.contains("end 0"), "{text}");
}

/// Case B47.
#[tokio::test]
async fn pagers_and_editors_never_wait() {
    let world = World::new();
    let prepare = "export HOME=$PWD GIT_CONFIG_NOSYSTEM=1
        git init -q -b main repo; cd repo
        git config user.name n; git config user.email e@example.org
        git config core.pager less; git config core.editor vim; git config sequence.editor vim
        for i in $(seq 300); do
            printf 'commit refs/heads/main\ncommitter n <e@example.org> %d +0000\ndata 2\nc\n\n' $i
        done | git fast-import --quiet --force
        git reset -q --hard main; ";

    let log = world
        .text(&format!(
            "{prepare} git log --format=%s | wc -l; git log | tail -1"
        ))
        .await;
    let commit = world
        .text("export HOME=$PWD; cd repo; echo x >f; git add f; git commit")
        .await;
    let rebase = world
        .text(
            "export HOME=$PWD; cd repo; git commit -qm f; git rebase -i HEAD~2; echo \"status $?\"",
        )
        .await;
    let set = world
        .text("echo $PAGER $GIT_PAGER $EDITOR $VISUAL $GIT_EDITOR")
        .await;

    assert_eq!(log.lines().next(), Some("300"));
    assert!(commit.contains("empty commit message"), "{commit}");
    // The two streams are read side by side: the last line of each may come in either order.
    assert!(rebase.contains("status 0"), "{rebase}");
    assert_eq!(set, "cat cat true true true");
}

/// Case B51.
#[tokio::test]
async fn an_endless_output_ends_at_its_time_limit_and_starves_nobody() {
    let world = World::new();
    let stop = CancellationToken::new();
    let ticker = tokio::spawn({
        let stop = stop.clone();
        async move {
            let mut ticks = tokio::time::interval(Duration::from_millis(10));
            let mut count = 0;
            while !stop.is_cancelled() {
                ticks.tick().await;
                count += 1;
            }
            count
        }
    });

    let output = world
        .call(json!({"command": "yes 'all work and no play'", "timeout_ms": 1_500}))
        .await
        .unwrap();
    stop.cancel();

    let text = &output.text;
    assert!(
        text.starts_with("all work and no play\n"),
        "{}",
        &text[..60]
    );
    assert!(text.contains(" bytes) left out …]"));
    assert!(text.contains("[ended with all its processes after 1500 ms"));
    assert!(text.len() < 30_000);
    let whole = output.whole.unwrap();
    assert!(std::fs::metadata(&whole.path).unwrap().len() > 30_000);
    assert!(ticker.await.unwrap() > 15, "other work was starved");
}

/// Case B53.
#[tokio::test]
async fn progress_is_one_line() {
    let world = World::new();

    let text = world
        .text("for i in $(seq 1 3000); do printf '\\r%d/3000' $i; done; echo")
        .await;

    assert_eq!(text, "3000/3000");
}

/// Case B54.
#[tokio::test]
async fn split_characters_are_whole() {
    let world = World::new();

    let slow = world
        .text("printf '\\xe2'; sleep .2; printf '\\x86\\x92\\n'")
        .await;
    let mixed = world
        .text("printf '\\xe2' >&2; sleep .1; echo out; sleep .1; printf '\\x86\\x92\\n' >&2")
        .await;
    let large = world
        .call(json!({"command": "printf '→%.0s' {1..100000}"}))
        .await
        .unwrap();

    assert_eq!(slow, "→");
    assert!(matches!(mixed.as_str(), "out\n→" | "→\nout"), "{mixed}");
    assert!(!large.text.contains('\u{fffd}'));
    assert!(large.text.starts_with('→') && large.text.ends_with('→'));
    let whole = std::fs::read_to_string(large.whole.unwrap().path).unwrap();
    assert_eq!(whole, "→".repeat(100_000));
}

/// Case B55. The test runs itself again with secrets in its environment.
#[tokio::test]
#[expect(clippy::disallowed_types, reason = "the test runs itself again")]
async fn keys_never_reach_a_command() {
    const INSIDE: &str = "QD_TEST_INSIDE";
    if std::env::var_os(INSIDE).is_none() {
        let status = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["cases::shell::keys_never_reach_a_command", "--exact"])
            .env(INSIDE, "1")
            .env("OPENAI_API_KEY", "canary1")
            .env("OUR_OWN", "canary2")
            .env("MY_TOKEN", "canary3")
            .env("HARMLESS", "canary4")
            .stdout(Stdio::null())
            .status()
            .unwrap();
        assert!(status.success());
        return;
    }
    let hidden = environment::hide(|| vec!["OUR_OWN".to_owned()]).unwrap();
    let world = World::new();

    let text = world
        .text(&format!(
            "env; for p in $$ $PPID {}; do tr '\\0' '\\n' </proc/$p/environ; done",
            std::process::id()
        ))
        .await;

    let mut names: Vec<String> = hidden
        .iter()
        .filter(|(_, value)| value.to_string_lossy().starts_with("canary"))
        .map(|(name, value)| format!("{}={}", name.display(), value.display()))
        .collect();
    names.sort_unstable();
    assert_eq!(
        names,
        [
            "MY_TOKEN=canary3",
            "OPENAI_API_KEY=canary1",
            "OUR_OWN=canary2"
        ]
    );
    assert_eq!(text.matches("HARMLESS=canary4").count(), 4);
    for canary in ["canary1", "canary2", "canary3"] {
        assert!(!text.contains(canary), "{canary}");
    }
}

/// Case B56.
#[tokio::test]
async fn a_deleted_working_directory_is_named_and_can_be_left() {
    let world = World::new();
    let gone = world.path("w");

    let refused = world.call_in(&gone, json!({"command": "echo hi"})).await;
    let left = world
        .call_in(
            &gone,
            json!({"command": format!("cd {} && pwd", world.folder.path().display())}),
        )
        .await
        .unwrap();

    let above = world.folder.path().display();
    assert_eq!(
        refused,
        Err(ToolError::model(format!(
            "the working directory {above}/w no longer exists; nothing was run. Start the command with `cd /…` into \
             a directory that is there, such as {above}, or make this one again that way."
        )))
    );
    assert_eq!(left.text, above.to_string());
}

#[tokio::test]
async fn output_is_shown_while_the_command_runs() {
    let world = World::new();
    let go = world.path("go");
    world.text("mkfifo go").await;

    let answer = async {
        world.host.saw("50%").await;
        let shown = world.host.shown.lock().unwrap().clone();
        std::thread::spawn(move || File::create(go).unwrap().write_all(b"x\n").unwrap());
        shown
    };
    let (text, shown) = tokio::join!(
        world.text("echo begin; printf '10%%\\r50%%'; read x <go; printf '\\rdone\\n'"),
        answer
    );

    assert_eq!(shown, "begin\n50%");
    assert_eq!(text, "begin\ndone");
}

#[tokio::test]
async fn escapes_reach_neither_screen_nor_model() {
    let world = World::new();

    let text = world
        .text("printf '\\033[?1049h\\033[?1000h\\033]0;hi\\007\\033[31mX\\033[0m\\u202e\\n'")
        .await;

    assert_eq!(text, "X");
}
