//! One entry of a list of tables: its keys, and what is wrong with them.

use toml_edit::{Item, TableLike, Value};

use crate::config::{
    error::{ConfigError, Origin},
    nearest::nearest,
};

/// Why a value is wrong.
pub(in crate::config) struct Reason {
    problem: String,
    hint: Option<String>,
}

impl Reason {
    pub(in crate::config) fn new(problem: impl Into<String>) -> Self {
        Self {
            problem: problem.into(),
            hint: None,
        }
    }

    pub(in crate::config) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Names the key in front of what is wrong with it.
    pub(in crate::config) fn about(mut self, key: &str) -> Self {
        self.problem = format!("`{key}` {}", self.problem);
        self
    }

    pub(in crate::config) fn into_error(self, origin: Origin, key: &str) -> ConfigError {
        let mut error = ConfigError::new(origin, key, self.problem);
        error.hint = self.hint;
        error
    }
}

/// One thing that is wrong with a rule.
pub(in crate::config) struct Wrong {
    /// The byte of the text where it is.
    pub(in crate::config) at: usize,
    /// The key.
    pub(in crate::config) key: String,
    /// What is wrong.
    pub(in crate::config) reason: Reason,
}

/// The tables of a list, in either way of writing it; `None` when it is something else.
pub(in crate::config) fn tables(item: &Item) -> Option<Vec<&dyn TableLike>> {
    match item {
        Item::ArrayOfTables(tables) => {
            Some(tables.iter().map(|table| table as &dyn TableLike).collect())
        }
        Item::Value(Value::Array(values)) => values
            .iter()
            .map(|value| value.as_inline_table().map(|table| table as &dyn TableLike))
            .collect(),
        _ => None,
    }
}

/// What an entry of a list is called, and its keys.
pub(super) struct Shape<'a> {
    /// `rule`.
    pub(super) noun: &'a str,
    /// The keys.
    pub(super) keys: &'a [&'a str],
}

/// Reads every key of an entry by `set`. Returns the place of the first key, which is `at` for an entry without keys, and
/// everything that is wrong.
pub(super) fn read_keys(
    shape: &Shape<'_>,
    list: &str,
    table: &dyn TableLike,
    at: usize,
    mut set: impl FnMut(&str, &Item) -> Result<(), Reason>,
) -> (usize, Vec<Wrong>) {
    let mut wrong = Vec::new();
    let mut first = None;
    for (name, item) in table.iter() {
        let span = table.get_key_value(name).and_then(|(key, _)| key.span());
        let here = span.map_or(at, |span| span.start);
        first = first.or(Some(here));
        let key = format!("{list}.{name}");
        let outcome = if shape.keys.contains(&name) {
            set(name, item).map_err(|reason| reason.about(&key))
        } else {
            Err(unknown(shape, list, name))
        };
        wrong.extend(outcome.err().map(|reason| Wrong {
            at: here,
            key,
            reason,
        }));
    }
    (first.unwrap_or(at), wrong)
}

/// An entry lacks something.
pub(super) fn lacks(shape: &Shape<'_>, list: &str, at: usize, key: &str) -> Wrong {
    Wrong {
        at,
        key: list.to_owned(),
        reason: Reason::new(format!("a {} of `{list}` has no `{key}`", shape.noun)),
    }
}

/// A text that is not empty.
pub(super) fn text(item: &Item) -> Result<String, Reason> {
    match item.as_str() {
        Some("") => Err(Reason::new("must not be empty")),
        Some(text) => Ok(text.to_owned()),
        None => Err(must_be("a string", item)),
    }
}

/// True or false.
pub(super) fn flag(item: &Item) -> Result<bool, Reason> {
    item.as_bool().ok_or_else(|| must_be("true or false", item))
}

/// A whole number of milliseconds.
pub(super) fn milliseconds(item: &Item, least: u64, most: u64) -> Result<u64, Reason> {
    let expected = format!("a whole number of milliseconds from {least} to {most}");
    let Some(number) = item.as_integer() else {
        return Err(must_be(&expected, item));
    };
    let fitting = u64::try_from(number).ok();
    fitting
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| Reason::new(format!("must be {expected}, not {number}")))
}

/// A list of texts.
pub(super) fn texts(item: &Item) -> Result<Vec<String>, Reason> {
    let list: Option<Vec<String>> = item.as_array().and_then(|values| {
        let words = values.iter();
        words
            .map(|value| value.as_str().map(str::to_owned))
            .collect()
    });
    list.filter(|list| !list.is_empty())
        .ok_or_else(|| must_be("a list of strings", item))
}

/// One of these words.
pub(super) fn choice<T: Copy>(item: &Item, words: &[(&'static str, T)]) -> Result<T, Reason> {
    let word = text(item)?;
    let names = || words.iter().map(|(name, _)| *name);
    let known = words.iter().find(|(name, _)| *name == word);
    known.map(|(_, value)| *value).ok_or_else(|| {
        let all: Vec<&str> = names().collect();
        let reason = Reason::new(format!("must be one of {}, not {word:?}", all.join(", ")));
        match nearest(&word, names()) {
            Some(meant) => reason.with_hint(format!("did you mean \"{meant}\"?")),
            None => reason,
        }
    })
}

/// A value of another type than it must be.
pub(super) fn must_be(expected: &str, item: &Item) -> Reason {
    Reason::new(format!(
        "must be {expected}, not {}",
        article(item.type_name())
    ))
}

fn unknown(shape: &Shape<'_>, list: &str, name: &str) -> Reason {
    Reason::new(format!("unknown key `{list}.{name}`")).with_hint(
        match nearest(name, shape.keys.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("the keys of a {} are {}", shape.noun, shape.keys.join(", ")),
        },
    )
}

/// A type's name with its article.
pub(in crate::config) fn article(name: &str) -> String {
    match name {
        "integer" | "array" | "inline table" | "array of tables" => format!("an {name}"),
        "boolean" => "true or false".to_owned(),
        _ => format!("a {name}"),
    }
}
