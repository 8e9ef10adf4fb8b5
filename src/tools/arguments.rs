//! The one reader of tool arguments, ahead of every tool.
//!
//! Rules: a blank string is a text argument left out (but where an empty string is a value: name such fields in
//! the struct with `#[schemars(extend("x-blank" = true))]`); `null` is the argument left out; a list takes one
//! bare value as a list of one and drops blank entries; an object keeps every entry; whole numbers may be written
//! `2.0`; nothing else is converted. Our names may be spelled in camel case. Unknown fields and wrong types are
//! refused by name, with what was sent and what is expected.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value};

use super::{contract::About, error::ToolError, schema};

/// Applies the rules to the arguments as the model sent them.
pub fn normalize<T: JsonSchema + 'static>(
    about: &About,
    arguments: &Value,
) -> Result<Value, ToolError> {
    let schema = schema::of::<T>();
    let reader = Reader { about };
    let sent = match arguments {
        Value::Null => &Map::new(),
        Value::Object(sent) => sent,
        other => {
            return Err(reader.refuse(&format!(
                "the arguments must be an object, but {} was sent",
                sent_text(other)
            )));
        }
    };
    reader.object("", &schema.internal, sent).map(Value::Object)
}

/// Reads normalised arguments into their struct.
pub fn read<T: DeserializeOwned>(about: &About, arguments: &Value) -> Result<T, ToolError> {
    serde_path_to_error::deserialize(arguments).map_err(|error| {
        ToolError::model(format!(
            "{}: `{}`: {}",
            about.name,
            error.path(),
            error.inner()
        ))
    })
}

struct Reader<'a> {
    about: &'a About,
}

