//! Calls of tools that misbehave.

use std::{
    fs::{self, File},
    io::Write,
    os::unix::fs::symlink,
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
};

use futures::future::BoxFuture;
use serde_json::{Value, json};

use super::*;
use crate::{
    domain::{
        access::{Access, Place, Places},
        display::Display,
        ids::CallId,
        permission::{Mode, Network, OwnPlaces, Risk},
        tool::ToolSpec,
    },
    engine::{
        options::{
            Asked, Bounds, EngineOptions, NewProfile, OpenedProfile, Opening, Profiles,
            StartPermissions,
        },
        outbox,
        session::{opening, permissions::Configured},
    },
    process::sandbox::wanted::SandboxSettings,
    providers::{error::ProviderError, scripted::Scripted},
    store::{StoreHandle, StorePlaces},
    tools::{
        context::ToolSettings,
        contract::{About, Concurrency},
        output::ToolOutput,
    },
};

/// A tool of the tests: panics where its arguments say so, else runs for ever.
struct Misbehaves;

/// Runs of the tool that have begun and are not dropped yet.
static RUNS: AtomicUsize = AtomicUsize::new(0);

struct Run;

impl Drop for Run {
    fn drop(&mut self) {
        RUNS.fetch_sub(1, Ordering::SeqCst);
    }
}

fn panics_in(place: &str, arguments: &Value) {
    assert!(arguments["panics_in"] != place, "a fault of the tool");
}

impl AnyTool for Misbehaves {
    fn about(&self) -> About {
        About {
            name: "misbehaves",
            aliases: &[],
            argument_aliases: &[],
            verb: "misbehave",
            description: "",
            subject: "",
            editable: None,
        }
    }

    fn needs(&self, _held: bool) -> (Level, Risk) {
        (Level::None, Risk::SessionOnly)
    }

    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: "misbehaves".to_owned(),
            description: String::new(),
            schema: json!({}),
        }
    }

    fn check(&self, arguments: &Value) -> Result<Value, ToolError> {
        panics_in("check", arguments);
        Ok(arguments.clone())
    }

    fn access(&self, _: &Value, _: &ToolContext) -> Result<Access, ToolError> {
        Ok(Access {
            resources: Vec::new(),
            level: Level::Read,
            risk: Risk::SessionOnly,
        })
    }

    fn concurrency(&self, _: &Value, _: &ToolContext) -> Result<Concurrency, ToolError> {
        Ok(Concurrency::Parallel)
    }

    fn preview(
        &self,
        _: Value,
        _: ToolContext,
    ) -> BoxFuture<'static, Result<Option<Preview>, ToolError>> {
        Box::pin(async { Ok(None) })
    }

    fn run(
        &self,
        arguments: Value,
        context: ToolContext,
    ) -> BoxFuture<'static, Result<ToolOutput, ToolError>> {
        Box::pin(async move {
            panics_in("run", &arguments);
            RUNS.fetch_add(1, Ordering::SeqCst);
            let _run = Run;
            // Says that it runs, then never looks at its own token.
            context.cancel.cancel();
            futures::future::pending().await
        })
    }
}

struct NoProfiles(Scripted);

