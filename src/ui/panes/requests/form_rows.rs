//! The rows of a form: the question and what can be chosen, or the review of all answers.

use ratatui::text::{Line, Span};

use super::{
    field::Field,
    form::Form,
    form_view::{Content, FIELD_INDENT},
};
use crate::{
    domain::question::{Answer, Question, QuestionKind},
    text::{
        sanitize::{clean, clean_line},
        width::{columns, pad},
        wrap::{Wrap, wrap},
    },
    ui::{
        Model,
        panes::composer::{Editor, view::editor_line},
        theme::StyleName,
    },
};

/// Everything between the tabs and the keys; `has_gaps` says whether rows may stand empty.
pub fn content(model: &Model, form: &Form, width: usize, has_gaps: bool) -> Content {
    match form.shown() {
        Some((question, field)) => question_rows(model, form, (question, field), width, has_gaps),
        None => review_rows(model, form, width, has_gaps),
    }
}

fn question_rows(
    model: &Model,
    form: &Form,
    (question, field): (&Question, &Field),
    width: usize,
    has_gaps: bool,
) -> Content {
    let text = clean(&question.text);
    let mut rows: Vec<Line<'static>> = wrap(&text, width)
        .iter()
        .map(|row| Line::styled(row.of(&text).to_owned(), model.style(StyleName::Strong)))
        .collect();
    if has_gaps {
        rows.push(Line::default());
    }
    let start = rows.len();
    let mut content = Content {
        rows,
        focus: start,
        caret: None,
    };
    match (field, &question.kind) {
        (
            Field::Choice {
                cursor,
                chosen,
                other,
                ..
            },
            QuestionKind::Choice { options, .. },
        ) => {
            for (index, option) in options.iter().enumerate() {
                let mark = if *chosen == Some(index) { "●" } else { "○" };
                option_rows(model, &mut content, (index, *cursor), mark, option, width);
            }
            let is_chosen = *chosen == Some(options.len());
            let mark = if is_chosen { "●" } else { "○" };
            let words = if other.is_empty() || form.editing {
                "other…".to_owned()
            } else {
                format!("other: {}", other.text())
            };
            option_rows(
                model,
                &mut content,
                (options.len(), *cursor),
                mark,
                &words,
                width,
            );
            if form.editing {
                editor_rows(model, &mut content, other, width, 6);
            }
        }
        (Field::Multi { cursor, ticked }, QuestionKind::Multi { options }) => {
            for (index, (option, is_ticked)) in options.iter().zip(ticked).enumerate() {
                let mark = if *is_ticked { "[x]" } else { "[ ]" };
                option_rows(model, &mut content, (index, *cursor), mark, option, width);
            }
        }
        (Field::Text { editor, .. }, _) => {
            editor_rows(model, &mut content, editor, width, FIELD_INDENT);
            if !form.editing {
                content.caret = None;
            }
        }
        (Field::Confirm { cursor, .. }, _) => {
            let side = |words: &'static str, is_selected: bool| {
                let style = model.style(if is_selected {
                    StyleName::Selection
                } else {
                    StyleName::Text
                });
                let mark = if is_selected { "▸" } else { " " };
                Span::styled(format!(" {mark} {words} "), style)
            };
            content.rows.push(Line::from(vec![
                side("y yes", *cursor),
                Span::raw("   "),
                side("n no", !*cursor),
            ]));
        }
        _ => {}
    }
    content
}

fn option_rows(
    model: &Model,
    content: &mut Content,
    (index, cursor): (usize, usize),
    mark: &str,
    option: &str,
    width: usize,
) {
    let is_selected = index == cursor;
    let pointer = if is_selected { "▸" } else { " " };
    let digit = if index < 9 {
        (index + 1).to_string()
    } else {
        " ".to_owned()
    };
    let lead = format!("{pointer} {digit} {mark} ");
    let indent = columns(&lead);
    let text = clean(option);
    let style = model.style(if is_selected {
        StyleName::Selection
    } else {
        StyleName::Text
    });
    if is_selected {
        content.focus = content.rows.len();
    }
    let room = width.saturating_sub(indent).max(1);
    for (number, row) in Wrap::words(room).rows(&text).enumerate() {
        let front = if number == 0 {
            lead.clone()
        } else {
            " ".repeat(indent)
        };
        let words = pad(row.of(&text), room).into_owned();
        content
            .rows
            .push(Line::styled(format!("{front}{words}"), style));
    }
}

