//! Bytes to events: recorded streams whole and cut at every byte, odd streams, and arbitrary bytes.

use std::path::Path;

use proptest::prelude::*;
use reqwest::Url;
use serde_json::json;

use super::*;
use crate::providers::{account::Account, error::Fault};

type Read = (Vec<StreamEvent>, Option<ProviderError>);

fn reader() -> ReplyReader {
    let account = Account::new("test", super::super::BACKEND, "http://127.0.0.1:9/v1");
    let url = Url::parse("http://127.0.0.1:9/v1/chat/completions").unwrap();
    let endpoint = Endpoint::new(url, &account, "m");
    ReplyReader::new(endpoint, "http://127.0.0.1:9".to_owned(), 200, None, None)
}

/// Everything that comes out when these reads come in, pieces joined as far as they touch.
fn read(parts: &[&[u8]]) -> Read {
    let mut reader = reader();
    let mut events = Vec::new();
    let mut pushed = parts
        .iter()
        .try_for_each(|part| reader.push(part, &mut events));
    if pushed.is_ok() {
        pushed = reader.end(&mut events);
    }
    let mut joined = Vec::new();
    for event in events {
        add(&mut joined, event);
    }
    (joined, pushed.err())
}

fn stream(frames: &[Value]) -> String {
    let mut stream = String::new();
    for frame in frames {
        stream.push_str(&format!("data: {frame}\n\n"));
    }
    stream
}

fn delta(delta: Value) -> Value {
    json!({"choices": [{"index": 0, "delta": delta}]})
}

fn end(reason: &str) -> Value {
    json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
}

fn text(text: &str) -> StreamEvent {
    StreamEvent::Text(text.to_owned())
}

fn all_text(events: &[StreamEvent]) -> String {
    events
        .iter()
        .filter_map(|event| match event {
            StreamEvent::Text(text) => Some(text.as_str()),
            _ => None,
        })
        .collect()
}

/// The bodies of all recorded chat streams.
fn recordings() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/streams");
    let mut recordings = Vec::new();
    for server in folder.read_dir().unwrap() {
        for file in server.unwrap().path().read_dir().unwrap() {
            let path = file.unwrap().path();
            let bytes = std::fs::read(&path).unwrap();
            let head = bytes.windows(4).position(|at| at == b"\r\n\r\n").unwrap();
            if bytes.starts_with(b"HTTP/1.1 200") {
                recordings.push((path.display().to_string(), bytes[head + 4..].to_vec()));
            }
        }
    }
    assert!(recordings.len() >= 17, "{}", recordings.len());
    recordings
}

#[test]
fn recorded_streams_say_the_same_however_the_reads_are_cut() {
    for (name, body) in recordings() {
        let whole = read(&[&body]);
        assert_eq!(whole.1, None, "{name}");
        let single: Vec<&[u8]> = body.chunks(1).collect();
        assert_eq!(read(&single), whole, "{name} byte by byte");

        // What was told at the end of each event, against what is told when a read ends anywhere before it.
        let ends: Vec<usize> = (2..=body.len())
            .filter(|end| body[..*end].ends_with(b"\n\n"))
            .collect();
        let told = |parts: &[&[u8]], reader: &ReplyReader, events: &[StreamEvent]| {
            let (mut reader, mut events) = (reader.clone(), events.to_vec());
            for part in parts {
                reader.push(part, &mut events).unwrap();
            }
            events
        };
        let (mut before, mut events, mut start) = (reader(), Vec::new(), 0);
        for pair in ends.windows(2) {
            let two = &body[start..pair[1]];
            let uncut = told(&[two], &before, &events);
            for cut in 1..=pair[0] - start {
                let (head, tail) = two.split_at(cut);
                assert_eq!(
                    told(&[head, tail], &before, &events),
                    uncut,
                    "{name} at {start} + {cut}"
                );
            }
            before.push(&body[start..pair[0]], &mut events).unwrap();
            start = pair[0];
        }
    }
}