impl Profiles for NoProfiles {
    fn list(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    fn open(&self, name: &str) -> Result<OpenedProfile, ProviderError> {
        Ok(OpenedProfile {
            provider: Arc::new(self.0.clone()),
            model: Scripted::model_info(name),
        })
    }

    fn add(&self, _: &NewProfile) -> Result<(), String> {
        Err("not here".to_owned())
    }
}

async fn caller(home: &tempfile::TempDir) -> Caller {
    caller_in(home.path(), home.path()).await
}

async fn caller_in(folder: &Path, home: &Path) -> Caller {
    let places = StorePlaces::new(home.join("data"), home.join("state"));
    let options = EngineOptions {
        cwd: folder.to_owned(),
        store: StoreHandle::open(places).await.unwrap().0,
        opening: Opening::New,
        profiles: Arc::new(NoProfiles(Scripted::new())),
        profile: None,
        default_profile: "test".to_owned(),
        permissions: StartPermissions {
            level: Level::Workspace,
            mode: Mode::Open,
            approvals: true,
            network: Network::None,
            confine_reads: false,
            rules: Vec::new(),
            asked: Asked::default(),
        },
        bounds: Bounds::default(),
        tools: ToolSettings {
            shell_timeout: std::time::Duration::from_secs(1),
            shell_timeout_max: std::time::Duration::from_secs(1),
            spool: home.to_owned(),
            secret_variables: Vec::new(),
            own: OwnPlaces::default(),
            sandbox: SandboxSettings::none(),
        },
        configured: Configured::default(),
        trusted: Some(true),
        asking: Default::default(),
        seen: Default::default(),
        offers: Vec::new(),
        notices: Vec::new(),
    };
    let ready = opening::open(&options, outbox::channel().0).await.unwrap();
    Caller {
        session: ready.session,
        agent: AgentId::main(),
        cap: Level::Unrestricted,
        network: Network::All,
        is_person: false,
        freshness: Arc::new(Freshness::default()),
        tools: Arc::new([&Misbehaves]),
    }
}

fn call(place: &str) -> ToolCall {
    ToolCall {
        id: CallId::new("c"),
        name: "misbehaves".to_owned(),
        arguments: json!({ "panics_in": place }),
        malformed: None,
    }
}

/// A call that nobody judged.
fn cleared(call: &ToolCall) -> Cleared {
    Cleared {
        arguments: call.arguments.clone(),
        places: None,
    }
}

const FAULT: &str =
    "misbehaves failed inside quarterdeck; this is a fault of the program, not of the call";

#[tokio::test]
async fn a_panic_while_judging_or_running_fails_the_call() {
    let home = tempfile::tempdir().unwrap();
    let caller = caller(&home).await;

    let judged = caller
        .judge(&call("check"), Approval::None, RequestId(1))
        .await;
    let sent = call("run");
    let cleared = cleared(&sent);
    let (ran, fatal) = caller.run(sent, cleared, CancellationToken::new()).await;

    assert_eq!(judged, CallVerdict::Fail(FAULT.to_owned()));
    assert_eq!((ran.status, ran.text.as_str()), (CallStatus::Failed, FAULT));
    assert_eq!(fatal, None);
}

#[tokio::test]
async fn a_call_that_is_not_waited_for_any_more_is_dropped() {
    let home = tempfile::tempdir().unwrap();
    let caller = caller(&home).await;
    let begun = CancellationToken::new();
    let sent = call("");
    let cleared = cleared(&sent);

    tokio::select! {
        ended = caller.run(sent, cleared, begun.clone()) => panic!("it ended: {ended:?}"),
        () = begun.cancelled() => {}
    }
    // The runtime drops an aborted task when it comes to it.
    let dropped = async {
        while RUNS.load(Ordering::SeqCst) > 0 {
            tokio::task::yield_now().await;
        }
    };
    let in_time = tokio::time::timeout(std::time::Duration::from_secs(10), dropped).await;

    assert!(in_time.is_ok(), "the call goes on");
}

#[test]
fn the_hash_changes_with_all_that_is_allowed() {
    let preview_of = |basis: &str| Preview {
        display: Display::text(""),
        shows: &[],
        basis: basis.to_owned(),
    };
    let places = |real: &str| Places {
        places: vec![Place {
            named: PathBuf::from("/p/link"),
            real: PathBuf::from(real),
            opened: false,
        }],
        ..Places::default()
    };
    let of = |tool, x: u8, preview: Option<&str>, real: Option<&str>| {
        let cleared = Cleared {
            arguments: json!({"x": x}),
            places: real.map(|real| Arc::new(places(real))),
        };
        let preview = preview.map(preview_of);
        hash(tool, &cleared, preview.as_ref(), &Confinement::Nothing)
    };
    let hashes = [
        of("a", 1, None, None),
        of("b", 1, None, None),
        of("a", 2, None, None),
        of("a", 1, Some("one"), None),
        of("a", 1, Some("two"), None),
        of("a", 1, None, Some("/p/a")),
        of("a", 1, None, Some("/p/b")),
    ];

    let distinct: std::collections::HashSet<&String> = hashes.iter().collect();
    assert_eq!(distinct.len(), hashes.len());
    assert_eq!(hashes[0].len(), 64);
}

/// A project with `link` to its folder `good`, and a folder outside with the same names.
struct Turned {
    home: tempfile::TempDir,
    caller: Caller,
}

impl Turned {
    async fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let base = home.path().canonicalize().unwrap();
        for (folder, word) in [("project/good", "inside"), ("outside", "secret")] {
            fs::create_dir_all(base.join(folder)).unwrap();
            put(&base.join(folder).join("f"), word);
            put(&base.join(folder).join(word), "x");
        }
        symlink("good", base.join("project/link")).unwrap();
        let caller = Caller {
            tools: toolset::on_offer(&Configured::default(), Default::default()).into(),
            ..caller_in(&base.join("project"), &base).await
        };
        Self { home, caller }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().canonicalize().unwrap().join(name)
    }

