//! Servers on this machine are found by what they answer.

use quarterdeck::providers::detection::{Candidate, Found, running};

use crate::support::server::Server;

#[tokio::test]
async fn only_servers_that_list_models_are_offered() {
    let server = Server::start().await;
    let candidate = |name: &str, base_url: String| Candidate {
        label: format!("{name} on this machine"),
        name: name.to_owned(),
        base_url,
    };
    // A port that was free a moment ago: nobody listens.
    let closed = std::net::TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .unwrap();

    let found = running(&[
        candidate("closed", format!("http://{closed}/v1")),
        candidate("other", server.url().replace("/v1", "/other/x")),
        candidate("ollama", server.url()),
    ])
    .await;

    // The test server lists its models under every path that ends so.
    let names: Vec<&str> = found.iter().map(|found| found.name.as_str()).collect();
    assert_eq!(names, ["other", "ollama"]);
    assert_eq!(
        found[1],
        Found {
            label: "ollama on this machine".to_owned(),
            name: "ollama".to_owned(),
            base_url: server.url(),
            models: vec!["test-model".to_owned()],
            api_key_env: None,
        }
    );
}
