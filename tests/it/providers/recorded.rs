//! Recorded answers of real servers over a real connection: whole, cut and in every framing.

use std::path::{Path, PathBuf};

use quarterdeck::{
    domain::chat::ChatMessage,
    providers::{
        contract::FinishReason,
        error::{Fault, ProviderError},
    },
};
use serde_json::{Value, json};

use crate::support::{
    chat::{Told, ask, provider, request},
    server::{Reply, Server},
};

/// A recorded answer.
struct Recording {
    name: String,
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Recording {
    fn read(path: &Path) -> Self {
        let bytes = std::fs::read(path).unwrap();
        let end = bytes.windows(4).position(|at| at == b"\r\n\r\n").unwrap();
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap();
        Self {
            name: path.display().to_string(),
            status: status.parse().unwrap(),
            headers: lines
                .filter_map(|line| line.split_once(": "))
                .filter(|(name, _)| {
                    // The recording holds the body without its transfer coding.
                    ![
                        "transfer-encoding",
                        "content-length",
                        "connection",
                        "content-type",
                    ]
                    .contains(&name.to_lowercase().as_str())
                })
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            body: bytes[end + 4..].to_vec(),
        }
    }

    fn of(name: &str) -> Self {
        Self::read(&folder().join(name))
    }

    fn with_headers(&self, reply: Reply) -> Reply {
        self.headers
            .iter()
            .fold(reply, |reply, (name, value)| reply.header(name, value))
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/streams")
}

fn streams() -> Vec<Recording> {
    let mut streams = Vec::new();
    for server in folder().read_dir().unwrap() {
        for file in server.unwrap().path().read_dir().unwrap() {
            streams.push(Recording::read(&file.unwrap().path()));
        }
    }
    streams.retain(|recording| recording.status == 200);
    assert!(streams.len() >= 17, "{}", streams.len());
    streams
}

async fn told(server: &Server, reply: Reply) -> Told {
    server.reply(reply);
    let asked = request(vec![ChatMessage::user("go")]);
    ask(&provider(&server.url()), asked).await
}

#[tokio::test]
async fn every_recorded_stream_is_the_same_in_every_framing() {
    let server = Server::start().await;
    for recording in streams() {
        let body = || recording.body.clone();
        let whole = told(&server, Reply::stream().then(body())).await;
        assert_eq!(whole.error, None, "{}", recording.name);
        let is_cut = recording.name.contains("cut-short");
        assert_eq!(whole.finish.is_none(), is_cut, "{}", recording.name);

        let closed = Reply::stream().then(body()).until_close();
        assert_eq!(told(&server, closed).await, whole, "{}", recording.name);
        let plain = Reply::plain(200, "text/plain", body());
        assert_eq!(told(&server, plain).await, whole, "{}", recording.name);
        let mut pieces = recording.with_headers(Reply::stream());
        for piece in body().chunks(97) {
            pieces = pieces.then(piece);
        }
        assert_eq!(told(&server, pieces).await, whole, "{}", recording.name);
    }
}

#[tokio::test]
async fn a_recorded_stream_that_is_cut_is_never_finished_and_its_calls_are_never_completed() {
    let server = Server::start().await;
    for recording in streams() {
        let body = &recording.body;
        let whole = told(&server, Reply::stream().then(body.clone())).await;
        let text = String::from_utf8_lossy(body);
        let marker = [r#""finish_reason":""#, r#""finish_reason": ""#]
            .iter()
            .find_map(|mark| text.find(mark))
            .unwrap_or(body.len());

        for cut in (1..12).map(|part| marker * part / 12) {
            for reply in [Reply::stream().cut(), Reply::stream().until_close()] {
                let part = told(&server, reply.then(&body[..cut])).await;
                let name = format!("{} cut at {cut}", recording.name);
                assert_eq!((part.finish, part.error), (None, None), "{name}");
                assert!(whole.text.starts_with(&part.text), "{name}: {}", part.text);
                for (id, _, arguments) in &part.calls {
                    let full = whole.calls.iter().find(|call| call.0 == *id).unwrap();
                    assert!(full.2.starts_with(arguments.as_str()), "{name}");
                }
            }
        }
    }
}

#[tokio::test]
async fn recorded_replies_of_each_server_are_understood() {
    let server = Server::start().await;
    let reads = json!({"path": "src/main.rs"});
    for name in [
        "llamacpp/chat_tool.http",
        "litellm/chat_tool.http",
        "aimock/chat_tool.http",
        "llm-mock-api/chat_tool.http",
    ] {
        let recording = Recording::of(name);
        let told = told(&server, Reply::stream().then(recording.body)).await;

        let arguments: Value = serde_json::from_str(&told.calls[0].2).unwrap();
        assert_eq!((told.calls.len(), &arguments), (1, &reads), "{name}");
        assert_eq!(told.calls[0].1, "fs_read", "{name}");
        assert_eq!(told.finish, Some(FinishReason::ToolCalls), "{name}");
        assert_eq!(told.usage_reports, 1, "{name}");
    }
    let recording = Recording::of("llamacpp/chat_tool.http");
    let told = told(&server, Reply::stream().then(recording.body)).await;
    let usage = told.usage.unwrap();
    assert_eq!((usage.input, usage.cached, usage.output), (625, 611, 35));
}

#[tokio::test]
async fn recorded_errors_have_their_class() {
    let server = Server::start().await;
    for (name, fault, words) in [
        (
            "aimock/chat_rate-limit.http",
            Fault::RateLimited {
                retry_after: Some(std::time::Duration::from_secs(1)),
            },
            "limits the rate (429): Rate limited",
        ),
        (
            "aimock/chat_overloaded.http",
            Fault::Overloaded { retry_after: None },
            "cannot answer now (529): Overloaded",
        ),
        (
            "aimock/chat_too-long.http",
            Fault::WindowFull,
            "the conversation does not fit into the context window of test-model: prompt is too long: 250000 tokens \
             > 200000 maximum",
        ),
        (
            "llamacpp/err_chat_ctx.http",
            Fault::WindowFull,
            "the conversation does not fit into the context window of test-model: request (9010 tokens) exceeds the \
             available context size (4096 tokens), try increasing it",
        ),
        (
            "llamacpp/err_bad_body.http",
            Fault::Rejected,
            "does not accept the request (400): Expected 'messages' to be an array",
        ),
    ] {
        let recording = Recording::of(name);
        let reply = Reply::plain(recording.status, "application/json", recording.body.clone());
        let error: ProviderError = told(&server, recording.with_headers(reply))
            .await
            .error
            .unwrap();

        assert_eq!(error.fault, fault, "{name}");
        assert!(error.message.ends_with(words), "{name}: {}", error.message);
        assert_eq!(error.status, Some(recording.status), "{name}");
        let sent = recording
            .headers
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case("x-request-id"))
            .map(|(_, id)| id.clone());
        assert_eq!(error.request_id, sent, "{name}");
    }
}
