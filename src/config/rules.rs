//! Reads one permission rule: which keys, which values, and what is wrong with them.

use toml_edit::{Item, TableLike};

use super::{
    error::{ConfigError, Origin},
    nearest::nearest,
};
use crate::domain::permission::{Rule, Verdict};

const KEYS: [&str; 3] = ["action", "resource", "verdict"];
const VERDICTS: [(&str, Verdict); 3] = [
    ("allow", Verdict::Allow),
    ("ask", Verdict::Ask),
    ("deny", Verdict::Deny),
];

/// Why a value is wrong.
pub(super) struct Reason {
    problem: String,
    hint: Option<String>,
}

impl Reason {
    pub(super) fn new(problem: impl Into<String>) -> Self {
        Self {
            problem: problem.into(),
            hint: None,
        }
    }

    pub(super) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Names the key in front of what is wrong with it.
    pub(super) fn about(mut self, key: &str) -> Self {
        self.problem = format!("`{key}` {}", self.problem);
        self
    }

    pub(super) fn into_error(self, origin: Origin, key: &str) -> ConfigError {
        let mut error = ConfigError::new(origin, key, self.problem);
        error.hint = self.hint;
        error
    }
}

/// One thing that is wrong with a rule.
pub(super) struct Wrong {
    /// The byte of the text where it is.
    pub(super) at: usize,
    /// The key.
    pub(super) key: String,
    /// What is wrong.
    pub(super) reason: Reason,
}

/// A rule with the place of its first key. `at` is the place of the list, for a rule without keys.
pub(super) fn read_rule(
    list: &str,
    table: &dyn TableLike,
    at: usize,
) -> Result<(Rule, usize), Vec<Wrong>> {
    let mut wrong = Vec::new();
    let mut first = None;
    let (mut action, mut resource, mut verdict) = (None, None, None);
    for (name, item) in table.iter() {
        let span = table.get_key_value(name).and_then(|(key, _)| key.span());
        let here = span.map_or(at, |span| span.start);
        first = first.or(Some(here));
        let outcome = match name {
            "action" => text(item).map(|text| action = Some(text)),
            "resource" => text(item).map(|text| resource = Some(text)),
            "verdict" => self::verdict(item).map(|known| verdict = Some(known)),
            _ => Err(unknown(list, name)),
        };
        if let Err(reason) = outcome {
            let key = format!("{list}.{name}");
            let reason = if KEYS.contains(&name) {
                reason.about(&key)
            } else {
                reason
            };
            wrong.push(Wrong {
                at: here,
                key,
                reason,
            });
        }
    }
    let first = first.unwrap_or(at);
    match (action, verdict) {
        (Some(action), Some(verdict)) if wrong.is_empty() => {
            let resource = resource.unwrap_or_else(|| "*".to_owned());
            Ok((
                Rule {
                    action,
                    resource,
                    verdict,
                },
                first,
            ))
        }
        (action, _) => {
            if wrong.is_empty() {
                let missing = if action.is_none() {
                    "action"
                } else {
                    "verdict"
                };
                wrong.push(Wrong {
                    at: first,
                    key: list.to_owned(),
                    reason: Reason::new(format!("a rule of `{list}` has no `{missing}`")),
                });
            }
            Err(wrong)
        }
    }
}

fn text(item: &Item) -> Result<String, Reason> {
    match item.as_str() {
        Some("") => Err(Reason::new("must not be empty")),
        Some(text) => Ok(text.to_owned()),
        None => Err(Reason::new(format!(
            "must be a string, not {}",
            article(item.type_name())
        ))),
    }
}

fn verdict(item: &Item) -> Result<Verdict, Reason> {
    let word = text(item)?;
    let known = VERDICTS.iter().find(|(name, _)| *name == word);
    known.map(|(_, verdict)| *verdict).ok_or_else(|| {
        let reason = Reason::new(format!("must be one of allow, ask, deny, not {word:?}"));
        match nearest(&word, VERDICTS.iter().map(|(name, _)| *name)) {
            Some(meant) => reason.with_hint(format!("did you mean \"{meant}\"?")),
            None => reason,
        }
    })
}

fn unknown(list: &str, name: &str) -> Reason {
    Reason::new(format!("unknown key `{list}.{name}`")).with_hint(
        match nearest(name, KEYS.into_iter()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("the keys of a rule are {}", KEYS.join(", ")),
        },
    )
}

/// A type's name with its article.
pub(super) fn article(name: &str) -> String {
    match name {
        "integer" | "array" | "inline table" | "array of tables" => format!("an {name}"),
        "boolean" => "true or false".to_owned(),
        _ => format!("a {name}"),
    }
}
