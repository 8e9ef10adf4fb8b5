//! A tool of the configuration: a command whose arguments the model fills in.
//!
//! An entry of the command is one argument of the program, whatever the values are: a value never becomes two, and no
//! shell reads it.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::domain::permission::Level;

/// A tool of the configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct DeclaredTool {
    /// Its name.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// What it takes.
    pub parameters: Vec<Parameter>,
    /// The program, then its arguments, with placeholders.
    pub command: Vec<String>,
    /// What the program reads.
    pub input: ToolInput,
    /// How long it may take, in milliseconds; the limit of commands when there is none.
    pub timeout_ms: Option<u64>,
    /// The level that it needs at least.
    pub level: Level,
    /// How what it prints looks.
    pub output: OutputForm,
}

/// What a declared tool takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: ParameterKind,
    /// What it means, for the model.
    pub description: String,
    /// The values that are possible; all when there are none.
    pub choices: Vec<Value>,
    /// What holds when it is left out.
    pub default: Option<Value>,
    /// Whether it may be left out.
    pub optional: bool,
}

/// A type of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// A text.
    String,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// True or false.
    Boolean,
}

/// What the program of a declared tool reads on its standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolInput {
    /// Nothing.
    Nothing,
    /// A text with placeholders.
    Text(String),
    /// All arguments, as a JSON object.
    Arguments,
}

/// How what a program prints looks to the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputForm {
    /// As in a terminal.
    Terminal,
    /// As Markdown.
    Markdown,
}

impl ParameterKind {
    /// Every type, with the name that the configuration gives it.
    pub const ALL: [(&'static str, Self); 4] = [
        ("string", Self::String),
        ("integer", Self::Integer),
        ("number", Self::Number),
        ("boolean", Self::Boolean),
    ];

    /// Its name in the configuration and in a schema.
    pub fn name(self) -> &'static str {
        let named = Self::ALL.iter().find(|(_, kind)| *kind == self);
        named.map_or("", |(name, _)| *name)
    }

    /// A value of this type, as near as what was sent is to one: a text of digits is a number, a number is a text.
    pub fn read(self, sent: &Value) -> Option<Value> {
        match (self, sent) {
            (Self::String, Value::String(_)) | (Self::Boolean, Value::Bool(_)) => {
                Some(sent.clone())
            }
            (Self::String, Value::Number(_) | Value::Bool(_)) => Some(sent.to_string().into()),
            (Self::Boolean, Value::String(text)) => {
                let word = text.trim().to_ascii_lowercase();
                word.parse().ok().map(Value::Bool)
            }
            (Self::Integer, Value::Number(number)) => match number.as_f64() {
                _ if number.is_i64() || number.is_u64() => Some(sent.clone()),
                // Beyond this not every whole number is one of the format.
                Some(float) if float.fract() == 0.0 && float.abs() < 9_007_199_254_740_992.0 => {
                    Some((float as i64).into())
                }
                _ => None,
            },
            (Self::Number, Value::Number(_)) => Some(sent.clone()),
            (Self::Integer | Self::Number, Value::String(text)) => {
                let number: serde_json::Number = text.trim().parse().ok()?;
                self.read(&Value::Number(number))
            }
            _ => None,
        }
    }
}

/// A value as an argument of a program: whole numbers without a point, numbers without an exponent.
pub fn rendered(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_f64() => number
            .as_f64()
            .map_or_else(String::new, |float| float.to_string()),
        other => other.to_string(),
    }
}

/// A part of an entry of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// As it stands.
    Text(&'a str),
    /// The value of a parameter.
    Placeholder(&'a str),
}

/// The parts of an entry. What stands in double braces and is no name is text: other programs have templates too.
pub fn parts(entry: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let (mut text_from, mut from) = (0, 0);
    while let Some(open) = entry.get(from..).and_then(|rest| rest.find("{{")) {
        let start = from + open;
        let inside = entry.get(start + 2..).unwrap_or_default();
        let name = inside
            .split("}}")
            .next()
            .filter(|name| is_name(name) && inside.len() > name.len());
        let Some(name) = name else {
            from = start + 1;
            continue;
        };
        if start > text_from {
            parts.push(Part::Text(entry.get(text_from..start).unwrap_or_default()));
        }
        parts.push(Part::Placeholder(name));
        from = start + name.len() + 4;
        text_from = from;
    }
    if text_from < entry.len() {
        parts.push(Part::Text(entry.get(text_from..).unwrap_or_default()));
    }
    parts
}

/// Whether a text may name a parameter or a tool.
pub fn is_name(text: &str) -> bool {
    let first = text.chars().next();
    first.is_some_and(|letter| letter.is_ascii_alphabetic() || letter == '_')
        && text.len() <= 64
        && text
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

impl DeclaredTool {
    /// Names in placeholders, of the command and of the input.
    pub fn placeholders(&self) -> impl Iterator<Item = &str> {
        let input = match &self.input {
            ToolInput::Text(text) => Some(text.as_str()),
            ToolInput::Nothing | ToolInput::Arguments => None,
        };
        let entries = self.command.iter().map(String::as_str).chain(input);
        entries.flat_map(parts).filter_map(|part| match part {
            Part::Placeholder(name) => Some(name),
            Part::Text(_) => None,
        })
    }

    /// The program and its arguments with these values. An entry that is nothing but the placeholder of a value that was
    /// left out is left out too.
    pub fn argv(&self, values: &BTreeMap<String, String>) -> Vec<String> {
        let entries = self.command.iter().map(|entry| parts(entry));
        entries
            .filter(|parts| match parts.as_slice() {
                [Part::Placeholder(name)] => values.contains_key(*name),
                _ => true,
            })
            .map(|parts| filled(&parts, values))
            .collect()
    }

    /// What the program reads with these values; `arguments` are all of them.
    pub fn reads(&self, values: &BTreeMap<String, String>, arguments: &Value) -> Option<String> {
        match &self.input {
            ToolInput::Nothing => None,
            ToolInput::Text(text) => Some(filled(&parts(text), values)),
            ToolInput::Arguments => Some(arguments.to_string()),
        }
    }
}

fn filled(parts: &[Part<'_>], values: &BTreeMap<String, String>) -> String {
    let parts = parts.iter().map(|part| match part {
        Part::Text(text) => *text,
        Part::Placeholder(name) => values.get(*name).map_or("", String::as_str),
    });
    parts.collect()
}

#[cfg(test)]
#[path = "declared_tests.rs"]
mod tests;
