//! A request of its own to the model: the older part of a conversation in, a summary out.

use futures::StreamExt as _;
use std::sync::Arc;

use crate::{
    domain::{chat::ChatMessage, ids::AgentId, usage::Usage},
    engine::{options::OpenedProfile, prompt::system},
    providers::contract::{ChatRequest, FinishReason, StreamEvent},
};

/// Most bytes of a summary; more is no summary.
const MOST_BYTES: usize = 256 * 1024;

/// What came of it.
pub(super) struct Written {
    pub(super) summary: Result<String, String>,
    pub(super) usage: Usage,
}

impl Written {
    /// Nobody was asked, or the answer is not wanted any more.
    pub(super) fn nothing(why: &str) -> Self {
        Self {
            summary: Err(why.to_owned()),
            usage: Usage::default(),
        }
    }
}

/// Has the model summarise a transcript. The wire bounds its silence; dropping the future ends the request.
pub(super) async fn write(
    profile: OpenedProfile,
    agent: AgentId,
    transcript: String,
    focus: String,
) -> Written {
    let mut asked = format!("<conversation>\n{transcript}\n</conversation>\n\nWrite the summary.");
    if !focus.trim().is_empty() {
        asked.push_str(&format!(
            "\nWhat matters most to the person: {}",
            focus.trim()
        ));
    }
    let request = ChatRequest {
        agent,
        model: profile.model,
        system: system::SUMMARY.into(),
        messages: Arc::from([ChatMessage::user(asked)]),
        tools: Arc::default(),
        media: Arc::default(),
    };
    let mut usage = Usage::default();
    let summary = async {
        let failed = |error: crate::providers::error::ProviderError| error.message;
        let mut stream = profile.provider.stream(request).await.map_err(failed)?;
        let mut text = String::new();
        let mut finish = None;
        while let Some(event) = stream.next().await {
            match event.map_err(failed)? {
                StreamEvent::Text(piece) => text.push_str(&piece),
                StreamEvent::Usage(used) => usage = used,
                StreamEvent::Finished(reason) => finish = Some(reason),
                _ => {}
            }
            if text.len() > MOST_BYTES {
                return Err("the summary has no end".to_owned());
            }
        }
        match finish {
            Some(FinishReason::Stop) => Ok(text),
            Some(FinishReason::OutputLimit) => {
                Err("the summary was cut by the output limit".to_owned())
            }
            Some(FinishReason::Refused) => {
                Err("the provider refused to write a summary".to_owned())
            }
            Some(FinishReason::ToolCalls) => {
                Err("the model called a tool instead of summarising".to_owned())
            }
            None => Err("the connection ended before the summary did".to_owned()),
        }
    }
    .await;
    Written { summary, usage }
}
