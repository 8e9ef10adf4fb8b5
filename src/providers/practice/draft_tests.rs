use std::{sync::Arc, time::Duration};

use futures::StreamExt;
use serde_json::json;

use super::{Draft, pieces};
use crate::{
    domain::{chat::ChatMessage, ids::AgentId, usage::Usage},
    providers::{
        contract::{ChatRequest, FinishReason, Provider, StreamEvent},
        practice::Practice,
    },
};

fn request(words: &str) -> ChatRequest {
    ChatRequest {
        agent: AgentId::main(),
        model: Practice::model_info("practice"),
        system: Arc::from("12345678"),
        messages: vec![ChatMessage::user(words)].into(),
        tools: Vec::new().into(),
        media: Default::default(),
    }
}

#[test]
fn pieces_are_short_and_lose_nothing() {
    for text in [
        "",
        "one two three four five six",
        "各各各各各各各各各各各各",
        "a\n\n\tb  c",
        &"x".repeat(100),
    ] {
        let cut: Vec<String> = pieces(text, 14).collect();

        assert_eq!(cut.concat(), text);
        assert!(
            cut.iter()
                .all(|piece| !piece.is_empty() && piece.len() <= 14)
        );
    }
}

#[test]
fn a_draft_becomes_reasoning_words_calls_usage_and_an_end() {
    let draft = Draft::says("Hi.")
        .thinking("Hm.")
        .call("file_read", json!({"path": "a"}))
        .call("file_find", json!({}));

    let call = |slot, name: &str| StreamEvent::CallStarted {
        slot,
        id: String::new(),
        name: name.to_owned(),
    };
    let arguments = |slot, fragment: &str| StreamEvent::CallArguments {
        slot,
        fragment: fragment.to_owned(),
    };
    assert_eq!(
        draft.into_events(&request("tour")),
        [
            StreamEvent::Reasoning("Hm.".to_owned()),
            StreamEvent::Text("Hi.".to_owned()),
            call(0, "file_read"),
            arguments(0, "{\"path\":\"a\"}"),
            call(1, "file_find"),
            arguments(1, "{}"),
            StreamEvent::Usage(Usage {
                input: 3,
                cached: 0,
                output: 12,
                cost: None,
            }),
            StreamEvent::Finished(FinishReason::ToolCalls),
        ]
    );
}

#[tokio::test]
async fn the_same_request_streams_the_same_events() {
    let practice = Practice::with_pace(Duration::ZERO);
    let mut streams = Vec::new();
    for _ in 0..2 {
        let stream = practice.stream(request("tour")).await.unwrap();
        streams.push(stream.collect::<Vec<_>>().await);
    }

    assert_eq!(streams[0], streams[1]);
    assert!(streams[0].len() > 10);
    assert_eq!(
        streams[0].last(),
        Some(&Ok(StreamEvent::Finished(FinishReason::Stop)))
    );
}
