//! Request bodies, whole.

use std::sync::Arc;

use reqwest::Url;

use super::*;
use crate::{
    domain::{
        chat::ProviderFields,
        ids::{AgentId, ArtifactId, CallId},
        media::{Attachment, MediaKind},
        model_info::ModelInfo,
        tool::CallStatus,
    },
    providers::contract::MediaContent,
};

const ORIGIN: &str = "http://127.0.0.1:9/v1/chat/completions";

fn request(messages: Vec<ChatMessage>, tools: Vec<ToolSpec>) -> ChatRequest {
    ChatRequest {
        agent: AgentId::main(),
        model: ModelInfo {
            profile: "p".to_owned(),
            backend: BACKEND.to_owned(),
            model_id: "m".to_owned(),
            context_window: None,
            max_output_tokens: Some(64),
            price: None,
            is_script: false,
            thinking: Thinking::default(),
            media: Default::default(),
        },
        system: Arc::from("be brief"),
        messages: messages.into(),
        tools: tools.into(),
        media: Default::default(),
    }
}

fn body_for(base_url: &str, messages: Vec<ChatMessage>) -> Value {
    let request = request(messages, Vec::new());
    let quirks = Quirks::of(&Url::parse(base_url).unwrap(), "m");
    body(&request, ORIGIN, quirks)
}

#[test]
fn how_to_think_is_sent_where_there_is_a_field_for_it() {
    let fields = |base_url: &str, effort: Option<&str>, enabled| {
        let mut request = request(vec![ChatMessage::user("go")], Vec::new());
        request.model.thinking = Thinking {
            effort: effort.map(str::to_owned),
            enabled,
        };
        let quirks = Quirks::of(&Url::parse(base_url).unwrap(), "m");
        let mut body = body(&request, ORIGIN, quirks);
        let body = body.as_object_mut().unwrap();
        body.retain(|name, _| {
            ["reasoning_effort", "reasoning", "chat_template_kwargs"].contains(&name.as_str())
        });
        json!(body)
    };
    let (local, router) = ("http://127.0.0.1:9/v1", "https://openrouter.ai/api/v1");

    for base_url in [local, router, "https://api.openai.com/v1"] {
        assert_eq!(fields(base_url, None, None), json!({}));
    }
    assert_eq!(
        fields(local, Some("high"), Some(false)),
        json!({"reasoning_effort": "high",
            "chat_template_kwargs": {"enable_thinking": false, "thinking": false}})
    );
    assert_eq!(
        fields(router, Some("high"), Some(true)),
        json!({"reasoning": {"effort": "high", "enabled": true}})
    );
    for base_url in [
        "https://api.openai.com/v1",
        "https://x.openai.azure.com/openai/v1",
        "https://api.mistral.ai/v1",
    ] {
        assert_eq!(
            fields(base_url, Some("low"), Some(true)),
            json!({"reasoning_effort": "low"})
        );
    }
}

fn messages(messages: Vec<ChatMessage>) -> Value {
    let mut body = body_for("http://127.0.0.1:9/v1", messages);
    let messages = body["messages"].as_array_mut().unwrap();
    messages.remove(0);
    body["messages"].take()
}

fn tool_call(id: &str, name: &str, arguments: Value) -> ContentBlock {
    ContentBlock::ToolCall(ToolCall {
        id: CallId::new(id),
        name: name.to_owned(),
        arguments,
        malformed: None,
    })
}

fn model(blocks: Vec<ContentBlock>) -> ChatMessage {
    ChatMessage {
        role: Role::Assistant,
        blocks,
        provider: None,
    }
}

fn person(blocks: Vec<ContentBlock>) -> ChatMessage {
    ChatMessage {
        role: Role::User,
        blocks,
        provider: None,
    }
}

fn result(id: &str, text: &str) -> ContentBlock {
    ContentBlock::ToolResult(ToolResult::plain(CallId::new(id), CallStatus::Done, text))
}

fn words(text: &str) -> ContentBlock {
    ContentBlock::Text {
        text: text.to_owned(),
    }
}

