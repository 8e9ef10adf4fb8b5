//! Reads the questions that a model sends: synonyms of types, trimmed options without duplicates, and a default
//! only where it means something. A wrong question refuses the whole form, by number.

use serde_json::{Map, Value};

use crate::domain::question::{Question, QuestionKind};

/// Most questions of one form.
const MOST: usize = 4;
/// Most characters of a question, an option or a default: what a person can look over before answering.
const LONGEST: usize = 4_000;

/// Fields of a question.
const FIELDS: &[&str] = &["question", "type", "options", "default"];

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
    if let Some(unknown) = fields.keys().find(|key| !FIELDS.contains(&key.as_str())) {
        return Err(format!(
            "question {number} has an unknown field \"{unknown}\" — use {}",
            FIELDS.join(", ")
        ));
    }
    let text = fields
        .get("question")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .trim();
    if text.is_empty() {
        return Err(format!("question {number} has no text"));
    }
    within(number, "text", text)?;
    Ok(Question {
        text: text.to_owned(),
        kind: kind(number, fields)?,
    })
}

fn kind(number: usize, fields: &Map<String, Value>) -> Result<QuestionKind, String> {
    let options = options(number, fields.get("options"))?;
    let default = fields.get("default").filter(|default| !default.is_null());
    match type_name(number, fields.get("type"), !options.is_empty())? {
        "choice" => {
            let options = enough(number, "choice", options)?;
            let default = default.and_then(Value::as_str).and_then(|wanted| {
                options
                    .iter()
                    .position(|option| same(option, wanted.trim()))
            });
            Ok(QuestionKind::Choice { options, default })
        }
        "multi" => Ok(QuestionKind::Multi {
            options: enough(number, "multi", options)?,
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
        None | Some(Value::Null) => "",
        Some(Value::String(text)) => text.trim(),
        Some(other) => return Err(unknown_type(number, &other.to_string())),
    };
    Ok(match sent.to_lowercase().as_str() {
        "" if has_options => "choice",
        "" => "text",
        "choice" | "single" | "select" | "radio" | "enum" | "one" => "choice",
        "multi" | "multiple" | "multiselect" | "checkbox" | "checkboxes" | "many" => "multi",
        "text" | "input" | "string" | "free" | "freetext" => "text",
        "confirm" | "yesno" | "yes_no" | "boolean" | "bool" | "confirmation" => "confirm",
        _ => return Err(unknown_type(number, &format!("\"{sent}\""))),
    })
}

fn unknown_type(number: usize, sent: &str) -> String {
    format!("question {number} has type {sent} — use choice, multi, text or confirm")
}

/// Trimmed, without blanks and without duplicates (ignoring case); the first spelling stays.
fn options(number: usize, sent: Option<&Value>) -> Result<Vec<String>, String> {
    let sent = match sent {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(entries)) => entries.as_slice(),
        Some(one) => std::slice::from_ref(one),
    };
    let mut options: Vec<String> = Vec::new();
    for entry in sent {
        let Some(option) = entry.as_str().map(str::trim) else {
            return Err(format!(
                "question {number} has an option that is not a text: {entry}"
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
    use crate::domain::question::{Question, QuestionKind};

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
    fn without_a_type_options_make_a_choice() {
        let options = vec!["a".to_owned(), "b".to_owned()];

        assert_eq!(
            one(json!({"question": "?", "options": ["a", "b"]})),
            Ok(QuestionKind::Choice {
                options,
                default: None
            })
        );
        assert_eq!(
            one(json!({"question": "?", "options": []})),
            Ok(QuestionKind::Text { default: None })
        );
    }

    #[test]
    fn options_are_trimmed_and_duplicates_dropped() {
        assert_eq!(
            read(&[json!({
                "question": "  Which? ",
                "options": [" Red", "red ", "", "Blue", "BLUE", "Green"],
                "default": " blue "
            })]),
            Ok(vec![Question {
                text: "Which?".to_owned(),
                kind: QuestionKind::Choice {
                    options: ["Red", "Blue", "Green"].map(str::to_owned).to_vec(),
                    default: Some(1),
                },
            }])
        );
    }

    #[test]
    fn a_default_stays_only_where_it_means_something() {
        let choice = |default| match one(
            json!({"question": "?", "options": ["a", "b"], "default": default}),
        )
        .unwrap()
        {
            QuestionKind::Choice { default, .. } => default,
            other => panic!("{other:?}"),
        };
        let confirm =
            |default| match one(json!({"question": "?", "type": "confirm", "default": default}))
                .unwrap()
            {
                QuestionKind::Confirm { default } => default,
                other => panic!("{other:?}"),
            };
        let text = |default| match one(json!({"question": "?", "default": default})).unwrap() {
            QuestionKind::Text { default } => default,
            other => panic!("{other:?}"),
        };

        assert_eq!(choice(json!("c")), None);
        assert_eq!(choice(json!("B")), Some(1));
        for yes in [
            json!(true),
            json!("Oui"),
            json!("y"),
            json!("o"),
            json!(1),
            json!("1"),
        ] {
            assert_eq!(confirm(yes.clone()), Some(true), "{yes}");
        }
        for no in [
            json!(false),
            json!("non"),
            json!("N"),
            json!(0),
            json!("false"),
        ] {
            assert_eq!(confirm(no.clone()), Some(false), "{no}");
        }
        assert_eq!(confirm(json!("perhaps")), None);
        assert_eq!(text(json!("as before")), Some("as before".to_owned()));
        assert_eq!(text(json!(3)), Some("3".to_owned()));
        assert_eq!(text(json!([1])), None);
    }

    #[test]
    fn a_wrong_form_is_refused_by_number() {
        let good = json!({"question": "fine?"});
        let table = [
            (
                vec![],
                "no question — send questions: [{question, type, options}]",
            ),
            (
                vec![good.clone(); 5],
                "5 questions — ask at most 4 at a time",
            ),
            (
                vec![good.clone(), json!({"question": " "})],
                "question 2 has no text",
            ),
            (
                vec![good.clone(), json!({"type": "text"})],
                "question 2 has no text",
            ),
            (
                vec![json!({"question": "?", "type": "choice"})],
                "question 1 is a choice question — give it at least two options",
            ),
            (
                vec![json!({"question": "?", "type": "many", "options": ["a", "A "]})],
                "question 1 is a multi question — give it at least two options",
            ),
            (
                vec![json!({"question": "?", "type": "slider"})],
                "question 1 has type \"slider\" — use choice, multi, text or confirm",
            ),
            (
                vec![good.clone(), json!("why?")],
                "question 2 is not an object — send {question, type, options}",
            ),
            (
                vec![json!({"question": "?", "hint": "x"})],
                "question 1 has an unknown field \"hint\" — use question, type, options, default",
            ),
            (
                vec![json!({"question": "?", "options": ["a", 7]})],
                "question 1 has an option that is not a text: 7",
            ),
        ];

        for (sent, expected) in table {
            assert_eq!(refusal(&sent), expected);
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
