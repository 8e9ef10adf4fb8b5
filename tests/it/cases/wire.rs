//! Faults of streams: each test carries the number of its case.

use std::time::Duration;

use quarterdeck::{
    domain::{chat::ChatMessage, usage::Usage},
    providers::{
        contract::FinishReason,
        error::{Fault, ProviderError},
        retry::RetryPolicy,
    },
};
use serde_json::json;

use crate::support::{
    chat::{Told, ask, provider, request},
    frames::{self, DONE, call, data, end, text},
    server::{Reply, Server, sse_calls, sse_text},
};

async fn told(server: &Server, reply: Reply) -> Told {
    server.reply(reply);
    let asked = request(vec![ChatMessage::user("go")]);
    ask(&provider(&server.url()), asked).await
}

fn stream(frames: &[String]) -> Reply {
    frames
        .iter()
        .fold(Reply::stream(), |reply, frame| reply.then(frame.as_str()))
        .then(DONE)
}

fn told_call(id: &str, name: &str, arguments: &str) -> (String, String, String) {
    (id.to_owned(), name.to_owned(), arguments.to_owned())
}

#[tokio::test]
async fn b01_a_character_cut_across_reads_is_whole() {
    let server = Server::start().await;
    let words = "猫が好き😀";
    let body = format!("{}{}{DONE}", text(words), end("stop"));
    let bytes = body.as_bytes();

    let single = bytes
        .iter()
        .fold(Reply::stream(), |reply, byte| reply.then([*byte]));
    assert_eq!(told(&server, single).await.text, words);
    let start = body.find('猫').unwrap();
    for cut in [start + 1, start + 2, body.find('😀').unwrap() + 2] {
        let reply = Reply::stream().then(&bytes[..cut]).then(&bytes[cut..]);
        assert_eq!(told(&server, reply).await.text, words);
    }
}

#[tokio::test]
async fn b03_comments_and_unused_fields_are_ignored() {
    let server = Server::start().await;
    let noise = ":\n\n: still working\n\nid: 7\nretry: 900\n\nevent: ping\ndata: {}\n\n";
    let frames = [
        noise.to_owned(),
        text("a"),
        noise.to_owned(),
        text("b"),
        end("stop"),
        noise.to_owned(),
    ];

    let told = told(&server, stream(&frames)).await;

    assert_eq!(
        (told.text.as_str(), told.finish),
        ("ab", Some(FinishReason::Stop))
    );
    assert_eq!(told.error, None);
}