#[test]
fn a_whole_request_is_written_in_the_order_that_servers_want() {
    let tool = ToolSpec {
        name: "file_read".to_owned(),
        description: "Reads a file.".to_owned(),
        schema: json!({"type": "object", "properties": {}}),
    };
    let request = request(vec![ChatMessage::user("hi")], vec![tool]);
    let quirks = Quirks::of(&Url::parse("http://127.0.0.1:9/v1").unwrap(), "m");

    assert_eq!(
        body(&request, ORIGIN, quirks).to_string(),
        json!({
            "model": "m",
            "messages": [
                {"role": "system", "content": "be brief"},
                {"role": "user", "content": "hi"},
            ],
            "tools": [{"type": "function", "function": {
                "name": "file_read",
                "description": "Reads a file.",
                "parameters": {"type": "object", "properties": {}},
            }}],
            "max_tokens": 64,
            "stream": true,
            "stream_options": {"include_usage": true},
        })
        .to_string()
    );
}

#[test]
fn results_stand_behind_their_calls_in_the_order_of_the_calls() {
    let sent = messages(vec![
        ChatMessage::user("go"),
        model(vec![
            words("reading"),
            tool_call("a", "file_read", json!({"path": "x"})),
            tool_call("b", "file_read", json!({})),
        ]),
        person(vec![words("and then?"), result("b", "")]),
        person(vec![result("a", "text of x"), words("hurry")]),
        ChatMessage::assistant("done"),
    ]);

    assert_eq!(
        sent,
        json!([
            {"role": "user", "content": "go"},
            {"role": "assistant", "content": "reading", "tool_calls": [
                {"id": "a", "type": "function",
                    "function": {"name": "file_read", "arguments": "{\"path\":\"x\"}"}},
                {"id": "b", "type": "function", "function": {"name": "file_read", "arguments": "{}"}},
            ]},
            {"role": "tool", "tool_call_id": "a", "content": "text of x"},
            {"role": "tool", "tool_call_id": "b", "content": "(no output)"},
            {"role": "user", "content": "and then?\n\nhurry"},
            {"role": "assistant", "content": "done"},
        ])
    );
}

#[test]
fn malformed_calls_and_made_up_names_are_sent_so_that_they_are_accepted() {
    let malformed = ContentBlock::ToolCall(ToolCall {
        id: CallId::new("a"),
        name: "read file: \"猫\"".to_owned(),
        arguments: json!({}),
        malformed: Some("{\"path\": \"x".to_owned()),
    });
    let sent = messages(vec![
        model(vec![
            malformed,
            tool_call("b", "", json!([1])),
            tool_call("c", &"x".repeat(90), Value::Null),
        ]),
        person(vec![result("a", "1"), result("b", "2"), result("c", "3")]),
    ]);

    let functions: Vec<&Value> = sent[0]["tool_calls"]
        .as_array()
        .unwrap()
        .iter()
        .map(|call| &call["function"])
        .collect();
    assert_eq!(
        functions,
        [
            &json!({"name": "read_file_____", "arguments": "{}"}),
            &json!({"name": "unnamed", "arguments": "{}"}),
            &json!({"name": "x".repeat(64), "arguments": "{}"}),
        ]
    );
    assert_eq!(sent[0]["content"], Value::Null);
}

#[test]
fn messages_that_hold_nothing_to_send_are_left_out() {
    let thought = ContentBlock::Reasoning {
        text: "hm".to_owned(),
    };

    assert_eq!(
        messages(vec![
            ChatMessage::user("one"),
            model(vec![thought]),
            ChatMessage::user(""),
            ChatMessage::user("two"),
        ]),
        json!([{"role": "user", "content": "one"}, {"role": "user", "content": "two"}])
    );
}

#[test]
fn b14_private_fields_go_back_to_the_server_they_came_from_and_to_no_other() {
    let said = |backend: &str, origin: &str| ChatMessage {
        role: Role::Assistant,
        blocks: vec![words("ok"), tool_call("a", "x", json!({}))],
        provider: Some(ProviderFields {
            backend: backend.to_owned(),
            fields: json!({
                "origin": origin,
                "reasoning_content": "plan",
                "reasoning_details": [{"type": "reasoning.encrypted", "data": "z"}],
                "calls": [{"google": {"thought_signature": "s"}}],
            }),
        }),
    };
    let sent = |message| messages(vec![message, person(vec![result("a", "1")])])[0].clone();
    let bare = json!({"role": "assistant", "content": "ok", "tool_calls": [
        {"id": "a", "type": "function", "function": {"name": "x", "arguments": "{}"}},
    ]});
    let mut full = bare.clone();
    full["reasoning_content"] = json!("plan");
    full["reasoning_details"] = json!([{"type": "reasoning.encrypted", "data": "z"}]);
    full["tool_calls"][0]["extra_content"] = json!({"google": {"thought_signature": "s"}});

    assert_eq!(sent(said(BACKEND, ORIGIN)), full);
    assert_eq!(
        sent(said(BACKEND, "http://elsewhere/v1/chat/completions")),
        bare
    );
    assert_eq!(sent(said("anthropic-messages", ORIGIN)), bare);
}