impl Reader<'_> {
    fn refuse(&self, what: &str) -> ToolError {
        ToolError::model(format!("{}: {what}", self.about.name))
    }

    /// An object with known fields.
    fn object(
        &self,
        path: &str,
        schema: &Value,
        sent: &Map<String, Value>,
    ) -> Result<Map<String, Value>, ToolError> {
        let empty = Map::new();
        let properties = schema
            .get("properties")
            .and_then(Value::as_object)
            .unwrap_or(&empty);
        let mut given: Map<String, Value> = Map::new();
        for (key, value) in sent {
            let name = self.own_name(path, properties, key)?;
            let Some(property) = properties.get(name) else {
                continue;
            };
            let Some(value) = self.value(&join(path, name), property, value)? else {
                continue;
            };
            if given.get(name).is_some_and(|earlier| *earlier != value) {
                return Err(self.refuse(&format!(
                    "`{}` was given twice with different values; send it once",
                    join(path, name)
                )));
            }
            given.insert(name.to_owned(), value);
        }
        let required = schema.get("required").and_then(Value::as_array);
        for name in required.into_iter().flatten().filter_map(Value::as_str) {
            if !given.contains_key(name) {
                return Err(self.missing(path, name, properties, sent));
            }
        }
        Ok(given)
    }

    /// Our name for a field as the model spelled it.
    fn own_name<'p>(
        &self,
        path: &str,
        properties: &'p Map<String, Value>,
        key: &str,
    ) -> Result<&'p str, ToolError> {
        let named = |name: &str| {
            properties
                .keys()
                .find(|known| known.as_str() == name)
                .map(String::as_str)
        };
        // A pair holds both ways, since the parts of a list may have the other name: `old` and `old_string`.
        let alias = |same: &dyn Fn(&str) -> bool| {
            self.about.argument_aliases.iter().find_map(|(a, b)| {
                let forth = same(a).then(|| named(b)).flatten();
                forth.or_else(|| same(b).then(|| named(a)).flatten())
            })
        };
        let folded = fold(key);
        named(key)
            .or_else(|| alias(&|theirs| theirs == key))
            .or_else(|| {
                let mut known = properties.keys().map(String::as_str);
                known.find(|known| fold(known) == folded)
            })
            .or_else(|| alias(&|theirs| fold(theirs) == folded))
            .ok_or_else(|| self.unknown(path, properties, key))
    }

    fn unknown(&self, path: &str, properties: &Map<String, Value>, key: &str) -> ToolError {
        let known: Vec<&str> = properties.keys().map(String::as_str).collect();
        let near = similar::get_close_matches(key, &known, 1, 0.6)
            .first()
            .map_or_else(String::new, |near| format!(" Did you mean `{near}`?"));
        let known = if known.is_empty() {
            "It takes none.".to_owned()
        } else {
            format!("Known: {}.", known.join(", "))
        };
        self.refuse(&format!(
            "unknown argument `{}`.{near} {known}",
            join(path, &cut(key))
        ))
    }

    fn missing(
        &self,
        path: &str,
        name: &str,
        properties: &Map<String, Value>,
        sent: &Map<String, Value>,
    ) -> ToolError {
        let expected = properties
            .get(name)
            .map_or_else(|| "a value".to_owned(), expected);
        let blank = sent.iter().any(|(key, value)| {
            value.is_string()
                && self
                    .own_name(path, properties, key)
                    .is_ok_and(|own| own == name)
        });
        let how = if blank { "is blank" } else { "is missing" };
        self.refuse(&format!(
            "`{}` {how}; it must be {expected}",
            join(path, name)
        ))
    }

    /// One value; `None` when it is the argument left out.
    fn value(&self, path: &str, schema: &Value, value: &Value) -> Result<Option<Value>, ToolError> {
        if value.is_null() || is_left_out(schema, value) {
            return Ok(None);
        }
        self.present(path, schema, value).map(Some)
    }

    /// One value that is there, blank or not.
    fn present(&self, path: &str, schema: &Value, value: &Value) -> Result<Value, ToolError> {
        match schema.get("type").and_then(Value::as_str) {
            Some("string") => self.text(path, schema, value),
            Some("boolean") if value.is_boolean() => Ok(value.clone()),
            Some("integer") => self.whole_number(path, schema, value),
            Some("number") if value.is_number() => Ok(value.clone()),
            Some("array") => self.list(path, schema, value),
            Some("object") => self.nested(path, schema, value),
            Some(_) => Err(self.wrong(path, schema, value)),
            None => Ok(value.clone()),
        }
    }

    fn wrong(&self, path: &str, schema: &Value, value: &Value) -> ToolError {
        self.refuse(&format!(
            "`{path}` must be {}, but {} was sent",
            expected(schema),
            sent_text(value)
        ))
    }

    fn text(&self, path: &str, schema: &Value, value: &Value) -> Result<Value, ToolError> {
        let words = schema.get("enum").and_then(Value::as_array);
        if !value.is_string() || words.is_some_and(|words| !words.contains(value)) {
            return Err(self.wrong(path, schema, value));
        }
        Ok(value.clone())
    }

    fn whole_number(&self, path: &str, schema: &Value, value: &Value) -> Result<Value, ToolError> {
        let wrong = || self.wrong(path, schema, value);
        let number = value.as_number().and_then(whole).ok_or_else(wrong)?;
        let (least, most) = bounds(schema);
        if number < least || number > most {
            return Err(wrong());
        }
        let number = i64::try_from(number)
            .map(Number::from)
            .or_else(|_| u64::try_from(number).map(Number::from))
            .map_err(|_| wrong())?;
        Ok(Value::Number(number))
    }

    fn list(&self, path: &str, schema: &Value, value: &Value) -> Result<Value, ToolError> {
        let any = Value::Bool(true);
        let item = schema.get("items").unwrap_or(&any);
        let entries = match value {
            Value::Array(entries) => entries.as_slice(),
            one => std::slice::from_ref(one),
        };
        let mut list = Vec::with_capacity(entries.len());
        for (index, entry) in entries.iter().enumerate() {
            let path = if value.is_array() {
                format!("{path}[{index}]")
            } else {
                path.to_owned()
            };
            if !is_left_out(item, entry) {
                list.push(self.present(&path, item, entry)?);
            }
        }
        Ok(Value::Array(list))
    }

    fn nested(&self, path: &str, schema: &Value, value: &Value) -> Result<Value, ToolError> {
        let Value::Object(sent) = value else {
            return Err(self.wrong(path, schema, value));
        };
        if schema.get("properties").is_some() {
            return self.object(path, schema, sent).map(Value::Object);
        }
        let entry = schema.get("additionalProperties");
        let mut map = Map::new();
        for (key, value) in sent {
            let value = match entry {
                Some(entry) => self.present(&join(path, key), entry, value)?,
                None => value.clone(),
            };
            map.insert(key.clone(), value);
        }
        Ok(Value::Object(map))
    }
}

