//! Reasoning: shown as it comes, and kept as it came, since some servers want it back on the message.
//!
//! What is kept is bound to the server it came from: another server on the same wire never gets it.

use serde_json::{Map, Value, json};

use super::chunk::Delta;

/// The key under which the server's address is kept beside its fields.
const ORIGIN: &str = "origin";
/// The key of fields that belong to single calls.
pub(super) const CALLS: &str = "calls";

/// The reasoning of a reply so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Reasoning {
    content: String,
    plain: String,
    details: Vec<Value>,
    changed: bool,
}

impl Reasoning {
    /// Whether anything came since this was last asked.
    pub(super) fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// Takes what is new; the result is what a person is shown.
    pub(super) fn push(&mut self, delta: &mut Delta) -> String {
        let content = std::mem::take(&mut delta.reasoning_content.0);
        let plain = std::mem::take(&mut delta.reasoning.0);
        self.content.push_str(&content);
        self.plain.push_str(&plain);
        self.changed |= !content.is_empty() || !plain.is_empty();
        if let Some(Value::Array(details)) = delta.reasoning_details.take() {
            self.changed |= !details.is_empty();
            for detail in details {
                self.push_detail(detail);
            }
        }
        // Servers that send both fields send the same words twice.
        if content.is_empty() { plain } else { content }
    }

    /// Joins a part to the one that it continues.
    fn push_detail(&mut self, detail: Value) {
        let same = |name: &str, other: &Value| detail.get(name) == other.get(name);
        let continued = self.details.last_mut().filter(|last| {
            matches!(
                detail.get("type").and_then(Value::as_str),
                Some("reasoning.text" | "reasoning.summary")
            ) && same("type", last)
                && same("index", last)
        });
        let (Some(Value::Object(last)), Value::Object(new)) = (continued, &detail) else {
            self.details.push(detail);
            return;
        };
        for (name, value) in new {
            match (last.get_mut(name), value) {
                (Some(Value::String(text)), Value::String(more))
                    if name == "text" || name == "summary" =>
                {
                    text.push_str(more);
                }
                (_, Value::Null) => {}
                _ => {
                    last.insert(name.clone(), value.clone());
                }
            }
        }
    }

    /// What has to be sent back on this message; `None` when nothing has.
    pub(super) fn private(&self, origin: &str, call_extras: Option<Value>) -> Option<Value> {
        let mut fields = Map::new();
        if !self.content.is_empty() {
            fields.insert("reasoning_content".to_owned(), json!(self.content));
        }
        if !self.plain.is_empty() {
            fields.insert("reasoning".to_owned(), json!(self.plain));
        }
        if !self.details.is_empty() {
            fields.insert("reasoning_details".to_owned(), json!(self.details));
        }
        if let Some(extras) = call_extras {
            fields.insert(CALLS.to_owned(), extras);
        }
        (!fields.is_empty()).then(|| {
            fields.insert(ORIGIN.to_owned(), json!(origin));
            Value::Object(fields)
        })
    }
}

/// The kept fields of a message, when they came from this server.
pub(super) fn replayed<'a>(fields: &'a Value, origin: &str) -> Option<&'a Map<String, Value>> {
    fields
        .as_object()
        .filter(|fields| fields.get(ORIGIN).and_then(Value::as_str) == Some(origin))
}

/// Fields of the message itself.
pub(super) fn message_fields(
    fields: &Map<String, Value>,
) -> impl Iterator<Item = (&String, &Value)> {
    fields
        .iter()
        .filter(|(name, _)| name.as_str() != ORIGIN && name.as_str() != CALLS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delta(value: Value) -> Delta {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn parts_are_joined_and_kept_with_their_origin() {
        let mut reasoning = Reasoning::default();
        let text = |text: &str| json!({"type": "reasoning.text", "text": text, "index": 0});
        let sealed = json!({"type": "reasoning.encrypted", "data": "x", "index": 1});
        let mut shown = String::new();
        for value in [
            json!({"reasoning": "pl", "reasoning_details": [text("pl")]}),
            json!({"reasoning": "an", "reasoning_details": [text("an")]}),
            json!({"reasoning_details": [
                {"type": "reasoning.text", "text": "", "signature": "s", "index": 0}, sealed,
            ]}),
        ] {
            shown.push_str(&reasoning.push(&mut delta(value)));
        }

        assert_eq!(shown, "plan");
        let private = reasoning.private("http://a/v1", None).unwrap();
        assert_eq!(
            private,
            json!({
                "reasoning": "plan",
                "reasoning_details": [
                    {"type": "reasoning.text", "text": "plan", "index": 0, "signature": "s"},
                    {"type": "reasoning.encrypted", "data": "x", "index": 1},
                ],
                "origin": "http://a/v1",
            })
        );
        assert!(replayed(&private, "http://b/v1").is_none());
        let names: Vec<_> = message_fields(replayed(&private, "http://a/v1").unwrap())
            .map(|(name, _)| name.as_str())
            .collect();
        assert_eq!(names, ["reasoning", "reasoning_details"]);
    }

    #[test]
    fn words_that_come_in_both_fields_are_shown_once() {
        let mut reasoning = Reasoning::default();

        let shown = reasoning.push(&mut delta(
            json!({"reasoning_content": "a", "reasoning": "a"}),
        ));

        assert_eq!(shown, "a");
        assert_eq!(Reasoning::default().private("x", None), None);
    }
}
