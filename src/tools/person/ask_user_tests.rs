//! What may be asked and what the model is told, statement by statement.

use serde_json::{Value, json};

use super::AskUser;
use crate::{
    domain::{
        display::Display,
        question::{Answer, FormOutcome, Question, QuestionKind},
    },
    tools::{
        contract::{AnyTool, Typed},
        fake_host::{FakeHost, call},
    },
};

fn text(text: &str) -> Answer {
    Answer::Text {
        text: text.to_owned(),
    }
}

/// A question as the person meets it: `choice Which? red|*blue`.
fn shown(question: &Question) -> String {
    let (kind, rest) = match &question.kind {
        QuestionKind::Choice { options, default } => {
            let marked = options.iter().enumerate().map(|(at, option)| {
                let mark = if *default == Some(at) { "*" } else { "" };
                format!("{mark}{option}")
            });
            ("choice", marked.collect::<Vec<_>>().join("|"))
        }
        QuestionKind::Multi { options } => ("multi", options.join("|")),
        QuestionKind::Text { default } => ("text", default.clone().unwrap_or_default()),
        QuestionKind::Confirm { default } => {
            let side = match default {
                Some(true) => "yes",
                Some(false) => "no",
                None => "",
            };
            ("confirm", side.to_owned())
        }
    };
    format!("{kind} {} {rest}", question.text)
        .trim_end()
        .to_owned()
}

/// What the person is asked, or what the model is told instead.
async fn asked(sent: Value) -> Result<Vec<String>, String> {
    let (host, context) = FakeHost::new();
    host.state().outcome = Some(FormOutcome::Answered {
        answers: Vec::new(),
    });
    let called = call::<AskUser>(&context, sent).await;
    let forms = host.state().asked.clone();
    match called {
        Ok(_) => Ok(forms.concat().iter().map(shown).collect()),
        Err(why) => {
            assert!(forms.is_empty(), "a refused form is shown: {forms:?}");
            Err(why)
        }
    }
}

fn several(count: usize) -> Value {
    json!({"questions": vec![json!({"question": "?"}); count]})
}

