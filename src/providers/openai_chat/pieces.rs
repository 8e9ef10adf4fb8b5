//! Pieces of a reply, joined as they are given.

use crate::providers::contract::StreamEvent;

/// Adds an event; a piece that continues the one before is joined to it, an empty one is dropped.
pub(super) fn add(events: &mut Vec<StreamEvent>, event: StreamEvent) {
    match (events.last_mut(), event) {
        (_, StreamEvent::Text(text) | StreamEvent::Reasoning(text)) if text.is_empty() => {}
        (Some(StreamEvent::Text(text)), StreamEvent::Text(more))
        | (Some(StreamEvent::Reasoning(text)), StreamEvent::Reasoning(more)) => {
            text.push_str(&more);
        }
        (
            Some(StreamEvent::CallArguments { slot, fragment }),
            StreamEvent::CallArguments {
                slot: other,
                fragment: more,
            },
        ) if *slot == other => fragment.push_str(&more),
        (_, event) => events.push(event),
    }
}