fn editor_rows(model: &Model, content: &mut Content, editor: &Editor, width: usize, indent: usize) {
    let room = width.saturating_sub(indent).max(1);
    let start = content.rows.len();
    let rows = editor.rows(room);
    let (row, column) = editor.caret(&rows);
    content.focus = start + row;
    content.caret = Some((start + row, indent + column));
    let gutter = format!("{:>1$}", "│ ", indent);
    for row in rows.iter() {
        let mut spans = vec![Span::styled(gutter.clone(), model.style(StyleName::Guide))];
        let line = editor_line(model, row);
        spans.extend(
            line.iter()
                .map(|span| Span::styled(span.content.to_string(), span.style)),
        );
        content.rows.push(Line::from(spans));
    }
}

fn review_rows(model: &Model, form: &Form, width: usize, has_gaps: bool) -> Content {
    let mut content = Content {
        rows: Vec::new(),
        focus: 0,
        caret: None,
    };
    let answers = form.answers();
    let left = (width * 2 / 5).max(8);
    for (index, (question, answer)) in form.form.questions.iter().zip(&answers).enumerate() {
        let is_selected = index == form.review_cursor;
        if is_selected {
            content.focus = content.rows.len();
        }
        let (pointer, style) = selected(is_selected);
        let style = model.style(style);
        let mark = if *answer == Answer::Unanswered {
            "○"
        } else {
            "✓"
        };
        let given_style = match answer {
            Answer::Unanswered if !is_selected => model.style(StyleName::Dim),
            _ => style,
        };
        let asked = wrapped(&clean(&question.text), left);
        let room = width.saturating_sub(left + 6).max(1);
        let given = wrapped(&given(answer), room);
        for row in 0..asked.len().max(given.len()) {
            let front = if row == 0 {
                format!("{pointer} {mark} ")
            } else {
                "    ".to_owned()
            };
            let part = |rows: &[String]| rows.get(row).cloned().unwrap_or_default();
            let words = pad(&part(&asked), left).into_owned();
            content.rows.push(Line::from(vec![
                Span::styled(format!("{front}{words}  "), style),
                Span::styled(part(&given), given_style),
            ]));
        }
    }
    if has_gaps {
        content.rows.push(Line::default());
    }
    let is_selected = form.review_cursor >= form.fields.len();
    if is_selected {
        content.focus = content.rows.len();
    }
    let (pointer, style) = selected(is_selected);
    let open = answers
        .iter()
        .filter(|answer| **answer == Answer::Unanswered)
        .count();
    let words = match open {
        0 => format!("{pointer} send "),
        open => format!("{pointer} send, {open} left open "),
    };
    content
        .rows
        .push(Line::from(Span::styled(words, model.style(style))));
    content
}

/// A text in rows; at least one.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    Wrap::words(width.max(1))
        .rows(text)
        .map(|row| row.of(text).to_owned())
        .collect()
}

fn selected(is_selected: bool) -> (&'static str, StyleName) {
    if is_selected {
        ("▸", StyleName::Selection)
    } else {
        (" ", StyleName::Text)
    }
}

fn given(answer: &Answer) -> String {
    match answer {
        Answer::Text { text } if text.is_empty() => "(empty)".to_owned(),
        Answer::Text { text } => clean(text).into_owned(),
        Answer::Many { options } => clean_line(&options.join(", ")).into_owned(),
        Answer::Confirm { yes: true } => "yes".to_owned(),
        Answer::Confirm { yes: false } => "no".to_owned(),
        Answer::Unanswered => "left open".to_owned(),
    }
}
