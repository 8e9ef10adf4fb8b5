//! Asking a provider, and what it told.

use std::{sync::Arc, time::Duration};

use futures::StreamExt;
use quarterdeck::{
    domain::{
        chat::{ChatMessage, ContentBlock, ProviderFields, Role},
        ids::{AgentId, CallId},
        model_info::ModelInfo,
        tool::{CallStatus, ToolCall, ToolResult},
        usage::Usage,
    },
    providers::{
        account::{Account, Silence},
        contract::{ChatRequest, FinishReason, Provider, StreamEvent},
        error::ProviderError,
        registry,
    },
};
use serde_json::{Value, json};

/// The wire that these tests ask over.
pub(crate) const BACKEND: &str = "openai-chat-completions";

/// A provider for this address that gives up on silence after half a minute.
pub(crate) fn provider(url: &str) -> Arc<dyn Provider> {
    patient_provider(url, Duration::from_secs(30))
}

/// A provider that gives up on silence after this long.
pub(crate) fn patient_provider(url: &str, patience: Duration) -> Arc<dyn Provider> {
    let mut account = Account::new("test", BACKEND, url);
    account.silence = Silence {
        first: patience,
        between: patience,
    };
    registry::build(&account).unwrap()
}

/// A request with this conversation.
pub(crate) fn request(messages: Vec<ChatMessage>) -> ChatRequest {
    ChatRequest {
        agent: AgentId::main(),
        model: ModelInfo {
            profile: "test".to_owned(),
            backend: BACKEND.to_owned(),
            model_id: "test-model".to_owned(),
            context_window: None,
            max_output_tokens: None,
            price: None,
            is_script: false,
            thinking: quarterdeck::domain::model_info::Thinking::default(),
            media: Default::default(),
        },
        system: Arc::from("be brief"),
        messages: messages.into(),
        tools: Arc::from(Vec::new()),
        media: Default::default(),
    }
}

/// All that came of a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Told {
    /// The words.
    pub(crate) text: String,
    /// The reasoning.
    pub(crate) reasoning: String,
    /// Id, name and arguments of each call in slot order.
    pub(crate) calls: Vec<(String, String, String)>,
    /// The last usage report.
    pub(crate) usage: Option<Usage>,
    /// Number of usage reports.
    pub(crate) usage_reports: usize,
    /// The last private fields.
    pub(crate) private: Option<Value>,
    /// How it ended.
    pub(crate) finish: Option<FinishReason>,
    /// The error that ended it.
    pub(crate) error: Option<ProviderError>,
}

impl Told {
    /// The reply as a chat message, and the results of its calls as the next one.
    pub(crate) fn messages(&self) -> Vec<ChatMessage> {
        let mut blocks = Vec::new();
        if !self.text.is_empty() {
            let text = self.text.clone();
            blocks.push(ContentBlock::Text { text });
        }
        let mut results = Vec::new();
        for (id, name, arguments) in &self.calls {
            let id = CallId::new(id);
            blocks.push(ContentBlock::ToolCall(ToolCall {
                id: id.clone(),
                name: name.clone(),
                arguments: serde_json::from_str(arguments).unwrap_or_else(|_| json!({})),
                malformed: None,
            }));
            let result = ToolResult::plain(id, CallStatus::Done, "done");
            results.push(ContentBlock::ToolResult(result));
        }
        let provider = self.private.clone().map(|fields| ProviderFields {
            backend: BACKEND.to_owned(),
            fields,
        });
        let message = |role, blocks, provider| ChatMessage {
            role,
            blocks,
            provider,
        };
        vec![
            message(Role::Assistant, blocks, provider),
            message(Role::User, results, None),
        ]
    }
}

/// Asks and reads to the end.
pub(crate) async fn ask(provider: &Arc<dyn Provider>, request: ChatRequest) -> Told {
    let mut told = Told::default();
    let mut slots: Vec<(usize, usize)> = Vec::new();
    let mut stream = match provider.stream(request).await {
        Ok(stream) => stream,
        Err(error) => {
            told.error = Some(error);
            return told;
        }
    };
    let mut calls: Vec<(String, String, String)> = Vec::new();
    while let Some(event) = stream.next().await {
        assert_eq!(told.finish, None, "nothing follows the end");
        match event {
            Ok(StreamEvent::Text(text)) => told.text.push_str(&text),
            Ok(StreamEvent::Reasoning(text)) => told.reasoning.push_str(&text),
            Ok(StreamEvent::CallStarted { slot, id, name }) => {
                slots.push((slot, calls.len()));
                calls.push((id, name, String::new()));
            }
            Ok(StreamEvent::CallArguments { slot, fragment }) => {
                let place = slots.iter().find(|(known, _)| *known == slot).unwrap().1;
                calls[place].2.push_str(&fragment);
            }
            Ok(StreamEvent::Usage(usage)) => {
                told.usage = Some(usage);
                told.usage_reports += 1;
            }
            Ok(StreamEvent::Private(fields)) => told.private = Some(fields),
            Ok(StreamEvent::Finished(reason)) => told.finish = Some(reason),
            Err(error) => told.error = Some(error),
        }
    }
    slots.sort_unstable();
    told.calls = slots
        .iter()
        .map(|(_, place)| calls[*place].clone())
        .collect();
    told
}