/// A statement, what is sent, and what the person is asked.
type Row = (&'static str, Value, &'static [&'static str]);

async fn check(table: Vec<Row>) {
    for (statement, sent, expected) in table {
        let expected = expected.iter().map(ToString::to_string).collect();
        assert_eq!(asked(sent).await, Ok(expected), "{statement}");
    }
}

#[tokio::test]
async fn questions_are_asked_as_they_are_meant() {
    check(vec![
        ("four together", several(4), &["text ?"; 4]),
        (
            "one without a list",
            json!({"question": "Which?", "type": "radio", "options": ["a", "b"], "default": "b"}),
            &["choice Which? a|*b"],
        ),
        (
            "a bare object is a list of one",
            json!({"questions": {"question": "Why?"}}),
            &["text Why?"],
        ),
        (
            "options make a choice",
            json!({"questions": [{"question": "?", "options": ["a", "b"]}]}),
            &["choice ? a|b"],
        ),
        (
            "none make a text",
            json!({"questions": [{"question": "?", "options": []}, {"question": "?", "type": " "}]}),
            &["text ?", "text ?"],
        ),
        (
            "null is left out",
            json!({"questions": [{"question": "?", "type": null, "options": null, "default": null}]}),
            &["text ?"],
        ),
        (
            "trimmed, the first spelling of duplicates stays",
            json!({"question": "  Which? ", "options": [" Red", "red ", "", "Blue", "BLUE", "Green"]}),
            &["choice Which? Red|Blue|Green"],
        ),
        (
            "options of a text or a yes or no are ignored, whatever they are",
            json!({"questions": [
                {"question": "?", "type": "text", "options": [7]},
                {"question": "?", "type": "confirm", "options": [""]},
            ]}),
            &["text ?", "confirm ?"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_default_stays_only_where_it_means_something() {
    check(vec![
        (
            "that of a choice is one of its options",
            json!({"questions": [
                {"question": "1", "options": ["a", "b"], "default": " B "},
                {"question": "2", "options": ["a", "b"], "default": "c"},
                {"question": "3", "options": ["a", "b"], "default": 1},
            ]}),
            &["choice 1 a|*b", "choice 2 a|b", "choice 3 a|b"],
        ),
        (
            "a multi has none",
            json!({"question": "?", "type": "many", "options": ["a", "b"], "default": "a"}),
            &["multi ? a|b"],
        ),
        (
            "that of a yes or no is one in English or French",
            json!({"questions": [
                {"question": "1", "type": "bool", "default": "Oui"},
                {"question": "2", "type": "bool", "default": "non"},
                {"question": "3", "type": "bool", "default": false},
                {"question": "4", "type": "bool", "default": "perhaps"},
            ]}),
            &["confirm 1 yes", "confirm 2 no", "confirm 3 no", "confirm 4"],
        ),
        (
            "more of them",
            json!({"questions": [
                {"question": "1", "type": "confirm", "default": "o"},
                {"question": "2", "type": "confirm", "default": 1},
                {"question": "3", "type": "confirm", "default": "TRUE"},
                {"question": "4", "type": "confirm", "default": "0"},
            ]}),
            &[
                "confirm 1 yes",
                "confirm 2 yes",
                "confirm 3 yes",
                "confirm 4 no",
            ],
        ),
        (
            "that of a text is any text",
            json!({"questions": [
                {"question": "1", "default": "as before"},
                {"question": "2", "default": 3},
                {"question": "3", "default": [1]},
                {"question": "4", "default": " "},
            ]}),
            &["text 1 as before", "text 2 3", "text 3", "text 4"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn fields_answer_to_other_systems_names() {
    check(vec![
        (
            "in a list",
            json!({"questions": [
                {"prompt": "1", "kind": "select", "choices": ["a", "b"], "defaultValue": "b"},
                {"text": "2", "Type": "input"},
            ]}),
            &["choice 1 a|*b", "text 2"],
        ),
        (
            "and of a single question at the top",
            json!({"prompt": "1", "kind": "select", "choices": ["a", "b"], "defaultValue": "b"}),
            &["choice 1 a|*b"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_wrong_form_is_refused_by_number_and_never_shown() {
    let second = |wrong: Value| json!({"questions": [{"question": "fine?"}, wrong]});
    let table = [
        (
            json!({}),
            "[ask_user: no question — send questions: [{question, type, options}]]",
        ),
        (
            json!({"questions": []}),
            "[ask_user: no question — send questions: [{question, type, options}]]",
        ),
        (
            several(5),
            "[ask_user: 5 questions — ask at most 4 at a time]",
        ),
        (
            second(json!({"question": " "})),
            "[ask_user: question 2 has no text]",
        ),
        (
            second(json!({"type": "text"})),
            "[ask_user: question 2 has no text]",
        ),
        (
            json!({"options": ["a", "b"]}),
            "[ask_user: question 1 has no text]",
        ),
        (
            second(json!({"question": "?", "type": "choice"})),
            "[ask_user: question 2 is a choice question — give it at least two options]",
        ),
        (
            second(json!({"question": "?", "type": "checkbox", "options": ["a", "A "]})),
            "[ask_user: question 2 is a multi question — give it at least two options]",
        ),
        (
            second(json!({"question": "?", "type": "slider"})),
            "[ask_user: question 2 has type \"slider\" — use choice, multi, text or confirm]",
        ),
        (
            second(json!({"question": "?", "type": 3})),
            "[ask_user: question 2 has type 3 — use choice, multi, text or confirm]",
        ),
        (
            second(json!({"question": "?", "hint": "x"})),
            "[ask_user: question 2 has an unknown field \"hint\" — use question, type, options, default]",
        ),
        (
            second(json!({"question": "?", "text": "!"})),
            "[ask_user: question 2 has two different values for question — send it once]",
        ),
        (
            second(json!({"question": "?", "options": ["a", 7]})),
            "[ask_user: question 2 has an option that is not a text: 7]",
        ),
        (
            second(json!({"question": "?", "options": ["", " "]})),
            "[ask_user: question 2 has only blank options — give them words, or leave options out to ask for a text]",
        ),
        (
            second(json!("why?")),
            "ask_user: `questions[1]` must be an object, but the text \"why?\" was sent",
        ),
        (
            json!({"questions": [{"question": "a?"}], "question": "b?"}),
            "[ask_user: questions and a single question at once — send questions only]",
        ),
        (
            json!({"question": 7}),
            "ask_user: `question` must be text, but the number 7 was sent",
        ),
    ];

    for (sent, expected) in table {
        assert_eq!(asked(sent).await, Err(expected.to_owned()));
    }
}

/// What the model is told of the end of this form, or the failure.
async fn told(outcome: FormOutcome) -> Result<String, String> {
    let (host, context) = FakeHost::new();
    host.state().outcome = Some(outcome);
    let output = call::<AskUser>(
        &context,
        json!({"questions": [
            {"question": "Which way?", "options": ["fast", "slow"]},
            {"question": "What\nelse?", "type": "multi", "options": ["log", "docs"]},
            {"question": "Sure?", "type": "confirm"},
            {"question": "Why?"},
        ]}),
    )
    .await?;
    assert!(matches!(output.display, Display::Table { rows, .. } if rows.len() == 4));
    Ok(output.text)
}

fn answered(answers: Vec<Answer>) -> FormOutcome {
    FormOutcome::Answered { answers }
}

#[tokio::test]
async fn every_end_of_a_form_has_its_own_words() {
    let both = ["log", "docs"].map(str::to_owned).to_vec();
    let table = [
        (
            answered(vec![
                text("fast"),
                Answer::Many { options: both },
                Answer::Confirm { yes: true },
                text("two\nlines"),
            ]),
            Ok(
                "The user answered:\n- Which way? → fast\n- What else? → log, docs\n- Sure? → yes\n- Why? → two\n  lines",
            ),
        ),
        (
            answered(vec![
                text("by train"),
                Answer::Unanswered,
                Answer::Confirm { yes: false },
                text(""),
            ]),
            Ok(
                "The user answered:\n- Which way? → by train\n- What else? → (left open)\n- Sure? → no\n- Why? → (empty)",
            ),
        ),
        (
            answered(Vec::new()),
            Ok(
                "The user answered:\n- Which way? → (left open)\n- What else? → (left open)\n- Sure? → (left open)\n- Why? → (left open)",
            ),
        ),
        (
            FormOutcome::Declined,
            Err(
                "[the user declined to answer: do not ask the same thing again; go on without it or stop]",
            ),
        ),
        (
            FormOutcome::Cancelled,
            Err("[the question was cancelled before the user answered]"),
        ),
        (
            FormOutcome::Nobody,
            Err(
                "[the user cannot be asked in this mode: make a reasonable assumption, say which, and go on]",
            ),
        ),
    ];

    for (outcome, expected) in table {
        let expected = expected.map(str::to_owned).map_err(str::to_owned);
        assert_eq!(told(outcome).await, expected);
    }
}

#[test]
fn its_schema_tells_the_fields_of_a_question_in_words() {
    let schema = Typed::<AskUser>::new().spec().schema;

    let entry = &schema["properties"]["questions"]["items"];
    assert_eq!(entry["type"], "object");
    assert!(entry.get("properties").is_none());
    assert!(
        entry["description"]
            .as_str()
            .unwrap()
            .contains("confirm (yes or no)")
    );
}
