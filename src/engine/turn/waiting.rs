//! What an agent waits for: a reply and its pieces, joined before they are handled, and the time of another attempt.

use std::time::{Duration, Instant};

use futures::{StreamExt, future::BoxFuture, stream::ReadyChunks};
use tokio_util::sync::CancellationToken;

use super::input::Input;
use crate::providers::{
    contract::{ReplyStream, StreamEvent},
    error::ProviderError,
    retry::RetryPolicy,
};

/// Stream events that are taken at once.
const CHUNK: usize = 512;

/// What an agent waits for.
#[derive(Default)]
pub(super) struct Waits {
    /// Over when the provider is asked again.
    pub(super) retry: Option<BoxFuture<'static, ()>>,
    /// Over when the goal may go on.
    pub(super) goal: Option<BoxFuture<'static, ()>>,
    /// Ends a request for a summary.
    pub(super) summary: CancellationToken,
    /// Ends the hooks that run.
    pub(super) hooks: CancellationToken,
}

impl Waits {
    /// Ends with the first of them, which is over then.
    pub(super) async fn over(&mut self) -> Vec<Input> {
        tokio::select! {
            () = maybe(&mut self.retry) => {
                self.retry = None;
                vec![Input::WaitElapsed]
            }
            () = maybe(&mut self.goal) => {
                self.goal = None;
                Vec::new()
            }
        }
    }
}

/// A request to the provider.
pub(super) enum Request {
    None,
    Sent(BoxFuture<'static, Result<ReplyStream, ProviderError>>),
    Streaming(ReadyChunks<ReplyStream>),
}

/// How long to wait after `tries` sent requests.
pub fn delay(tries: u32, error: &ProviderError) -> Duration {
    let policy = RetryPolicy::default();
    policy
        .wait(tries, error, fraction())
        .unwrap_or(policy.longest)
}

/// A fraction from 0 to 1 that differs from call to call.
fn fraction() -> f64 {
    let bytes = uuid::Uuid::new_v4().into_bytes();
    f64::from(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])) / f64::from(u32::MAX)
}

/// Stream events as inputs; neighbouring pieces of the same kind are joined.
pub fn merged(events: Vec<Result<StreamEvent, ProviderError>>) -> Vec<Input> {
    let mut inputs: Vec<Input> = Vec::with_capacity(events.len().min(16));
    for event in events {
        let event = match event {
            Ok(event) => event,
            Err(error) => {
                inputs.push(Input::StreamFailed(error));
                continue;
            }
        };
        let joined = match (inputs.last_mut(), &event) {
            (Some(Input::Streamed(StreamEvent::Text(before))), StreamEvent::Text(text))
            | (
                Some(Input::Streamed(StreamEvent::Reasoning(before))),
                StreamEvent::Reasoning(text),
            ) => {
                before.push_str(text);
                true
            }
            (
                Some(Input::Streamed(StreamEvent::CallArguments { slot, fragment })),
                StreamEvent::CallArguments {
                    slot: next,
                    fragment: more,
                },
            ) if slot == next => {
                fragment.push_str(more);
                true
            }
            _ => false,
        };
        if !joined {
            inputs.push(Input::Streamed(event));
        }
    }
    inputs
}

async fn maybe(wait: &mut Option<BoxFuture<'static, ()>>) {
    match wait {
        Some(wait) => wait.await,
        None => futures::future::pending().await,
    }
}

pub(super) async fn until(due: Option<Instant>) {
    match due {
        Some(due) => tokio::time::sleep_until(due.into()).await,
        None => futures::future::pending().await,
    }
}

/// What the request says next. The stream is dropped as soon as it ends or fails.
pub(super) async fn next_of(request: &mut Request) -> Vec<Input> {
    match request {
        Request::None => futures::future::pending().await,
        Request::Sent(accepted) => match accepted.await {
            Ok(stream) => {
                *request = Request::Streaming(stream.ready_chunks(CHUNK));
                vec![Input::Accepted]
            }
            Err(error) => {
                *request = Request::None;
                vec![Input::StreamFailed(error)]
            }
        },
        Request::Streaming(stream) => match stream.next().await {
            Some(events) => merged(events),
            None => {
                *request = Request::None;
                vec![Input::StreamEnded]
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_of_a_kind_are_joined_and_order_is_kept() {
        let text = |text: &str| Ok(StreamEvent::Text(text.to_owned()));
        let arguments = |slot, fragment: &str| {
            Ok(StreamEvent::CallArguments {
                slot,
                fragment: fragment.to_owned(),
            })
        };

        let inputs = merged(vec![
            text("a"),
            text("b"),
            arguments(0, "{"),
            arguments(1, "["),
            arguments(1, "]"),
            text("c"),
        ]);

        assert_eq!(
            inputs,
            [
                Input::Streamed(StreamEvent::Text("ab".to_owned())),
                Input::Streamed(StreamEvent::CallArguments {
                    slot: 0,
                    fragment: "{".to_owned()
                }),
                Input::Streamed(StreamEvent::CallArguments {
                    slot: 1,
                    fragment: "[]".to_owned()
                }),
                Input::Streamed(StreamEvent::Text("c".to_owned())),
            ]
        );
    }
}