/// Whether a value is a blank text where a blank text says nothing.
fn is_left_out(schema: &Value, value: &Value) -> bool {
    let takes_text = matches!(
        schema.get("type").and_then(Value::as_str),
        None | Some("string")
    );
    let keeps_blank = schema.get("x-blank") == Some(&Value::Bool(true));
    takes_text && !keeps_blank && value.as_str().is_some_and(|text| text.trim().is_empty())
}

/// A number without a fraction, written with or without a point.
fn whole(number: &Number) -> Option<i128> {
    if let Some(number) = number.as_i64() {
        return Some(number.into());
    }
    if let Some(number) = number.as_u64() {
        return Some(number.into());
    }
    let float = number.as_f64()?;
    // Above 2^53 a float no longer says which whole number was meant.
    (float.fract() == 0.0 && float.abs() <= 9_007_199_254_740_992.0).then_some(float as i128)
}

/// The smallest and largest number that the field takes.
fn bounds(schema: &Value) -> (i128, i128) {
    let (least, most) = match schema.get("format").and_then(Value::as_str) {
        Some("uint8") => (0, u8::MAX.into()),
        Some("uint16") => (0, u16::MAX.into()),
        Some("uint32") => (0, u32::MAX.into()),
        Some("uint" | "uint64") => (0, u64::MAX.into()),
        Some("int32") => (i32::MIN.into(), i32::MAX.into()),
        _ => (i64::MIN.into(), i64::MAX.into()),
    };
    let bound = |name: &str| schema.get(name).and_then(Value::as_number).and_then(whole);
    (
        bound("minimum").map_or(least, |own| own.max(least)),
        bound("maximum").map_or(most, |own| own.min(most)),
    )
}

/// What a field takes, in words.
fn expected(schema: &Value) -> String {
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        return format!("one of {}", words.join(", "));
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("string") => "text".to_owned(),
        Some("boolean") => "true or false".to_owned(),
        Some("integer") => {
            let (least, most) = bounds(schema);
            if schema.get("maximum").is_some() {
                format!("a whole number from {least} to {most}")
            } else if least > i128::from(i32::MIN) {
                format!("a whole number, {least} or more")
            } else {
                "a whole number".to_owned()
            }
        }
        Some("number") => "a number".to_owned(),
        Some("array") => {
            let item = schema.get("items").map(expected);
            item.map_or_else(
                || "a list".to_owned(),
                |item| format!("a list, each entry {item}"),
            )
        }
        Some("object") => match schema.get("properties").and_then(Value::as_object) {
            Some(properties) => {
                let names: Vec<&str> = properties.keys().map(String::as_str).collect();
                format!("an object with {}", names.join(", "))
            }
            None => "an object".to_owned(),
        },
        _ => "a value".to_owned(),
    }
}

/// What was sent, in words.
fn sent_text(value: &Value) -> String {
    let kind = match value {
        Value::Null => return "null".to_owned(),
        Value::Bool(_) => "",
        Value::Number(_) => "the number ",
        Value::String(_) => "the text ",
        Value::Array(_) => "the list ",
        Value::Object(_) => "the object ",
    };
    format!("{kind}{}", cut(&value.to_string()))
}

/// A short form of untrusted text for a refusal.
fn cut(text: &str) -> String {
    const MOST: usize = 80;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    let head: String = text.chars().take(MOST).collect();
    format!("{head}…")
}

/// A name without case and separators, so that `filePath`, `file-path` and `file_path` are one.
fn fold(name: &str) -> String {
    name.chars()
        .filter(|letter| !matches!(letter, '_' | '-' | '.' | ' '))
        .flat_map(char::to_lowercase)
        .collect()
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

#[cfg(test)]
#[path = "arguments_tests.rs"]
mod tests;