#[test]
fn recorded_streams_that_are_cut_off_anywhere_end_without_being_finished() {
    for (name, body) in recordings() {
        let whole = all_text(&read(&[&body]).0);
        let stream =
            String::from_utf8_lossy(&body).replace("\"finish_reason\": \"", "\"finish_reason\":\"");
        let shortened = body.len() - stream.len();
        let marker = stream.find("\"finish_reason\":\"").map(|at| at + shortened);
        let mut reader = reader();
        let mut events = Vec::new();

        for (cut, byte) in body.iter().enumerate() {
            let mut ended = reader.clone();
            let mut told = events.clone();
            assert_eq!(ended.end(&mut told), Ok(()), "{name} cut at {cut}");
            let part = all_text(&told);
            assert!(whole.starts_with(&part), "{name} cut at {cut}: {part}");
            if marker.is_none_or(|marker| cut < marker) {
                assert!(!is_finished(&told), "{name} cut at {cut}: {told:?}");
            }
            reader.push(&[*byte], &mut events).unwrap();
        }
        reader.end(&mut events).unwrap();
        assert_eq!(is_finished(&events), marker.is_some(), "{name}");
    }
}

fn is_finished(events: &[StreamEvent]) -> bool {
    events
        .iter()
        .any(|event| matches!(event, StreamEvent::Finished(_)))
}

#[test]
fn recorded_streams_of_each_server_are_understood() {
    let of = |name: &str| {
        let (_, body) = recordings()
            .into_iter()
            .find(|(path, _)| path.ends_with(name))
            .unwrap();
        read(&[&body]).0
    };
    let calls = |events: &[StreamEvent]| -> Vec<(String, String)> {
        let mut calls = Vec::new();
        for event in events {
            match event {
                StreamEvent::CallStarted { name, .. } => calls.push((name.clone(), String::new())),
                StreamEvent::CallArguments { fragment, .. } => {
                    calls.last_mut().unwrap().1.push_str(fragment);
                }
                _ => {}
            }
        }
        calls
    };
    let reads = |arguments: &str| ("fs_read".to_owned(), arguments.to_owned());
    let finished = |reason| Some(StreamEvent::Finished(reason));

    for server in ["llamacpp", "litellm"] {
        let events = of(&format!("{server}/chat_tool.http"));
        let arguments: Value = serde_json::from_str(&calls(&events)[0].1).unwrap();
        assert_eq!(arguments, json!({"path": "src/main.rs"}));
        assert_eq!(calls(&events)[0].0, "fs_read");
        assert_eq!(events.last().cloned(), finished(FinishReason::ToolCalls));
        assert!(events.iter().any(|event| matches!(
            event,
            StreamEvent::Usage(Usage {
                input: 625,
                output: 35,
                ..
            })
        )));
    }
    let events = of("llm-mock-api/chat_tool.http");
    assert_eq!(calls(&events), [reads(r#"{"path": "src/main.rs"}"#)]);

    let events = of("aimock/chat_two-files.http");
    assert_eq!(
        calls(&events),
        [
            reads(r#"{"path":"src/main.rs"}"#),
            reads(r#"{"path":"Cargo.toml"}"#)
        ]
    );
    let events = of("aimock/chat_length.http");
    assert_eq!(events.last().cloned(), finished(FinishReason::OutputLimit));
    let events = of("aimock/chat_cut-short.http");
    assert_eq!(events, [text("This answer is cut s")]);
    let events = of("aimock/chat_think.http");
    assert_eq!(
        events,
        [
            StreamEvent::Reasoning("The user wants a short answer.".to_owned()),
            StreamEvent::Private(json!({
                "reasoning_content": "The user wants a short answer.",
                "origin": "http://127.0.0.1:9",
            })),
            text("Forty-two."),
            StreamEvent::Usage(Usage {
                input: 15,
                cached: 0,
                output: 3,
                cost: None,
            }),
            StreamEvent::Finished(FinishReason::Stop),
        ]
    );
}

#[test]
fn every_reason_to_end_is_known() {
    let reason = |frames: &[Value]| {
        let (events, error) = read(&[stream(frames).as_bytes()]);
        match (events.last(), error) {
            (Some(StreamEvent::Finished(reason)), None) => Ok(*reason),
            (_, error) => Err(error.map(|error| error.fault)),
        }
    };
    let call = delta(json!({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "x"}}]}));
    let hi = delta(json!({"content": "hi"}));

    for (said, expected) in [
        ("stop", FinishReason::Stop),
        ("eos", FinishReason::Stop),
        ("length", FinishReason::OutputLimit),
        ("content_filter", FinishReason::Refused),
        // There is no call to wait for.
        ("tool_calls", FinishReason::Stop),
    ] {
        assert_eq!(reason(&[hi.clone(), end(said)]), Ok(expected), "{said}");
    }
    for said in ["stop", "tool_calls", "function_call"] {
        assert_eq!(
            reason(&[call.clone(), end(said)]),
            Ok(FinishReason::ToolCalls)
        );
    }
    assert_eq!(
        reason(&[call, end("length")]),
        Ok(FinishReason::OutputLimit)
    );
    assert_eq!(
        reason(&[delta(json!({"refusal": "I can't."})), end("stop")]),
        Ok(FinishReason::Refused)
    );
    assert_eq!(
        reason(&[hi.clone(), end("network_error")]),
        Err(Some(Fault::InStream))
    );
    assert_eq!(reason(&[hi.clone(), end("")]), Err(None));
    assert_eq!(
        reason(&[
            hi,
            json!({"choices": [{"index": 0, "delta": {}, "finish_reason": null}]})
        ]),
        Err(None)
    );
}

#[test]
fn the_done_mark_alone_ends_words_but_never_calls() {
    let done = |frame: Value| read(&[format!("{}data: [DONE]\n\n", stream(&[frame])).as_bytes()]).0;

    assert_eq!(
        done(delta(json!({"content": "hi"}))),
        [text("hi"), StreamEvent::Finished(FinishReason::Stop)]
    );
    let call = json!({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "x", "arguments": ""}}]});
    assert_eq!(
        done(delta(call)),
        [StreamEvent::CallStarted {
            slot: 0,
            id: "a".to_owned(),
            name: "x".to_owned(),
        }]
    );
}

