//! Scripts played step by step.
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::sync::Arc;

use futures::StreamExt;
use serde_json::json;

use super::*;
use crate::{
    domain::{chat::ChatMessage, ids::AgentId, usage::Usage},
    providers::{contract::FinishReason, scripted::Gate},
};

fn request(agent: &str, words: &str) -> ChatRequest {
    ChatRequest {
        agent: AgentId::new(agent),
        model: Scripted::model_info("test"),
        system: Arc::from("be brief"),
        messages: Arc::from(vec![ChatMessage::user(words)]),
        tools: Arc::from(Vec::new()),
        media: Default::default(),
    }
}

async fn play(script: &Scripted, agent: &str) -> Vec<Result<StreamEvent, ProviderError>> {
    match script.stream(request(agent, "go")).await {
        Ok(stream) => stream.collect().await,
        Err(error) => vec![Err(error)],
    }
}

#[tokio::test]
async fn a_reply_plays_its_steps_in_order_with_calls_in_slots() {
    let script = Scripted::new();
    script.reply(
        Reply::new()
            .reasoning("hm")
            .text("a")
            .call("file_read", json!({"path": "x"}))
            .raw_call("shell_execute", "{\"comm")
            .usage(10, 4, 2)
            .private(json!({"reasoning_content": "hm"}))
            .tool_calls(),
    );

    let events = play(&script, "main").await;

    let call = |slot, id: &str, name: &str| StreamEvent::CallStarted {
        slot,
        id: id.to_owned(),
        name: name.to_owned(),
    };
    let piece = |slot, fragment: &str| StreamEvent::CallArguments {
        slot,
        fragment: fragment.to_owned(),
    };
    assert_eq!(
        events,
        [
            StreamEvent::Reasoning("hm".to_owned()),
            StreamEvent::Text("a".to_owned()),
            call(0, "call_1", "file_read"),
            piece(0, "{\"path\":\"x\"}"),
            call(1, "call_2", "shell_execute"),
            piece(1, "{\"comm"),
            StreamEvent::Usage(Usage {
                input: 10,
                cached: 4,
                output: 2,
                cost: None
            }),
            StreamEvent::Private(json!({"reasoning_content": "hm"})),
            StreamEvent::Finished(FinishReason::ToolCalls),
        ]
        .map(Ok)
    );
}

#[tokio::test]
async fn replies_go_to_the_agent_they_are_for_and_else_to_whoever_asks() {
    let script = Scripted::new();
    script
        .reply(Reply::says("anyone"))
        .reply_to("scout", Reply::says("scout"))
        .reply_to("main", Reply::says("main"));

    let mut texts = Vec::new();
    for agent in ["main", "scout_1a2b3c4d", "scouting_1"] {
        texts.push(play(&script, agent).await.remove(0).unwrap());
    }

    let text = |text: &str| StreamEvent::Text(text.to_owned());
    assert_eq!(texts, [text("main"), text("scout"), text("anyone")]);
    assert_eq!(script.left(), 0);
    assert_eq!(script.requests_of("scout").len(), 1);
    assert_eq!(
        play(&script, "main").await,
        [Err(ProviderError::new(
            Fault::Setup,
            "the script holds no further reply for main"
        ))]
    );
    assert_eq!(script.requests().len(), 4);
}

#[tokio::test]
async fn a_gate_holds_the_reply_until_it_is_opened() {
    let script = Scripted::new();
    let gate = Gate::new();
    script.reply(Reply::new().text("before").gate(&gate).text("after").stop());

    let mut stream = script.stream(request("main", "go")).await.unwrap();
    assert_eq!(
        stream.next().await,
        Some(Ok(StreamEvent::Text("before".to_owned())))
    );
    assert!(futures::poll!(stream.next()).is_pending());
    assert!(gate.is_reached());
    gate.open();

    assert_eq!(
        stream.next().await,
        Some(Ok(StreamEvent::Text("after".to_owned())))
    );
}

#[tokio::test]
async fn refusals_come_before_the_stream_and_errors_inside_it() {
    let script = Scripted::new();
    let broken = ProviderError::new(Fault::InStream, "busy");
    let refused = ProviderError::new(Fault::Unauthorized, "no key");
    script
        .reply(Reply::refused(refused.clone()))
        .reply(Reply::new().text("Par").error(broken.clone()).text("never"))
        .reply(Reply::new().text("cut"));

    assert_eq!(
        script.stream(request("main", "go")).await.err(),
        Some(refused)
    );
    assert_eq!(
        play(&script, "main").await,
        [Ok(StreamEvent::Text("Par".to_owned())), Err(broken)]
    );
    assert_eq!(
        play(&script, "main").await,
        [Ok(StreamEvent::Text("cut".to_owned()))]
    );
}

#[tokio::test]
async fn a_dropped_stream_is_no_longer_open_and_requests_can_be_awaited() {
    let script = Scripted::new();
    let gate = Gate::new();
    script.reply(Reply::new().gate(&gate).stop());

    let stream = script.stream(request("main", "go")).await.unwrap();
    script.asked(1).await;
    assert_eq!(script.open_streams(), 1);
    drop(stream);

    assert_eq!(script.open_streams(), 0);
    assert_eq!(script.requests()[0].messages[0].text(), "go");
}
