//! What happens between the program and a server that is not as it should be.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use futures::StreamExt;
use quarterdeck::{
    domain::chat::ChatMessage,
    providers::{
        account::Account,
        contract::{FinishReason, StreamEvent},
        error::Fault,
        keys::secret::Secret,
        registry,
        scripted::Gate,
    },
};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::support::{
    chat::{BACKEND, ask, patient_provider, provider, request},
    frames,
    server::{Reply, Server, sse_text},
};

fn go() -> quarterdeck::providers::contract::ChatRequest {
    request(vec![ChatMessage::user("go")])
}

/// A key that lasts an hour: when it is no longer taken, the next one is read once, however many agents ask.
#[tokio::test]
async fn a_key_that_has_run_out_is_read_again_and_the_request_sent_again() {
    let server = Server::start().await;
    let expired = || Reply::json(401, &json!({"error": {"message": "expired"}}));
    server.reply(expired());
    server.reply(sse_text("hi"));
    server.reply(sse_text("hi"));
    let with = |key: &str, url: &str| {
        Account::new("work", BACKEND, url).with_key(Secret::new(key), "the command")
    };
    let reads = Arc::new(AtomicUsize::new(0));
    let (counter, url) = (Arc::clone(&reads), server.url());
    let renew = move || {
        counter.fetch_add(1, Ordering::Relaxed);
        Ok(with("second", &url))
    };
    let provider =
        registry::build_renewing(&with("first", &server.url()), Arc::new(renew)).unwrap();

    let first = ask(&provider, go()).await;
    let second = ask(&provider, go()).await;

    assert_eq!((first.text.as_str(), second.text.as_str()), ("hi", "hi"));
    let keys: Vec<String> = server
        .requests()
        .iter()
        .map(|asked| asked.header("authorization").unwrap_or_default().to_owned())
        .collect();
    assert_eq!(keys, ["Bearer first", "Bearer second", "Bearer second"]);
    assert_eq!(reads.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_key_that_is_read_again_unchanged_is_not_sent_again() {
    let server = Server::start().await;
    server.reply(Reply::json(401, &json!({"error": {"message": "wrong"}})));
    let account =
        Account::new("work", BACKEND, server.url()).with_key(Secret::new("same"), "the command");
    let same = account.clone();
    let provider = registry::build_renewing(&account, Arc::new(move || Ok(same.clone()))).unwrap();

    let error = provider.stream(go()).await.err().expect("it is refused");

    assert_eq!(error.fault, Fault::Unauthorized);
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn the_key_and_the_path_are_sent_as_configured() {
    let server = Server::start().await;
    server.reply(sse_text("hi"));
    let account = Account::new("work", BACKEND, format!("{}/", server.url()))
        .with_key(Secret::new("sk-1\n"), "the environment variable WORK_KEY");

    let told = ask(&registry::build(&account).unwrap(), go()).await;

    assert_eq!(
        (told.text.as_str(), told.finish),
        ("hi", Some(FinishReason::Stop))
    );
    let asked = &server.requests()[0];
    assert_eq!(asked.path, "/v1/chat/completions");
    assert_eq!(asked.header("authorization"), Some("Bearer sk-1"));
    assert_eq!(asked.header("accept-encoding"), Some("identity"));
    assert_eq!(
        asked.body,
        json!({
            "model": "test-model",
            "messages": [
                {"role": "system", "content": "be brief"},
                {"role": "user", "content": "go"},
            ],
            "stream": true,
            "stream_options": {"include_usage": true},
        })
    );
}

#[tokio::test]
async fn the_query_of_the_address_stays_behind_the_path() {
    let server = Server::start().await;
    server.reply(sse_text("hi"));
    let base_url = format!("{}?api-version=2025-01-01", server.url());

    let told = ask(&provider(&base_url), go()).await;

    assert_eq!((told.text.as_str(), told.error), ("hi", None));
    assert_eq!(
        server.requests()[0].path,
        "/v1/chat/completions?api-version=2025-01-01"
    );
}

#[tokio::test]
async fn a_server_that_is_not_there_is_named() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .unwrap();

    let told = ask(&provider(&format!("http://{closed}/v1")), go()).await;

    let error = told.error.unwrap();
    assert_eq!(error.fault, Fault::Unreachable);
    assert!(
        error.message.starts_with(&format!(
            "no connection to http://{closed}/v1/chat/completions: "
        )) && error.message.ends_with("; is the server running?"),
        "{}",
        error.message
    );
}

#[tokio::test]
async fn silence_before_the_answer_and_in_the_middle_of_it_is_bounded() {
    let server = Server::start().await;
    let never = Gate::new();
    let patience = Duration::from_millis(50);
    let impatient = patient_provider(&server.url(), patience);

    server.reply(Reply::stream().hold(&never));
    let told = ask(&impatient, go()).await;
    assert_eq!(told.error.map(|error| error.fault), Some(Fault::Silent));

    server.reply(Reply::stream().then(frames::text("Par")).hold(&never));
    let told = ask(&impatient, go()).await;
    assert_eq!(told.text, "Par");
    assert_eq!(told.error.map(|error| error.fault), Some(Fault::Silent));
}

/// A server that answers with a stream of comments, one every so often, until the client goes away.
async fn murmuring(every: Duration) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        // What comes before the request would be no answer to it.
        let _ = socket.read(&mut [0; 1024]).await;
        let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
        let mut written = socket.write_all(head).await;
        let mut ticks = tokio::time::interval(every);
        while written.is_ok() {
            ticks.tick().await;
            written = socket.write_all(b": PROCESSING\n\n").await;
        }
    });
    url
}

