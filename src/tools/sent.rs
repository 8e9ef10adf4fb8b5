//! The text of arguments as a model sent it, read as a JSON object.
//!
//! A name that stands twice in one object with different values is refused: readers of JSON differ in which one they
//! take, so what a person was shown might not be what the model meant.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::text::truncate::head;

/// Most of a text that a refusal shows.
const SHOWN: usize = 200;

/// Why a text is no arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// Not JSON, not whole, or not an object.
    NotAnObject,
    /// Nested deeper than anything that a tool takes.
    TooDeep,
    /// A number that no field can hold.
    TooLarge,
    /// This name stands twice in one object, with different values.
    Twice(String),
}

/// Reads the text.
pub fn parse(text: &str) -> Result<Map<String, Value>, Unread> {
    let mut twice = None;
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let read = Unique(&mut twice).deserialize(&mut deserializer);
    match (
        read.and_then(|value| deserializer.end().map(|()| value)),
        twice,
    ) {
        (Ok(Value::Object(object)), _) => Ok(object),
        (Ok(_), _) => Err(Unread::NotAnObject),
        (Err(_), Some(name)) => Err(Unread::Twice(name)),
        (Err(error), None) => {
            // The library tells its reasons apart in words only.
            let words = error.to_string();
            Err(if words.starts_with("recursion limit exceeded") {
                Unread::TooDeep
            } else if words.starts_with("number out of range") {
                Unread::TooLarge
            } else {
                Unread::NotAnObject
            })
        }
    }
}

/// What the model is told of a text that could not be read.
pub fn refusal(tool: &str, text: &str) -> String {
    let what = match parse(text.trim()) {
        Err(Unread::Twice(name)) => {
            return format!(
                "{tool}: `{}` was given twice with different values; send it once",
                head(&name, SHOWN)
            );
        }
        Err(Unread::TooDeep) => "nested too deeply",
        Err(Unread::TooLarge) => "not to be read, since a number is too large",
        Ok(_) | Err(Unread::NotAnObject) => "not a JSON object",
    };
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    format!("{tool}: the arguments are {what}: {shown}")
}

/// Reads any JSON; takes note of the first name that stands twice.
struct Unique<'a>(&'a mut Option<String>);

impl<'de> DeserializeSeed<'de> for Unique<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Unique<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sent: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(value) = sent.next_element_seed(Unique(&mut *self.0))? {
            list.push(value);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut sent: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = sent.next_key::<String>()? {
            let value = sent.next_value_seed(Unique(&mut *self.0))?;
            if object.get(&name).is_some_and(|earlier| *earlier != value) {
                *self.0 = Some(name);
                return Err(A::Error::custom("a name stands twice"));
            }
            object.insert(name, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Unread, parse};

    #[test]
    fn whatever_json_can_say_is_read_as_it_stands() {
        let text = r#"{"a": null, "b": [true, -1, 18446744073709551615, 2.5, "\u00e9\n"], "c": {"d": {}}}"#;

        assert_eq!(
            parse(text).map(Value::Object),
            Ok(serde_json::from_str(text).unwrap())
        );
    }

    #[test]
    fn a_name_that_stands_twice_must_mean_the_same() {
        let twice = |name: &str| Err(Unread::Twice(name.to_owned()));
        let table = [
            (r#"{"a": 1, "a": 1}"#, Ok(json!({"a": 1}))),
            (
                r#"{"a": 1, "b": {"a": 2}}"#,
                Ok(json!({"a": 1, "b": {"a": 2}})),
            ),
            (r#"{"a": 1, "a": 2}"#, twice("a")),
            (r#"{"a": 1, "a": null}"#, twice("a")),
            (r#"{"a": 1, "\u0061": 2}"#, twice("a")),
            (
                r#"{"list": [{"old": "x"}, {"old": "x", "old": "y"}]}"#,
                twice("old"),
            ),
            // Whatever comes behind it.
            (r#"{"a": 1, "a": 2, "b": "#, twice("a")),
        ];

        for (text, expected) in table {
            assert_eq!(parse(text).map(Value::Object), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_object_is_told_apart() {
        let nested =
            |depth: usize| format!("{{\"a\": {}{}}}", "[".repeat(depth), "]".repeat(depth));
        for (text, expected) in [
            ("", Unread::NotAnObject),
            ("[1]", Unread::NotAnObject),
            ("\"{}\"", Unread::NotAnObject),
            ("{} {}", Unread::NotAnObject),
            ("{\"a\": 1", Unread::NotAnObject),
            ("{\"a\": NaN}", Unread::NotAnObject),
            ("{\"a\": 1e400}", Unread::TooLarge),
            (&nested(10_000), Unread::TooDeep),
        ] {
            assert_eq!(parse(text), Err(expected), "{text:.40}");
        }
        assert!(parse(&nested(100)).is_ok());
        // No whole number is too long to be read; whether a field takes it is for its reader.
        assert!(parse(&format!("{{\"a\": {}}}", "9".repeat(300))).is_ok());
    }
}
