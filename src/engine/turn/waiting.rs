//! Delays before another attempt, and pieces of a stream joined before they are handled.

use std::time::Duration;

use super::input::Input;
use crate::providers::{contract::StreamEvent, error::ProviderError, retry::RetryPolicy};

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