#[tokio::test]
async fn signs_of_life_stretch_the_bound_on_silence_but_not_for_ever() {
    let url = murmuring(Duration::from_millis(5)).await;
    let patience = Duration::from_millis(200);
    let start = Instant::now();

    let told = tokio::time::timeout(
        Duration::from_secs(30),
        ask(&patient_provider(&url, patience), go()),
    )
    .await;

    let error = told.expect("it gives up").error.unwrap();
    assert!(start.elapsed() > patience * 4, "{:?}", start.elapsed());
    assert_eq!(error.fault, Fault::Silent);
    assert!(
        error
            .message
            .ends_with("sent signs of life and no word for 1 s"),
        "{}",
        error.message
    );
}

#[tokio::test]
async fn a_flood_of_comments_is_no_reply() {
    let server = Server::start().await;
    let never = Gate::new();
    let comments = ": x\n".repeat(256 * 1024);
    let flood = (0..40).fold(Reply::stream(), |reply, _| reply.then(comments.as_str()));
    server.reply(flood.hold(&never));

    let error = ask(&provider(&server.url()), go()).await.error.unwrap();

    assert_eq!(error.fault, Fault::Malformed);
    assert!(
        error.message.contains("sent a stream that says nothing"),
        "{}",
        error.message
    );
}

#[tokio::test]
async fn a_reply_is_over_at_its_end_mark_though_the_connection_stays() {
    let server = Server::start().await;
    let never = Gate::new();
    server.reply(
        Reply::stream()
            .then(frames::text("hi"))
            .then(frames::end("stop"))
            .then(frames::DONE)
            .hold(&never),
    );

    // A silent server would be an error after half a minute; the end mark comes first.
    let told = ask(&provider(&server.url()), go()).await;

    assert_eq!((told.finish, told.error), (Some(FinishReason::Stop), None));
}

#[tokio::test]
async fn a_dropped_stream_closes_the_connection() {
    let server = Server::start().await;
    let never = Gate::new();
    server.reply(Reply::stream().then(frames::text("hi")).hold(&never));

    let mut stream = provider(&server.url()).stream(go()).await.unwrap();
    assert_eq!(
        stream.next().await,
        Some(Ok(StreamEvent::Text("hi".to_owned())))
    );
    drop(stream);

    server.abandoned(1).await;
}

#[tokio::test]
async fn a_connection_that_ends_before_the_answer_is_a_cut() {
    let server = Server::start().await;
    for half in ["", "HTTP/1.1 200 OK\r\nContent-Ty"] {
        server.reply(Reply::raw(half));

        let error = ask(&provider(&server.url()), go()).await.error.unwrap();

        assert_eq!(error.fault, Fault::CutOff, "{half:?}: {}", error.message);
    }
}

#[tokio::test]
async fn an_error_body_without_end_is_read_only_so_far() {
    let server = Server::start().await;
    let never = Gate::new();
    let mut flood = Reply::plain(500, "text/plain", "");
    for _ in 0..20 {
        flood = flood.then("各".repeat(3000));
    }
    server.reply(flood.until_close().hold(&never));

    let error = ask(&provider(&server.url()), go()).await.error.unwrap();

    assert_eq!(error.fault, Fault::Overloaded { retry_after: None });
    assert!(error.message.chars().count() < 400, "{}", error.message);
}

#[tokio::test]
async fn requests_beyond_the_limit_wait_for_their_turn() {
    let server = Server::start().await;
    let first = Gate::new();
    server.reply(
        Reply::stream()
            .then(frames::text("one"))
            .hold(&first)
            .then(frames::end("stop")),
    );
    server.reply(sse_text("two"));
    let mut account = Account::new("work", BACKEND, server.url());
    account.max_parallel = 1;
    let provider = registry::build(&account).unwrap();

    let one = tokio::spawn({
        let provider = Arc::clone(&provider);
        async move { ask(&provider, go()).await }
    });
    first.reached().await;
    let two = tokio::spawn(async move { ask(&provider, go()).await });
    tokio::task::yield_now().await;
    assert_eq!(server.requests().len(), 1);
    first.open();

    assert_eq!(one.await.unwrap().text, "one");
    assert_eq!(two.await.unwrap().text, "two");
}