#[test]
fn servers_get_what_they_understand() {
    let ids = |base_url: &str| {
        let body = body_for(
            base_url,
            vec![
                model(vec![tool_call("call_1", "x", json!({}))]),
                person(vec![result("call_1", "1")]),
            ],
        );
        assert_eq!(
            body["messages"][1]["tool_calls"][0]["id"], body["messages"][2]["tool_call_id"],
            "{base_url}"
        );
        (body["messages"][2]["tool_call_id"].clone(), body)
    };

    let (id, body) = ids("https://api.mistral.ai/v1");
    assert_eq!(id.as_str().unwrap().len(), 9);
    assert_eq!(body.get("stream_options"), None);
    let (id, body) = ids("https://api.openai.com/v1");
    assert_eq!(id, json!("call_1"));
    assert_eq!(body["max_completion_tokens"], json!(64));
    assert_eq!(body.get("max_tokens"), None);
}

/// A result with files of three bytes.
fn with_files(id: &str, files: &[(&str, MediaKind, &str, &str)]) -> ContentBlock {
    let mut result = ToolResult::plain(CallId::new(id), CallStatus::Done, format!("of {id}"));
    result.attachments = files
        .iter()
        .map(|(id, kind, mime, name)| Attachment {
            id: ArtifactId::new(id),
            kind: *kind,
            mime: (*mime).to_owned(),
            bytes: 3,
            name: (*name).to_owned(),
        })
        .collect();
    ContentBlock::ToolResult(result)
}

#[test]
fn files_follow_all_results_in_one_turn_with_the_words() {
    let call = |id: &str| {
        ContentBlock::ToolCall(ToolCall {
            id: CallId::new(id),
            name: "file_read".to_owned(),
            arguments: json!({}),
            malformed: None,
        })
    };
    let message = |role, blocks| ChatMessage {
        role,
        blocks,
        provider: None,
    };
    let answers = vec![
        with_files("a", &[("1", MediaKind::Image, "image/png", "x/a.png")]),
        with_files(
            "b",
            &[
                ("2", MediaKind::Pdf, "application/pdf", "x/b.pdf"),
                ("3", MediaKind::Video, "video/mp4", "c.mp4"),
                ("4", MediaKind::Image, "image/png", "gone.png"),
            ],
        ),
    ];
    let mut request = request(
        vec![
            message(Role::Assistant, vec![call("a"), call("b")]),
            message(Role::User, answers),
            ChatMessage::user("what is it?"),
        ],
        Vec::new(),
    );
    let mut content = MediaContent::default();
    for (id, bytes) in [("1", b"one"), ("2", b"two"), ("3", b"six")] {
        content.0.insert(ArtifactId::new(id), bytes.to_vec());
    }
    request.media = content.into();
    let quirks = Quirks::of(&Url::parse("http://127.0.0.1:9/v1").unwrap(), "m");

    let body = body(&request, ORIGIN, quirks);

    let sent = body["messages"].as_array().unwrap();
    assert_eq!(sent.len(), 5);
    assert_eq!(sent[2]["content"], "of a");
    assert_eq!(sent[3]["content"], "of b");
    assert_eq!(
        sent[4],
        json!({"role": "user", "content": [
            {"type": "text", "text": "[x/a.png]"},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,b25l"}},
            {"type": "text", "text": "[x/b.pdf]"},
            {"type": "file", "file": {
                "filename": "b.pdf",
                "file_data": "data:application/pdf;base64,dHdv"
            }},
            {"type": "text", "text": "[c.mp4]"},
            {"type": "video_url", "video_url": {"url": "data:video/mp4;base64,c2l4"}},
            {"type": "text", "text": "[gone.png could not be read again and is not shown]"},
            {"type": "text", "text": "what is it?"},
        ]})
    );
}
