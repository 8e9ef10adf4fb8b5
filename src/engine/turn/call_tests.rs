//! Calls of tools that misbehave.

use std::sync::atomic::{AtomicUsize, Ordering};

use futures::future::BoxFuture;
use serde_json::json;

use super::*;
use crate::{
    domain::{
        access::Access,
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
        session::opening,
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
    let places = StorePlaces::new(home.path().join("data"), home.path().join("state"));
    let options = EngineOptions {
        cwd: home.path().to_owned(),
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
            spool: home.path().to_owned(),
            secret_variables: Vec::new(),
            own: OwnPlaces::default(),
            sandbox: SandboxSettings::none(),
        },
        disabled_tools: Vec::new(),
        tool_levels: std::collections::BTreeMap::new(),
        trusted: Some(true),
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
    let arguments = sent.arguments.clone();
    let (ran, fatal) = caller.run(sent, arguments, CancellationToken::new()).await;

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
    let arguments = sent.arguments.clone();

    tokio::select! {
        ended = caller.run(sent, arguments, begun.clone()) => panic!("it ended: {ended:?}"),
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
fn the_hash_changes_with_tool_arguments_and_basis() {
    let preview = |basis: &str| Preview {
        display: Display::text(""),
        shows: &[],
        basis: basis.to_owned(),
    };
    let hashes = [
        hash("a", &json!({"x": 1}), None, &Confinement::Nothing),
        hash("b", &json!({"x": 1}), None, &Confinement::Nothing),
        hash("a", &json!({"x": 2}), None, &Confinement::Nothing),
        hash(
            "a",
            &json!({"x": 1}),
            Some(&preview("one")),
            &Confinement::Nothing,
        ),
        hash(
            "a",
            &json!({"x": 1}),
            Some(&preview("two")),
            &Confinement::Nothing,
        ),
    ];

    let distinct: std::collections::HashSet<&String> = hashes.iter().collect();
    assert_eq!(distinct.len(), hashes.len());
    assert_eq!(hashes[0].len(), 64);
}
