//! Taking a model out of its server's memory: offered only where it can be done, never asked about.

use std::sync::Arc;

use futures::future::BoxFuture;
use quarterdeck::{
    domain::{
        permission::{Level, Mode},
        tool::CallStatus,
    },
    engine::options::{EngineOptions, NewProfile, OpenedProfile, Profiles},
    engine::{
        command::{Command, Setting},
        event::EventKind,
    },
    providers::{
        contract::{ChatRequest, Provider, ReplyStream},
        error::ProviderError,
        scripted::{Reply, Scripted},
    },
};
use serde_json::json;

use crate::support::{
    bench::Bench,
    chat::provider,
    server::{self, Server},
};

/// Talks by the script; unloads at a real server where the profile is that of one.
struct Own {
    script: Scripted,
    server: Option<Arc<dyn Provider>>,
}

impl Provider for Own {
    fn stream(
        &self,
        request: ChatRequest,
    ) -> BoxFuture<'static, Result<ReplyStream, ProviderError>> {
        self.script.stream(request)
    }

    fn unload(
        &self,
        model_id: &str,
    ) -> Option<BoxFuture<'static, quarterdeck::domain::model_info::Unloaded>> {
        self.server.as_ref()?.unload(model_id)
    }
}

/// `own` runs on a server of one's own, everything else does not.
struct TwoProfiles {
    script: Scripted,
    url: String,
}

impl Profiles for TwoProfiles {
    fn list(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    fn open(&self, name: &str) -> Result<OpenedProfile, ProviderError> {
        Ok(OpenedProfile {
            provider: Arc::new(Own {
                script: self.script.clone(),
                server: (name == "own").then(|| provider(&self.url)),
            }),
            model: Scripted::model_info(name),
        })
    }

    fn add(&self, _profile: &NewProfile) -> Result<(), String> {
        Err("not here".to_owned())
    }
}

async fn bench(profile: &str, url: &str) -> (Bench, Scripted) {
    let script = Scripted::new();
    let profiles = Arc::new(TwoProfiles {
        script: script.clone(),
        url: url.to_owned(),
    });
    let bench = Bench::start_with(|options: &mut EngineOptions| {
        options.profiles = profiles;
        profile.clone_into(&mut options.default_profile);
        options.permissions.level = Level::None;
        options.permissions.mode = Mode::Strict;
    })
    .await;
    (bench, script)
}

fn is_offered(script: &Scripted) -> bool {
    let request = script.requests().pop().expect("a request");
    request.tools.iter().any(|tool| tool.name == "model_unload")
}

#[tokio::test]
async fn a_model_unloads_itself_at_the_lowest_level_without_a_question() {
    let server = Server::start().await;
    let (mut bench, script) = bench("own", &server.url()).await;
    let model = Scripted::model_info("own").model_id;
    server.beside(
        "GET /api/ps",
        server::Reply::json(200, &json!({"models": [{"name": model, "model": model}]})),
    );
    server.beside(
        "POST /api/generate",
        server::Reply::json(200, &json!({"done": true, "done_reason": "unload"})),
    );
    script.reply(Reply::calls("unload_model", json!({})));
    script.reply(Reply::says("Done."));

    bench.say("make room");
    bench.turn_over().await;

    assert!(is_offered(&script));
    let result = bench.results().pop().expect("a result");
    assert_eq!(
        (result.status, result.text),
        (CallStatus::Done, format!("unloaded {model}"))
    );
}

#[tokio::test]
async fn it_is_offered_once_the_model_runs_on_a_server_of_ones_own() {
    let server = Server::start().await;
    let (mut bench, script) = bench("hosted", &server.url()).await;
    script.reply(Reply::calls("model_unload", json!({"model": "other"})));
    script.reply(Reply::says("I cannot."));
    bench.say("make room");
    bench.turn_over().await;
    assert!(!is_offered(&script));
    let refused = bench.texts().pop().expect("a result");
    assert!(
        refused.starts_with("there is no tool named \"model_unload\""),
        "{refused}"
    );

    bench.send(Command::Configure(Setting::Profile("own".to_owned())));
    bench
        .until("the profile", |event| {
            matches!(event.kind, EventKind::Settings(_))
        })
        .await;
    script.reply(Reply::says("Now I could."));
    bench.say("and now?");
    bench.turn_over().await;
    assert!(is_offered(&script));

    // What was offered once stays, and says why it cannot be done any more.
    bench.send(Command::Configure(Setting::Profile("hosted".to_owned())));
    bench
        .until("the profile", |event| {
            matches!(event.kind, EventKind::Settings(_))
        })
        .await;
    script.reply(Reply::calls("model_unload", json!({"model": "other"})));
    script.reply(Reply::says("I cannot."));
    bench.say("make room");
    bench.turn_over().await;
    assert_eq!(
        bench.texts().pop().expect("a result"),
        "cannot unload other: the model's server is not on this machine or in your network"
    );
    assert_eq!(server.asked_beside().len(), 0);
}
