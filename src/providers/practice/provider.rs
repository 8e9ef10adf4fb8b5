//! The practice model as a provider: plays the draft of a reply in small pieces at a modest pace.
//!
//! The same request always gives the same events; only the pace between them can be chosen.

use std::{collections::VecDeque, time::Duration};

use futures::{future::BoxFuture, stream};

use super::script;
use crate::{
    domain::model_info::{ModelInfo, Price},
    providers::{
        contract::{ChatRequest, Provider, ReplyStream},
        error::ProviderError,
    },
};

/// Pause between two pieces of a reply on a screen.
const PACE: Duration = Duration::from_millis(14);

/// The practice model.
#[derive(Clone, Debug)]
pub struct Practice {
    pace: Duration,
}

impl Default for Practice {
    fn default() -> Self {
        Self { pace: PACE }
    }
}

impl Practice {
    /// A practice model that pauses this long between two pieces; zero never waits.
    pub fn with_pace(pace: Duration) -> Self {
        Self { pace }
    }

    /// What is known of it.
    pub fn model_info(profile: &str) -> ModelInfo {
        ModelInfo {
            profile: profile.to_owned(),
            backend: "practice".to_owned(),
            model_id: "practice-script".to_owned(),
            context_window: Some(64_000),
            max_output_tokens: Some(4_000),
            price: Some(Price {
                input: 0.0,
                cached: None,
                output: 0.0,
            }),
            is_script: true,
            thinking: crate::domain::model_info::Thinking::default(),
            media: Default::default(),
        }
    }
}

impl Provider for Practice {
    fn stream(
        &self,
        request: ChatRequest,
    ) -> BoxFuture<'static, Result<ReplyStream, ProviderError>> {
        let pace = self.pace;
        Box::pin(async move {
            let events: VecDeque<_> = script::reply(&request).into_events(&request).into();
            let paced = stream::unfold(events, move |mut events| async move {
                let event = events.pop_front()?;
                if !pace.is_zero() {
                    tokio::time::sleep(pace).await;
                }
                Some((Ok(event), events))
            });
            let reply: ReplyStream = Box::pin(paced);
            Ok(reply)
        })
    }
}