#[tokio::test]
async fn b05_parallel_calls_that_all_say_index_0_are_two_calls() {
    let server = Server::start().await;
    let frames = [
        call(0, Some("c1"), Some("read_file"), Some(r#"{"path":"a"}"#)),
        call(0, Some("c2"), Some("read_file"), Some(r#"{"path":"b"}"#)),
        end("tool_calls"),
    ];

    let told = told(&server, stream(&frames)).await;

    assert_eq!(
        told.calls,
        [
            told_call("c1", "read_file", r#"{"path":"a"}"#),
            told_call("c2", "read_file", r#"{"path":"b"}"#),
        ]
    );
    assert_eq!(told.finish, Some(FinishReason::ToolCalls));
}

#[tokio::test]
async fn b06_interleaved_fragments_reach_their_call_and_results_go_back_in_index_order() {
    let server = Server::start().await;
    let frames = [
        call(1, Some("c2"), Some("shell"), Some("")),
        call(0, Some("c1"), Some("read_file"), Some("")),
        call(1, None, None, Some(r#"{"comm"#)),
        call(0, None, None, Some(r#"{"pa"#)),
        call(1, None, None, Some(r#"and":"pwd"}"#)),
        call(0, None, None, Some(r#"th":"a"}"#)),
        end("tool_calls"),
    ];

    let told = told(&server, stream(&frames)).await;
    assert_eq!(
        told.calls,
        [
            told_call("c1", "read_file", r#"{"path":"a"}"#),
            told_call("c2", "shell", r#"{"command":"pwd"}"#),
        ]
    );

    server.reply(sse_text("done"));
    let mut messages = vec![ChatMessage::user("go")];
    messages.extend(told.messages());
    ask(&provider(&server.url()), request(messages)).await;
    let sent = &server.requests()[1];
    let ids: Vec<&str> = sent
        .messages()
        .iter()
        .filter_map(|message| message["tool_call_id"].as_str())
        .collect();
    assert_eq!(ids, ["c1", "c2"]);
    assert_eq!(server.violations(), Vec::<String>::new());
}

#[tokio::test]
async fn b08_a_call_without_arguments_gets_an_empty_object() {
    let server = Server::start().await;
    let bare = |function: serde_json::Value| {
        frames::delta(&json!({"tool_calls": [
            {"index": 0, "id": "c", "type": "function", "function": function},
        ]}))
    };
    for (name, frame) in [
        ("empty", call(0, Some("c"), Some("list_todos"), Some(""))),
        ("blank", call(0, Some("c"), Some("list_todos"), Some("  "))),
        ("word", call(0, Some("c"), Some("list_todos"), Some("null"))),
        ("missing", call(0, Some("c"), Some("list_todos"), None)),
        (
            "null",
            bare(json!({"name": "list_todos", "arguments": null})),
        ),
    ] {
        let told = told(&server, stream(&[frame, end("tool_calls")])).await;

        assert_eq!(told.calls, [told_call("c", "list_todos", "{}")], "{name}");
        assert_eq!(told.error, None, "{name}");
    }
}

#[tokio::test]
async fn b09_a_usage_report_without_choices_is_counted_once() {
    let server = Server::start().await;
    let usage = || {
        data(&json!({"choices": [], "usage":
            {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11}}))
    };
    let nothing = || data(&json!({"choices": null}));
    let unset = || data(&json!({"choices": [], "usage": null}));

    for frames in [
        vec![text("hi"), end("stop"), usage()],
        vec![usage(), text("hi"), end("stop"), usage()],
        vec![
            nothing(),
            text("hi"),
            unset(),
            end("stop"),
            nothing(),
            usage(),
            unset(),
        ],
    ] {
        let told = told(&server, stream(&frames)).await;

        assert_eq!((told.text.as_str(), told.error), ("hi", None));
        assert_eq!(told.finish, Some(FinishReason::Stop));
        assert_eq!(told.usage_reports, 1);
        assert_eq!(
            told.usage,
            Some(Usage {
                input: 9,
                cached: 0,
                output: 2,
                cost: None
            })
        );
    }
}

#[tokio::test]
async fn b10_an_error_inside_the_stream_fails_the_reply_in_the_provider_s_words() {
    let server = Server::start().await;
    let error = data(&json!({"error": {"message": "busy", "code": 503}}));

    let told = told(&server, stream(&[text("Par"), error])).await;

    assert_eq!((told.text.as_str(), told.finish), ("Par", None));
    let error = told.error.unwrap();
    assert_eq!(error.fault, Fault::InStream);
    assert!(error.message.ends_with(": busy"), "{}", error.message);
    assert!(!error.is_retryable());
}

#[tokio::test]
async fn b12_a_call_cut_by_the_output_limit_says_so_and_stays_incomplete() {
    let server = Server::start().await;
    let arguments = r#"{"path":"r.md","content":"one\ntw"#;
    let frames = [
        call(0, Some("c"), Some("write_file"), Some(arguments)),
        end("length"),
    ];

    let told = told(&server, stream(&frames)).await;

    assert_eq!(told.finish, Some(FinishReason::OutputLimit));
    assert_eq!(told.calls, [told_call("c", "write_file", arguments)]);
}

#[tokio::test]
async fn b14_reasoning_is_sent_back_with_the_message_it_belongs_to() {
    let server = Server::start().await;
    let frames = [
        frames::reasoning("pl"),
        frames::reasoning("an"),
        call(0, Some("c"), Some("list_todos"), Some("{}")),
        end("tool_calls"),
    ];
    let told = told(&server, stream(&frames)).await;
    assert_eq!(told.reasoning, "plan");

    server
        .reply_when(
            |asked| asked.messages()[2]["reasoning_content"] == "plan",
            sse_text("thanks"),
        )
        .reply(Reply::json(
            400,
            &json!({"error": {"message": "reasoning_content must be passed back"}}),
        ));
    let mut messages = vec![ChatMessage::user("go")];
    messages.extend(told.messages());
    let answered = ask(&provider(&server.url()), request(messages.clone())).await;
    assert_eq!((answered.text.as_str(), answered.error), ("thanks", None));

    // Another server never sees it.
    let other = Server::start().await;
    other.reply(sse_text("hello"));
    ask(&provider(&other.url()), request(messages)).await;
    assert!(!other.requests()[0].body.to_string().contains("plan"));
}

#[tokio::test]
async fn b16_back_off_is_capped_and_tries_are_bounded() {
    let server = Server::start().await;
    let provider = provider(&server.url());
    let mut waits = Vec::new();
    for tries in 1..=8 {
        server.reply(Reply::json(
            502,
            &json!({"error": {"message": "bad gateway"}}),
        ));
        let asked = request(vec![ChatMessage::user("go")]);
        let error = ask(&provider, asked).await.error.unwrap();
        assert_eq!(error.retry_after(), None);
        waits.push(RetryPolicy::default().wait(tries, &error, 1.0));
    }

    let tried: Vec<Duration> = waits.iter().copied().flatten().collect();
    assert_eq!(tried.len(), 5);
    assert!(tried.iter().all(|wait| *wait <= Duration::from_mins(1)));
    assert_eq!(waits[5..], [None, None, None]);
}

#[tokio::test]
async fn b18_a_web_page_is_one_line_and_only_a_passing_one_is_retried() {
    let server = Server::start().await;
    let page = "<!doctype html><title>Sign in</title>";
    let long = format!("{page}{}", "<p>x</p>".repeat(40_000));

    for (status, kind, body, retried) in [
        (200, "text/html", page.to_owned(), false),
        (200, "text/plain", page.to_owned(), false),
        (502, "text/html; charset=utf-8", long, true),
    ] {
        let told = told(&server, Reply::plain(status, kind, body)).await;

        let error = told.error.unwrap();
        assert_eq!(
            error,
            ProviderError {
                fault: Fault::WebPage,
                message: format!(
                    "{}/chat/completions answered {status} with a web page instead of an API answer: check base_url \
                     of account test, or whether a proxy or a sign-in page is in the way",
                    server.url()
                ),
                status: Some(status),
                request_id: None,
            }
        );
        assert_eq!(error.is_retryable(), retried);
        assert_eq!(told.text, "");
    }
}

#[tokio::test]
async fn b19_a_full_window_is_known_in_every_spelling_and_a_bad_limit_is_not_one() {
    let server = Server::start().await;
    let error = |words: &str, code: &str| json!({"error": {"message": words, "code": code}});
    for (status, body, fault) in [
        (
            400,
            error("no", "context_length_exceeded"),
            Fault::WindowFull,
        ),
        (
            400,
            error("prompt is too long: 210 tokens > 200 maximum", ""),
            Fault::WindowFull,
        ),
        (
            400,
            error(
                "request (900 tokens) exceeds the available context size (800 tokens)",
                "",
            ),
            Fault::WindowFull,
        ),
        (413, json!({}), Fault::WindowFull),
        (400, error("max_tokens too large", ""), Fault::Rejected),
    ] {
        let told = told(&server, Reply::json(status, &body)).await;
        let error = told.error.unwrap();

        assert_eq!(error.fault, fault, "{body}");
        assert!(!error.is_retryable(), "{body}");
    }
}

#[tokio::test]
async fn only_the_end_marker_behind_the_last_piece_counts() {
    let server = Server::start().await;
    let read = || call(0, Some("a"), Some("read_file"), Some(r#"{"path":"a"}"#));
    let half = || call(1, Some("b"), Some("write_file"), Some(r#"{"path":"#));

    // A call behind the end, and a second one that is cut: nothing says that these are whole.
    for frames in [
        vec![text("hi"), end("stop"), read()],
        vec![read(), end("tool_calls"), half()],
        vec![read(), end("stop"), frames::reasoning("hm")],
    ] {
        for reply in [stream(&frames), Reply::stream().then(frames.concat()).cut()] {
            let told = told(&server, reply).await;
            assert_eq!((told.finish, told.error), (None, None), "{frames:#?}");
        }
    }
    // A server that puts the marker on every event.
    let frames = [
        text("a"),
        end("stop"),
        text("b"),
        end("stop"),
        read(),
        end("stop"),
    ];
    let told = told(&server, stream(&frames)).await;
    assert_eq!(told.text, "ab");
    assert_eq!(told.calls, [told_call("a", "read_file", r#"{"path":"a"}"#)]);
    assert_eq!(told.finish, Some(FinishReason::ToolCalls));
}

#[tokio::test]
async fn two_calls_with_one_id_are_two_calls() {
    let server = Server::start().await;
    let frames = [
        call(
            0,
            Some("call_0"),
            Some("file_read"),
            Some(r#"{"path":"a"}"#),
        ),
        call(
            1,
            Some("call_0"),
            Some("shell_execute"),
            Some(r#"{"command":"pwd"}"#),
        ),
        end("tool_calls"),
    ];

    let told = told(&server, stream(&frames)).await;

    assert_eq!(
        told.calls,
        [
            told_call("call_0", "file_read", r#"{"path":"a"}"#),
            told_call("call_0", "shell_execute", r#"{"command":"pwd"}"#),
        ]
    );
}

#[tokio::test]
async fn a_wait_that_no_one_waits_for_does_not_shut_the_account() {
    let server = Server::start().await;
    let provider = provider(&server.url());
    for status in [429, 503] {
        server.reply(
            Reply::json(status, &json!({"error": {"message": "later"}}))
                .header("Retry-After", "99999999999"),
        );
        server.reply(sse_text("hello again"));
        let asked = || request(vec![ChatMessage::user("go")]);

        let refused = ask(&provider, asked()).await.error.unwrap();
        assert_eq!(RetryPolicy::default().wait(1, &refused, 0.0), None);
        assert!(
            refused.message.contains("it asks to wait more than a year"),
            "{}",
            refused.message
        );
        assert_eq!(ask(&provider, asked()).await.text, "hello again");
    }
}

#[tokio::test]
async fn a_call_that_was_asked_for_in_one_piece_is_whole() {
    let server = Server::start().await;
    let arguments = json!({"command": "printf '猫\\n'"});

    let told = told(
        &server,
        sse_calls(&[("c", "shell_execute", arguments.clone())]),
    )
    .await;

    assert_eq!(
        told.calls,
        [told_call("c", "shell_execute", &arguments.to_string())]
    );
}