#[test]
fn the_last_event_counts_without_its_blank_line_and_nothing_counts_after_done() {
    let cut = format!(
        "{}data: {}",
        stream(&[delta(json!({"content": "hi"}))]),
        end("stop")
    );
    let after = format!(
        "{cut}\n\ndata: [DONE]\n\ndata: {}\n\n",
        delta(json!({"content": "!"}))
    );
    let expected = (
        vec![text("hi"), StreamEvent::Finished(FinishReason::Stop)],
        None,
    );

    assert_eq!(read(&[cut.as_bytes()]), expected);
    assert_eq!(read(&[format!("{cut}\n").as_bytes()]), expected);
    assert_eq!(read(&[after.as_bytes()]), expected);
}

#[test]
fn errors_inside_the_stream_are_found_in_every_form() {
    let hi = stream(&[delta(json!({"content": "Par"}))]);
    for error in [
        r#"data: {"error":{"message":"busy","code":503}}"#,
        r#"data: {"error":"busy"}"#,
        r#"data: {"object":"error","message":"busy","code":503}"#,
        r#"data: {"choices":[{"index":0,"delta":{},"error":{"message":"busy"},"finish_reason":"error"}]}"#,
        r#"data: {"choices":[{"delta":{"content":""},"finish_reason":"error"}],"error":{"message":"busy"}}"#,
        "event: error\ndata: {\"message\":\"busy\"}",
        "event: error\ndata: busy",
        r#"error: {"code":503,"message":"busy"}"#,
    ] {
        let (events, error) = read(&[format!("{hi}{error}\n\ndata: [DONE]\n\n").as_bytes()]);
        let error = error.unwrap();
        assert_eq!(events, [text("Par")]);
        assert_eq!(error.fault, Fault::InStream);
        assert_eq!(error.message, "127.0.0.1:9 broke the reply off: busy");
    }
    let full = r#"data: {"error":{"message":"prompt is too long: 9 tokens > 8 maximum"}}"#;
    assert_eq!(
        read(&[format!("{full}\n\n").as_bytes()]).1.unwrap().fault,
        Fault::WindowFull
    );
}

