//! Reads the questions that a model sends: synonyms of types, trimmed options without duplicates, and a default
//! only where it means something. A wrong question refuses the whole form, by number.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::{
    domain::question::{Question, QuestionKind},
    text::truncate::head,
};

/// Most questions of one form.
const MOST: usize = 4;
/// Most characters of a question, an option or a default: what a person can look over before answering.
const LONGEST: usize = 4_000;
/// Most columns of what was sent that a refusal repeats.
const LONGEST_NAME: usize = 80;

/// Fields of a question.
const FIELDS: &[&str] = &["question", "type", "options", "default"];
/// Names that other systems give these fields: (theirs, ours).
pub(super) const FIELD_ALIASES: &[(&str, &str)] = &[
    ("text", "question"),
    ("prompt", "question"),
    ("kind", "type"),
    ("choices", "options"),
    ("default_value", "default"),
];

/// The questions, or the refusal.
pub(super) fn read(sent: &[Value]) -> Result<Vec<Question>, String> {
    if sent.is_empty() {
        return Err("no question — send questions: [{question, type, options}]".to_owned());
    }
    if sent.len() > MOST {
        return Err(format!(
            "{} questions — ask at most {MOST} at a time",
            sent.len()
        ));
    }
    sent.iter()
        .enumerate()
        .map(|(index, value)| question(index + 1, value))
        .collect()
}

fn question(number: usize, value: &Value) -> Result<Question, String> {
    let Some(fields) = value.as_object() else {
        return Err(format!(
            "question {number} is not an object — send {{question, type, options}}"
        ));
    };
    let fields = own_fields(number, fields)?;
    let text = fields
        .get("question")
        .and_then(|value| value.as_str())
        .unwrap_or_default()
        .trim();
    if text.is_empty() {
        return Err(format!("question {number} has no text"));
    }
    within(number, "text", text)?;
    Ok(Question {
        text: text.to_owned(),
        kind: kind(number, &fields)?,
    })
}

/// The fields under our names.
fn own_fields(
    number: usize,
    sent: &Map<String, Value>,
) -> Result<BTreeMap<&'static str, &Value>, String> {
    let mut fields = BTreeMap::new();
    for (key, value) in sent {
        let plain = key.replace(['_', '-'], "").to_lowercase();
        let aliases = FIELD_ALIASES.iter();
        let name = FIELDS.iter().copied().find(|name| *name == plain);
        let name = name.or_else(|| {
            let mut same = aliases.filter(|(theirs, _)| theirs.replace('_', "") == plain);
            same.next().map(|(_, ours)| *ours)
        });
        let Some(name) = name else {
            return Err(format!(
                "question {number} has an unknown field \"{}\" — use {}",
                head(key, LONGEST_NAME),
                FIELDS.join(", ")
            ));
        };
        if value.is_null() {
            continue;
        }
        if fields
            .insert(name, value)
            .is_some_and(|earlier| earlier != value)
        {
            return Err(format!(
                "question {number} has two different values for {name} — send it once"
            ));
        }
    }
    Ok(fields)
}

fn kind(number: usize, fields: &BTreeMap<&str, &Value>) -> Result<QuestionKind, String> {
    let default = fields.get("default").copied();
    let sent = fields.get("options").copied();
    match type_name(number, fields.get("type").copied(), has_options(sent))? {
        "choice" => {
            let options = enough(number, "choice", options(number, sent)?)?;
            let default = default.and_then(Value::as_str).and_then(|wanted| {
                options
                    .iter()
                    .position(|option| same(option, wanted.trim()))
            });
            Ok(QuestionKind::Choice { options, default })
        }
        "multi" => Ok(QuestionKind::Multi {
            options: enough(number, "multi", options(number, sent)?)?,
        }),
        "confirm" => Ok(QuestionKind::Confirm {
            default: default.and_then(yes_or_no),
        }),
        _ => {
            let default = default.and_then(prefill);
            within(number, "default", default.as_deref().unwrap_or_default())?;
            Ok(QuestionKind::Text { default })
        }
    }
}

fn type_name(
    number: usize,
    sent: Option<&Value>,
    has_options: bool,
) -> Result<&'static str, String> {
    let sent = match sent {
        None => "",
        Some(Value::String(text)) => text.trim(),
        Some(other) => {
            let other = other.to_string();
            return Err(unknown_type(number, &head(&other, LONGEST_NAME)));
        }
    };
    Ok(match sent.to_lowercase().as_str() {
        "" if has_options => "choice",
        "" => "text",
        "choice" | "single" | "select" | "radio" | "enum" | "one" => "choice",
        "multi" | "multiple" | "multiselect" | "checkbox" | "checkboxes" | "many" => "multi",
        "text" | "input" | "string" | "free" | "freetext" => "text",
        "confirm" | "yesno" | "yes_no" | "boolean" | "bool" | "confirmation" => "confirm",
        _ => {
            let sent = head(sent, LONGEST_NAME);
            return Err(unknown_type(number, &format!("\"{sent}\"")));
        }
    })
}

