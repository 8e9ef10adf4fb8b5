//! One event of the stream, read without trusting it.
//!
//! Only the frame is typed; a field of the wrong type counts as absent, since servers differ in everything but
//! the words themselves.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{self, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::Value;

/// One event, or a whole reply that was not streamed.
#[derive(Debug, Deserialize)]
pub(super) struct Chunk {
    /// The choices; `None` when the field is absent or null.
    #[serde(default)]
    pub(super) choices: Option<Vec<Choice>>,
    /// The usage report.
    #[serde(default)]
    pub(super) usage: Option<Value>,
    /// An error.
    #[serde(default)]
    pub(super) error: Option<Value>,
}

/// One choice.
#[derive(Debug, Deserialize)]
pub(super) struct Choice {
    /// Its place; only the first is ours.
    #[serde(default)]
    pub(super) index: Option<Value>,
    /// What is new.
    #[serde(default)]
    pub(super) delta: Option<Delta>,
    /// The whole message of a reply that was not streamed.
    #[serde(default)]
    pub(super) message: Option<Delta>,
    /// Why it ended.
    #[serde(default)]
    pub(super) finish_reason: Words,
    /// An error of this choice.
    #[serde(default)]
    pub(super) error: Option<Value>,
}

/// What is new.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Delta {
    /// Words of the answer.
    #[serde(default)]
    pub(super) content: Content,
    /// Reasoning, as most servers call it.
    #[serde(default)]
    pub(super) reasoning_content: Words,
    /// Reasoning, as others call it.
    #[serde(default)]
    pub(super) reasoning: Words,
    /// Reasoning in parts, some of them encrypted.
    #[serde(default)]
    pub(super) reasoning_details: Option<Value>,
    /// Words of a refusal.
    #[serde(default)]
    pub(super) refusal: Words,
    /// Fragments of tool calls.
    #[serde(default)]
    pub(super) tool_calls: Option<Value>,
    /// A fragment of a call in the old form.
    #[serde(default)]
    pub(super) function_call: Option<Value>,
}

/// Words of the answer; where they come in parts, some of these may be reasoning.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Content {
    /// The words.
    pub(super) words: String,
    /// The reasoning among them.
    pub(super) thinking: String,
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut content = Self::default();
        match Value::deserialize(deserializer)? {
            Value::String(words) => content.words = words,
            Value::Array(parts) => parts.into_iter().for_each(|part| content.take(part)),
            part => content.take(part),
        }
        Ok(content)
    }
}

impl Content {
    fn take(&mut self, mut part: Value) {
        let thinking = part.get_mut("thinking").map(Value::take);
        self.thinking.push_str(&words(thinking.unwrap_or_default()));
        self.words.push_str(&words(part));
    }
}

fn words(value: Value) -> String {
    serde_json::from_value::<Words>(value).unwrap_or_default().0
}

/// A text, whatever it was wrapped in; empty when there is none.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Words(pub(super) String);

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WordsVisitor).map(Self)
    }
}

struct WordsVisitor;

impl<'de> Visitor<'de> for WordsVisitor {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text, parts of a text, or null")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<String, E> {
        Ok(text.to_owned())
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<String, E> {
        Ok(text)
    }

    fn visit_unit<E: de::Error>(self) -> Result<String, E> {
        Ok(String::new())
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<String, E> {
        Ok(String::new())
    }

    fn visit_i64<E: de::Error>(self, _: i64) -> Result<String, E> {
        Ok(String::new())
    }

    fn visit_u64<E: de::Error>(self, _: u64) -> Result<String, E> {
        Ok(String::new())
    }

    fn visit_f64<E: de::Error>(self, _: f64) -> Result<String, E> {
        Ok(String::new())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<String, A::Error> {
        let mut joined = String::new();
        while let Some(Words(part)) = parts.next_element()? {
            joined.push_str(&part);
        }
        Ok(joined)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<String, A::Error> {
        let mut text = String::new();
        while let Some(name) = fields.next_key::<String>()? {
            if name == "text" {
                text = fields.next_value::<Words>()?.0;
            } else {
                fields.next_value::<IgnoredAny>()?;
            }
        }
        Ok(text)
    }
}

/// Whether an object reports an error, in any of the usual forms.
pub(super) fn is_error(value: &Value) -> bool {
    value.get("error").is_some_and(|error| !error.is_null())
        || ["object", "type"]
            .iter()
            .any(|name| value.get(name).and_then(Value::as_str) == Some("error"))
}

impl Choice {
    /// Whether this is the reply that was asked for and not a further variant.
    pub(super) fn is_first(&self) -> bool {
        self.index
            .as_ref()
            .and_then(Value::as_u64)
            .is_none_or(|index| index == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(json: &str) -> String {
        let chunk: Chunk = serde_json::from_str(json).unwrap();
        let choice = chunk.choices.unwrap().remove(0);
        choice.delta.unwrap().content.words
    }

    #[test]
    fn reasoning_among_the_parts_of_an_answer_is_told_apart() {
        let delta: Delta = serde_json::from_str(
            r#"{"content":[{"type":"thinking","thinking":[{"type":"text","text":"h"},{"type":"text","text":"m"}]},
                {"type":"text","text":"hi"},{"type":"reference","reference_ids":[1]}]}"#,
        )
        .unwrap();

        let expected = Content {
            words: "hi".to_owned(),
            thinking: "hm".to_owned(),
        };
        assert_eq!(delta.content, expected);
    }

    #[test]
    fn words_are_read_in_every_wrapping_and_odd_types_are_nothing() {
        for (json, expected) in [
            (r#""hi""#, "hi"),
            ("null", ""),
            ("7", ""),
            ("-7", ""),
            ("7.5", ""),
            ("true", ""),
            (r#"[{"type":"text","text":"h"},"i",null]"#, "hi"),
            (r#"{"type":"text","text":"hi","x":[1]}"#, "hi"),
            ("{}", ""),
        ] {
            let chunk = format!(r#"{{"choices":[{{"delta":{{"content":{json}}}}}]}}"#);
            assert_eq!(content(&chunk), expected, "{json}");
        }
    }

    #[test]
    fn absent_and_null_fields_are_the_same() {
        for json in ["{}", r#"{"choices":null,"usage":null,"error":null}"#] {
            let chunk: Chunk = serde_json::from_str(json).unwrap();
            assert!(chunk.choices.is_none() && chunk.usage.is_none() && chunk.error.is_none());
        }
    }
}