#[test]
fn a_whole_json_reply_is_taken_like_a_stream() {
    let reply =
        json!({"object": "chat.completion", "choices": [{"index": 0, "finish_reason": "tool_calls",
        "message": {"role": "assistant", "content": "hi", "reasoning_content": "hm", "tool_calls": [
            {"id": "a", "type": "function", "function": {"name": "x", "arguments": "{\"y\":1}"}},
            {"id": "b", "type": "function", "function": {"name": "x", "arguments": {"y": 2}}},
        ]}}], "usage": {"prompt_tokens": 5, "completion_tokens": 2}})
        .to_string();
    let whole = read(&[reply.as_bytes()]);
    let started = |slot, id: &str| StreamEvent::CallStarted {
        slot,
        id: id.to_owned(),
        name: "x".to_owned(),
    };
    let arguments = |slot, fragment: &str| StreamEvent::CallArguments {
        slot,
        fragment: fragment.to_owned(),
    };

    assert_eq!(
        whole.0,
        [
            StreamEvent::Usage(Usage {
                input: 5,
                cached: 0,
                output: 2,
                cost: None
            }),
            StreamEvent::Reasoning("hm".to_owned()),
            StreamEvent::Private(
                json!({"reasoning_content": "hm", "origin": "http://127.0.0.1:9"})
            ),
            text("hi"),
            started(0, "a"),
            arguments(0, r#"{"y":1}"#),
            started(1, "b"),
            arguments(1, r#"{"y":2}"#),
            StreamEvent::Finished(FinishReason::ToolCalls),
        ]
    );
    for cut in 0..reply.len() {
        let (head, tail) = reply.as_bytes().split_at(cut);
        assert_eq!(read(&[head, tail]), whole);
        assert_eq!(read(&[head]), (Vec::new(), None), "cut at {cut}");
    }
}

#[test]
fn what_is_no_reply_is_named() {
    let fault = |body: &str| {
        let (events, error) = read(&[body.as_bytes()]);
        assert_eq!(events, [], "{body}");
        error.map(|error| error.fault)
    };

    assert_eq!(
        fault(r#"{"error":{"message":"busy"}}"#),
        Some(Fault::InStream)
    );
    assert_eq!(
        fault(r#"{"error":{"message":"busy","code":503}}"#),
        Some(Fault::Overloaded { retry_after: None })
    );
    assert_eq!(fault(r#"{"status":"ok"}"#), Some(Fault::Malformed));
    assert_eq!(fault("{]"), Some(Fault::Malformed));
    assert_eq!(fault("  <!doctype html>"), Some(Fault::WebPage));
    assert_eq!(fault("data: {]\n\n"), Some(Fault::Malformed));
    assert_eq!(fault("data: {\"choices\":7}\n\n"), Some(Fault::Malformed));
    for nothing in [
        "",
        " \n",
        "\u{feff}",
        "hello",
        "data: {}\n\n",
        "data: null\n\n",
        "event: ping\ndata: x\n\n",
    ] {
        assert_eq!(fault(nothing), None, "{nothing:?}");
    }
}

#[test]
fn further_choices_are_not_ours() {
    let frames = [
        json!({"choices": [{"index": 1, "delta": {"content": "other"}}]}),
        delta(json!({"content": "hi"})),
        json!({"choices": [{"index": 1, "delta": {}, "finish_reason": "stop"}]}),
    ];

    assert_eq!(
        read(&[stream(&frames).as_bytes()]),
        (vec![text("hi")], None)
    );
}

/// Pieces of streams, whole and broken, to be thrown together.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let known = prop::sample::select(vec![
        "data: ",
        "\n\n",
        "\r",
        "\n",
        "event: error\n",
        "[DONE]",
        "{\"choices\":[",
        "]}",
        "null",
        "{\"index\":0,\"delta\":{\"content\":\"猫\"}}",
        ",",
        "{\"delta\":{\"tool_calls\":[",
        "{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"x\",\"arguments\":\"{\\\"\"}}",
        "{\"index\":-1,\"function\":{\"arguments\":null}}",
        "{\"index\":18446744073709551615}",
        "]}}",
        "{\"delta\":{},\"finish_reason\":\"stop\"}",
        "\"usage\":{\"prompt_tokens\":1e99}",
        "{\"error\":",
        "<html>",
        "\u{feff}",
        ": comment\n",
        "data: {\"choices\":[]}\n\n",
    ])
    .prop_map(|text| text.as_bytes().to_vec());
    prop_oneof![4 => known, 1 => prop::collection::vec(any::<u8>(), 0..12)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn arbitrary_bytes_never_panic_and_cuts_change_nothing(
        pieces in prop::collection::vec(piece(), 0..24),
        at in any::<prop::sample::Index>(),
    ) {
        let bytes = pieces.concat();
        let whole = read(&[&bytes]);
        let cut = at.index(bytes.len() + 1);

        prop_assert_eq!(&read(&[&bytes[..cut], &bytes[cut..]]), &whole);
        let ends = whole.0.iter().filter(|event| matches!(event, StreamEvent::Finished(_))).count();
        prop_assert!(ends == 0 || (ends == 1 && matches!(whole.0.last(), Some(StreamEvent::Finished(_)))));
        prop_assert!(ends == 0 || whole.1.is_none());
    }
}