fn unknown_type(number: usize, sent: &str) -> String {
    format!("question {number} has type {sent} — use choice, multi, text or confirm")
}

/// Whether options were sent; those of a text or of a yes or no are never looked at.
fn has_options(sent: Option<&Value>) -> bool {
    match sent {
        None => false,
        Some(Value::Array(entries)) => !entries.is_empty(),
        Some(_) => true,
    }
}

/// Trimmed, without blanks and without duplicates (ignoring case); the first spelling stays.
fn options(number: usize, sent: Option<&Value>) -> Result<Vec<String>, String> {
    let sent = match sent {
        None => return Ok(Vec::new()),
        Some(Value::Array(entries)) => entries.as_slice(),
        Some(one) => std::slice::from_ref(one),
    };
    let mut options: Vec<String> = Vec::new();
    for entry in sent {
        let Some(option) = entry.as_str().map(str::trim) else {
            let entry = entry.to_string();
            return Err(format!(
                "question {number} has an option that is not a text: {}",
                head(&entry, LONGEST_NAME)
            ));
        };
        within(number, "option", option)?;
        if !option.is_empty() && !options.iter().any(|known| same(known, option)) {
            options.push(option.to_owned());
        }
    }
    if options.is_empty() && !sent.is_empty() {
        return Err(format!(
            "question {number} has only blank options — give them words, or leave options out to ask for a text"
        ));
    }
    Ok(options)
}

/// Refuses what is too long to be looked over.
fn within(number: usize, what: &str, text: &str) -> Result<(), String> {
    let long = text.chars().count();
    if long > LONGEST {
        return Err(format!(
            "question {number} has a {what} of {long} characters — at most {LONGEST}: put long text into your reply \
             or into a file and ask about it"
        ));
    }
    Ok(())
}

fn enough(number: usize, kind: &str, options: Vec<String>) -> Result<Vec<String>, String> {
    if options.len() < 2 {
        return Err(format!(
            "question {number} is a {kind} question — give it at least two options"
        ));
    }
    Ok(options)
}

fn same(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

/// A yes or a no in English or French.
fn yes_or_no(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(yes) => Some(*yes),
        Value::Number(number) => match number.as_i64() {
            Some(1) => Some(true),
            Some(0) => Some(false),
            _ => None,
        },
        Value::String(text) => match text.trim().to_lowercase().as_str() {
            "y" | "yes" | "o" | "oui" | "true" | "1" => Some(true),
            "n" | "no" | "non" | "false" | "0" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

fn prefill(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        _ => return None,
    };
    Some(text).filter(|text| !text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::read;
    use crate::domain::question::QuestionKind;

    fn one(value: Value) -> Result<QuestionKind, String> {
        let questions = read(&[value])?;
        Ok(questions.into_iter().next().unwrap().kind)
    }

    fn refusal(sent: &[Value]) -> String {
        read(sent).expect_err("refused")
    }

    #[test]
    fn every_synonym_means_its_type() {
        let table = [
            (
                "choice",
                "choice single select radio enum one Choice SELECT",
            ),
            (
                "multi",
                "multi multiple multiselect checkbox checkboxes many",
            ),
            ("text", "text input string free freetext"),
            ("confirm", "confirm yesno yes_no boolean bool confirmation"),
        ];

        for (expected, names) in table {
            for name in names.split(' ') {
                let kind =
                    one(json!({"question": "?", "type": name, "options": ["a", "b"]})).unwrap();
                let found = match kind {
                    QuestionKind::Choice { .. } => "choice",
                    QuestionKind::Multi { .. } => "multi",
                    QuestionKind::Text { .. } => "text",
                    QuestionKind::Confirm { .. } => "confirm",
                };
                assert_eq!(found, expected, "{name}");
            }
        }
    }

    #[test]
    fn what_nobody_can_look_over_or_choose_from_is_refused() {
        let blank = "question 1 has only blank options — give them words, or leave options out to ask for a text";
        for options in [json!(["", ""]), json!([" "]), json!("")] {
            assert_eq!(
                refusal(&[json!({"question": "?", "options": options})]),
                blank
            );
        }
        let long = "猫".repeat(4_001);
        for (field, value) in [
            ("default", json!(long)),
            ("question", json!(long)),
            ("options", json!(["a", long])),
        ] {
            let mut question = json!({"question": "?"});
            question[field] = value;
            let said = refusal(&[question]);
            assert!(said.contains("of 4001 characters — at most 4000"), "{said}");
        }
        let fits = "猫".repeat(4_000);
        assert_eq!(
            one(json!({"question": "?", "default": fits})),
            Ok(QuestionKind::Text {
                default: Some(fits)
            })
        );
    }
}
