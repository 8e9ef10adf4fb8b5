//! The test server against a plain client: what it refuses, and that bytes go out as scripted.

use super::*;

/// Sends one request over a plain socket and reads until the server closes or `enough` says so.
async fn ask(server: &Server, body: &Value, enough: impl Fn(&str) -> bool) -> (TcpStream, String) {
    let mut socket = TcpStream::connect(server.address).await.unwrap();
    let body = body.to_string();
    let request = format!(
        "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    socket.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    while !enough(&String::from_utf8_lossy(&answer)) {
        if socket.read_buf(&mut answer).await.unwrap() == 0 {
            break;
        }
    }
    (socket, String::from_utf8(answer).unwrap())
}

fn chat(messages: Value) -> Value {
    json!({"model": "m", "messages": messages})
}

fn call(id: &str, arguments: &str) -> Value {
    json!({"id": id, "type": "function", "function": {"name": "file_read", "arguments": arguments}})
}

#[tokio::test]
async fn pieces_go_out_as_chunks_and_the_request_is_remembered() {
    let server = Server::start().await;
    server.reply(Reply::stream().then("data: a\n\n").then("data: b\n\n"));

    let body = chat(json!([{"role": "user", "content": "hi"}]));
    let (_, answer) = ask(&server, &body, |answer| answer.ends_with("0\r\n\r\n")).await;

    assert_eq!(
        answer,
        "HTTP/1.1 200 Scripted\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n\
         9\r\ndata: a\n\n\r\n9\r\ndata: b\n\n\r\n0\r\n\r\n"
    );
    assert_eq!(server.requests()[0].body, body);
    assert_eq!(server.left(), 0);
}

#[tokio::test]
async fn a_client_that_leaves_during_a_hold_is_counted() {
    let server = Server::start().await;
    let gate = Gate::new();
    server.reply(
        Reply::stream()
            .then("data: a\n\n")
            .hold(&gate)
            .then("data: b\n\n"),
    );

    let body = chat(json!([{"role": "user", "content": "hi"}]));
    let (socket, answer) = ask(&server, &body, |answer| answer.contains("data: a")).await;
    assert!(!answer.contains("data: b"));
    gate.reached().await;
    drop(socket);

    server.abandoned(1).await;
}

#[tokio::test]
async fn requests_that_a_real_server_refuses_are_refused_and_take_no_reply() {
    let user = json!({"role": "user", "content": "hi"});
    let calls = |calls: Value| json!({"role": "assistant", "content": null, "tool_calls": calls});
    let result = |id: &str| json!({"role": "tool", "tool_call_id": id, "content": "done"});
    let paired = [
        calls(json!([call("a", "{}"), call("b", "{}")])),
        result("b"),
        result("a"),
    ];
    let bad = [
        ("unanswered", json!([user, calls(json!([call("a", "{}")]))])),
        (
            "late",
            json!([user, calls(json!([call("a", "{}")])), user, result("a")]),
        ),
        ("orphan", json!([user, result("a")])),
        (
            "cut arguments",
            json!([user, calls(json!([call("a", "{\"pa")])), result("a")]),
        ),
        (
            "no object",
            json!([user, calls(json!([call("a", "null")])), result("a")]),
        ),
        ("empty", json!([{"role": "user", "content": ""}])),
        ("no messages", json!(null)),
    ];

    for (name, messages) in bad {
        assert!(
            validate::fault(&chat(messages)).is_some(),
            "{name} was accepted"
        );
    }
    let good = chat(json!([user, paired[0], paired[1], paired[2], user]));
    assert_eq!(validate::fault(&good), None);

    let server = Server::start().await;
    server.reply(sse_text("hi"));
    let (_, answer) = ask(&server, &chat(json!([])), |answer| answer.ends_with("}}")).await;
    assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");
    assert_eq!(server.violations(), ["'messages' is empty"]);
    assert_eq!(server.left(), 1);
}

#[tokio::test]
async fn an_answer_can_be_meant_for_one_request() {
    let server = Server::start().await;
    server.reply(sse_text("anyone"));
    server.reply_to(
        "say \"x\"",
        sse_calls(&[("c1", "file_read", json!({"path": "x"}))]),
    );

    let body = chat(json!([{"role": "user", "content": "please say \"x\""}]));
    let (_, answer) = ask(&server, &body, |answer| answer.ends_with("0\r\n\r\n")).await;

    assert!(answer.contains("file_read"), "{answer}");
    assert_eq!(server.left(), 1);
}
