//! The person's answers in words for the model and as rows for the screen.

use crate::domain::{
    display::Display,
    question::{Answer, Question},
};

/// `- question → answer` for every question. Further lines of an answer are indented, so that they cannot be
/// taken for another question.
pub(super) fn in_words(questions: &[Question], answers: &[Answer]) -> String {
    let mut text = "The user answered:".to_owned();
    for (index, question) in questions.iter().enumerate() {
        let answer = words(answers.get(index));
        text.push_str(&format!(
            "\n- {} → {}",
            one_line(&question.text),
            answer.trim().replace('\n', "\n  ")
        ));
    }
    text
}

/// A row for every question.
pub(super) fn rows(questions: &[Question], answers: &[Answer]) -> Display {
    let rows = questions
        .iter()
        .enumerate()
        .map(|(index, question)| vec![question.text.clone(), words(answers.get(index))])
        .collect();
    Display::Table {
        headings: vec!["Question".to_owned(), "Answer".to_owned()],
        rows,
    }
}

fn words(answer: Option<&Answer>) -> String {
    match answer {
        Some(Answer::Text { text }) if text.trim().is_empty() => "(empty)".to_owned(),
        Some(Answer::Text { text }) => text.clone(),
        Some(Answer::Many { options }) if options.is_empty() => "(none)".to_owned(),
        Some(Answer::Many { options }) => options.join(", "),
        Some(Answer::Confirm { yes: true }) => "yes".to_owned(),
        Some(Answer::Confirm { yes: false }) => "no".to_owned(),
        Some(Answer::Unanswered) | None => "(left open)".to_owned(),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