    /// Runs a call; between judgement and run the world is changed.
    async fn call(&self, tool: &str, arguments: &Value, meanwhile: impl FnOnce()) -> ToolResult {
        let call = ToolCall {
            id: CallId::new("c"),
            name: tool.to_owned(),
            arguments: arguments.clone(),
            malformed: None,
        };
        let verdict = self.caller.judge(&call, Approval::None, RequestId(1)).await;
        let CallVerdict::Run { cleared, .. } = verdict else {
            panic!("{tool} may not run: {verdict:?}");
        };
        meanwhile();
        let (result, _) = self
            .caller
            .run(call, cleared, CancellationToken::new())
            .await;
        result
    }

    /// The link leads outside from now on.
    fn turn_link(&self) {
        fs::remove_file(self.path("project/link")).unwrap();
        symlink(self.path("outside"), self.path("project/link")).unwrap();
    }

    /// The folder is a link that leads outside from now on.
    fn turn_folder(&self) {
        fs::rename(self.path("project/good"), self.path("project/moved")).unwrap();
        symlink(self.path("outside"), self.path("project/good")).unwrap();
    }
}

fn put(path: &Path, text: &str) {
    File::create(path)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .unwrap();
}

fn holds(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

/// What every file tool is asked to do with what the link leads to.
fn deeds() -> [(&'static str, Value); 5] {
    [
        ("file_read", json!({"path": "link/f"})),
        ("file_find", json!({"path": "link", "pattern": "*"})),
        (
            "file_search",
            json!({"path": "link", "pattern": "inside|secret"}),
        ),
        (
            "file_edit",
            json!({"path": "link/f", "old_string": "e", "new_string": "E"}),
        ),
        ("file_write", json!({"path": "link/new", "content": "new"})),
    ]
}

#[tokio::test]
async fn what_was_judged_is_opened_wherever_a_link_leads_by_then() {
    for (tool, arguments) in deeds() {
        let world = Turned::new().await;
        let _ = world
            .call("file_read", &json!({"path": "link/f"}), || ())
            .await;

        let result = world.call(tool, &arguments, || world.turn_link()).await;

        assert_eq!(result.status, CallStatus::Done, "{tool}: {}", result.text);
        assert!(!result.text.contains("secret"), "{tool}: {}", result.text);
        let written = [
            holds(&world.path("outside/f")),
            holds(&world.path("outside/new")),
            holds(&world.path("project/good/f")),
            holds(&world.path("project/good/new")),
        ];
        let expected = match tool {
            "file_edit" => ["secret", "", "insidE", ""],
            "file_write" => ["secret", "", "inside", "new"],
            _ => ["secret", "", "inside", ""],
        };
        assert_eq!(written, expected, "{tool}");
    }
}

#[tokio::test]
async fn a_folder_that_became_a_link_leads_nowhere() {
    for (tool, arguments) in deeds() {
        let world = Turned::new().await;
        let _ = world
            .call("file_read", &json!({"path": "link/f"}), || ())
            .await;

        let result = world.call(tool, &arguments, || world.turn_folder()).await;

        assert_eq!(result.status, CallStatus::Failed, "{tool}: {}", result.text);
        assert!(
            result.text.contains("a symbolic link came in its way"),
            "{tool}: {}",
            result.text
        );
        assert_eq!(holds(&world.path("outside/f")), "secret", "{tool}");
        assert!(!world.path("outside/new").exists(), "{tool}");
    }
}

#[tokio::test]
async fn arguments_that_cannot_be_read_are_told_apart() {
    let home = tempfile::tempdir().unwrap();
    let caller = caller(&home).await;
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(10_000), "]".repeat(10_000));
    for (raw, why) in [
        (deep.as_str(), "nested too deeply"),
        ("{\"a\": 1e400}", "a number is too large"),
        (
            "{\"a\": 1, \"a\": 2}",
            "misbehaves: `a` was given twice with different values; send it once",
        ),
        ("[1]", "not a JSON object"),
        ("{\"a\":", "not a JSON object"),
    ] {
        let call = ToolCall {
            malformed: Some(raw.to_owned()),
            ..call("")
        };

        let verdict = caller.judge(&call, Approval::None, RequestId(1)).await;

        let CallVerdict::Fail(text) = verdict else {
            panic!("{verdict:?}");
        };
        assert!(text.contains(why), "{text}");
    }
}
