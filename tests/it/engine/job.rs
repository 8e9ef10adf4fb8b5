//! The main job over the real wire: read a project, make its failing test pass, hear a refusal.

use std::sync::Arc;

use quarterdeck::{
    domain::{approval::ApprovalDecision, model_info::ModelInfo, record::TurnOutcome},
    engine::options::{NewProfile, OpenedProfile, Profiles},
    process::supervisor,
    providers::{account::Account, contract::Provider, error::ProviderError, registry},
};
use serde_json::json;

use crate::support::{
    bench::Bench,
    server::{Server, sse_calls, sse_text},
};

struct Wire(Arc<dyn Provider>);

impl Wire {
    fn to(server: &Server) -> Arc<dyn Profiles> {
        let account = Account::new("loop", "openai-chat-completions", server.url());
        Arc::new(Self(registry::build(&account).expect("the wire is known")))
    }
}

impl Profiles for Wire {
    fn list(&self) -> Vec<(String, String)> {
        vec![("test".to_owned(), "model".to_owned())]
    }

    fn open(&self, name: &str) -> Result<OpenedProfile, ProviderError> {
        Ok(OpenedProfile {
            provider: Arc::clone(&self.0),
            model: ModelInfo {
                profile: name.to_owned(),
                backend: "openai-chat-completions".to_owned(),
                model_id: "model".to_owned(),
                context_window: Some(100_000),
                max_output_tokens: None,
                price: None,
                is_script: false,
                thinking: quarterdeck::domain::model_info::Thinking::default(),
                media: Default::default(),
            },
        })
    }

    fn add(&self, _profile: &NewProfile) -> Result<(), String> {
        Err("not here".to_owned())
    }
}

#[tokio::test]
async fn a_failing_test_passes_after_an_approved_edit_and_a_refusal_is_heard() {
    supervisor::use_program(env!("CARGO_BIN_EXE_qd"));
    let server = Server::start().await;
    let profiles = Wire::to(&server);
    let mut bench = Bench::start_with(|options| options.profiles = profiles).await;
    bench.file("sum.sh", "sum() { echo $(($1 - $2)); }\n");
    bench.file(
        "test.sh",
        ". ./sum.sh\n[ \"$(sum 2 3)\" = 5 ] && echo passed || { echo failed; exit 1; }\n",
    );
    let run_tests =
        |id: &str| sse_calls(&[(id, "shell_execute", json!({"command": "sh test.sh"}))]);
    server
        .reply(sse_calls(&[
            ("c1", "file_read", json!({"path": "sum.sh"})),
            ("c2", "file_search", json!({"pattern": "sum"})),
        ]))
        .reply(run_tests("c3"))
        .reply(sse_calls(&[(
            "c4",
            "file_edit",
            json!({"path": "sum.sh", "old_string": "$1 - $2", "new_string": "$1 + $2"}),
        )]))
        .reply(run_tests("c5"))
        .reply(sse_calls(&[(
            "c6",
            "file_write",
            json!({"path": "NOTES.md", "content": "notes\n"}),
        )]))
        .reply(sse_text("The test passes; no notes were written."));
    bench.say("make the test pass");

    for expected in ["shell_execute", "file_edit", "shell_execute"] {
        let request = bench.approval().await;
        assert_eq!(request.tool, expected);
        bench.decide(&request, ApprovalDecision::Once);
    }
    let unwanted = bench.approval().await;
    bench.decide(
        &unwanted,
        ApprovalDecision::Reject {
            words: Some("keep notes out of the project".to_owned()),
        },
    );
    let outcome = bench.turn_over().await;

    assert_eq!(outcome, TurnOutcome::Finished);
    let texts = bench.texts();
    assert!(
        texts
            .iter()
            .any(|text| text.contains("failed") && text.contains("[exit code: 1]")),
        "{texts:?}"
    );
    assert!(
        texts.iter().any(|text| text.contains("passed")),
        "{texts:?}"
    );
    assert!(!bench.folder.join("NOTES.md").exists());
    let requests = server.requests();
    let told = requests.last().expect("a request").body.to_string();
    assert!(told.contains("keep notes out of the project"));
    assert_eq!(server.violations(), Vec::<String>::new());
}
