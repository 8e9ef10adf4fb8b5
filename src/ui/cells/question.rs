//! Questions of an agent and what the person answered. The form itself stands in the composer's place.

use super::scene::Scene;
use crate::{
    domain::question::{Answer, FormOutcome, QuestionForm},
    ui::{
        displays::shown,
        keymap::{Action, Scope},
        rows::{Flow, Piece, Row, flow},
        theme::StyleName,
    },
};

pub(super) fn draw(
    form: &QuestionForm,
    outcome: Option<&FormOutcome>,
    scene: &Scene<'_>,
) -> Vec<Row> {
    let mut rows = Vec::new();
    for (index, question) in form.questions.iter().enumerate() {
        rows.extend(words("  ? ", StyleName::Question, &question.text, scene));
        if let Some(FormOutcome::Answered { answers }) = outcome {
            let answer = answers.get(index).unwrap_or(&Answer::Unanswered);
            let (text, name) = said(answer);
            rows.extend(words("    → ", name, &text, scene));
        }
    }
    match outcome {
        Some(FormOutcome::Answered { .. }) => {}
        Some(FormOutcome::Declined) => {
            rows.extend(words(
                "    → ",
                StyleName::Dim,
                "you declined to answer",
                scene,
            ));
        }
        Some(FormOutcome::Cancelled) => {
            rows.extend(words(
                "    → ",
                StyleName::Dim,
                "the turn ended before an answer",
                scene,
            ));
        }
        Some(FormOutcome::Nobody) => {
            rows.extend(words(
                "    → ",
                StyleName::Dim,
                "there was nobody to ask",
                scene,
            ));
        }
        None => {
            let key = scene.key(Scope::Global, Action::Later);
            let hint = format!("waits for your answer · {key} opens the form or puts it off");
            rows.extend(words("    ◐ ", StyleName::Question, &hint, scene));
        }
    }
    rows
}

fn said(answer: &Answer) -> (String, StyleName) {
    match answer {
        Answer::Text { text } if text.trim().is_empty() => ("(empty)".to_owned(), StyleName::Dim),
        Answer::Text { text } => (text.clone(), StyleName::Strong),
        Answer::Many { options } => (options.join(", "), StyleName::Strong),
        Answer::Confirm { yes: true } => ("yes".to_owned(), StyleName::Strong),
        Answer::Confirm { yes: false } => ("no".to_owned(), StyleName::Strong),
        Answer::Unanswered => ("left open".to_owned(), StyleName::Dim),
    }
}

fn words(mark: &str, name: StyleName, text: &str, scene: &Scene<'_>) -> Vec<Row> {
    let first = [Piece::new(mark, name)];
    let rest = [Piece::blank(mark.chars().count())];
    let name = if name == StyleName::Question {
        StyleName::Text
    } else {
        name
    };
    flow(
        &[Piece::new(shown(text), name)],
        &Flow {
            width: scene.width,
            first: &first,
            rest: &rest,
            words: true,
        },
    )
}
