//! A question form in the composer's place: tabs, the question, its rows, the keys.
//!
//! Tabs and keys stand still; question and rows scroll together, and the selected row (or the caret) is always shown.

use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
    style::Style,
    text::{Line, Span},
};

use super::{answers::who, form::Form, form_rows};
use crate::{
    domain::question::Answer,
    text::{sanitize::clean_line, truncate::head, width::columns},
    ui::{
        Model,
        focus::Pane,
        keymap::{Action, Scope},
        panes::requests::field::Field,
        theme::StyleName,
        widgets::{
            frame::Title,
            hints::{self, Hint},
            list::Selection,
            scrollbar::{self, Extent},
            text::put_line,
        },
    },
};

/// Columns in front of a text field.
pub const FIELD_INDENT: usize = 2;
/// Columns that a tab's words may take.
const TAB_WORDS: usize = 16;
/// Rows from which on some may stand empty.
const ROOMY: u16 = 8;
/// With fewer columns than these a tab has its number.
const LEAST_TAB_WORDS: usize = 5;

/// What the form shows, before it is cut to the height.
pub struct Content {
    /// The rows.
    pub rows: Vec<Line<'static>>,
    /// The row that must be shown.
    pub focus: usize,
    /// Row and column of the caret, when keys type.
    pub caret: Option<(usize, usize)>,
}

/// What stands in the upper border.
pub fn title(model: &Model) -> Option<Title> {
    let form = model.requests.form()?;
    let number = Pane::Composer.number();
    let title = Title::named(format!("{number} Question · {}", who(&form.form.lineage)));
    let count = form.fields.len();
    if count == 1 {
        return Some(title);
    }
    Some(title.note(if form.is_review() {
        "review".to_owned()
    } else {
        format!("({}/{count})", form.tab + 1)
    }))
}

/// How many rows the form wants at this width.
pub fn wanted_rows(model: &Model, width: u16) -> u16 {
    let Some(form) = model.requests.form() else {
        return 1;
    };
    let content = form_rows::content(model, form, usize::from(width), true)
        .rows
        .len();
    let tabs = if form.tab_count() > 1 { 2 } else { 0 };
    (content + tabs + 2).min(usize::from(u16::MAX)) as u16
}

/// Draws the form in the composer's place.
pub fn view(model: &Model, area: Rect, buffer: &mut Buffer) {
    let Some(form) = model.requests.form() else {
        return;
    };
    let parts = Parts::of(form, area);
    if let Some(tabs) = parts.tabs {
        let line = tab_line(model, form, usize::from(tabs.width));
        put_line(buffer, tabs.x, tabs.y, tabs.width, &line);
    }
    let body = parts.body;
    let content = fitted(model, form, body);
    let first = first_row(&content, body);
    for (y, row) in (body.y..body.bottom()).zip(content.rows.iter().skip(first)) {
        put_line(buffer, body.x, y, body.width, row);
    }
    let extent = Extent {
        first,
        shown: usize::from(body.height),
        total: content.rows.len(),
    };
    let bar = Rect {
        x: body.right(),
        width: 1,
        ..body
    };
    scrollbar::view(extent, bar, buffer, model.style(StyleName::Dim));
    if let Some(foot) = parts.foot {
        put_line(
            buffer,
            foot.x,
            foot.y,
            foot.width,
            &foot_line(model, form, foot),
        );
    }
}

/// Where the cursor stands in the form.
pub fn cursor(model: &Model, area: Rect) -> Option<Position> {
    let form = model.requests.form()?;
    let body = Parts::of(form, area).body;
    let content = fitted(model, form, body);
    let (row, column) = content.caret?;
    let first = first_row(&content, body);
    let y = body.y + row.checked_sub(first)? as u16;
    let x = body.x + (column as u16).min(body.width.saturating_sub(1));
    (y < body.bottom()).then(|| Position::new(x, y))
}

/// The content, without its empty rows where they would take room from the rest.
fn fitted(model: &Model, form: &Form, body: Rect) -> Content {
    let width = usize::from(body.width);
    let content = form_rows::content(model, form, width, true);
    if content.rows.len() <= usize::from(body.height) || body.height >= ROOMY {
        return content;
    }
    form_rows::content(model, form, width, false)
}

struct Parts {
    tabs: Option<Rect>,
    body: Rect,
    foot: Option<Rect>,
}

impl Parts {
    fn of(form: &Form, area: Rect) -> Self {
        let has_tabs = form.tab_count() > 1 && area.height >= 4;
        let has_foot = area.height >= 3;
        // A free row above and below where there is room for them.
        let gap = u16::from(area.height >= ROOMY);
        let top = if has_tabs { 1 + gap } else { 0 };
        let bottom = if has_foot { 1 + gap } else { 0 };
        let row = |y: u16| Rect {
            y,
            height: 1,
            ..area
        };
        Self {
            tabs: has_tabs.then(|| row(area.y)),
            body: Rect {
                y: area.y + top,
                height: area.height.saturating_sub(top + bottom),
                ..area
            },
            foot: has_foot.then(|| row(area.bottom() - 1)),
        }
    }
}

fn first_row(content: &Content, body: Rect) -> usize {
    let height = usize::from(body.height);
    // The question is read first: it stays as long as the focus fits below it.
    if content.focus < height {
        return 0;
    }
    Selection {
        selected: content.focus,
    }
    .first_shown(content.rows.len(), height)
}

fn tab_line(model: &Model, form: &Form, width: usize) -> Line<'static> {
    let answers = form.answers();
    // A text that only the question brought is no answer of the person.
    let marks = form
        .form
        .questions
        .iter()
        .zip(&form.fields)
        .zip(&answers)
        .map(|((question, field), answer)| {
            let is_open = *answer == Answer::Unanswered || !field.is_touched(question);
            if is_open { "○ " } else { "✓ " }
        });
    let words = form.form.questions.iter().map(|question| {
        let words = clean_line(&question.text);
        words.trim_end_matches(['?', ':', '.']).to_owned()
    });
    let labels: Vec<(&str, String)> = marks
        .zip(words)
        .chain([("", "review".to_owned())])
        .collect();
    let room = tab_room(&labels, form.tab, width);
    let mut spans = Vec::new();
    for (index, (mark, words)) in labels.into_iter().enumerate() {
        let is_shown = index == form.tab;
        let words = if is_shown || index >= form.fields.len() {
            head(&words, TAB_WORDS).into_owned()
        } else if room < LEAST_TAB_WORDS {
            (index + 1).to_string()
        } else {
            head(&words, room).into_owned()
        };
        let style = tab_style(model, is_shown);
        let (open, close) = if is_shown { ("[", "]") } else { (" ", " ") };
        spans.push(Span::styled(format!("{open}{mark}{words}{close}"), style));
        spans.push(Span::raw(" "));
    }
    Line::from(spans)
}

/// Columns for the words of each question that is not shown.
fn tab_room(labels: &[(&str, String)], shown: usize, width: usize) -> usize {
    let around: usize = labels.iter().map(|(mark, _)| columns(mark) + 3).sum();
    let whole = |index: usize| {
        labels
            .get(index)
            .map_or(0, |(_, words)| columns(words).min(TAB_WORDS))
    };
    let review = labels.len().saturating_sub(1);
    let kept = whole(shown) + if shown == review { 0 } else { whole(review) };
    let others = review - usize::from(shown < review);
    let free = width.saturating_sub(around + kept);
    free.checked_div(others).unwrap_or(0).min(TAB_WORDS)
}

fn tab_style(model: &Model, is_shown: bool) -> Style {
    model.style(if is_shown {
        StyleName::Question
    } else {
        StyleName::Dim
    })
}

fn foot_line(model: &Model, form: &Form, foot: Rect) -> Line<'static> {
    if let Some(hint) = form.hint {
        return Line::styled(hint.to_owned(), model.style(StyleName::Warn));
    }
    if !model.requests.is_begun
        && let Some(wait) = model.requests.gate.arms_in_ms(model.clock.elapsed_ms)
        && wait > 0
    {
        let words = "just asked · keys answer in a moment";
        return Line::styled(words, model.style(StyleName::Dim));
    }
    hints::line(
        &hints_of(model, form),
        usize::from(foot.width),
        model.style(StyleName::Key),
        model.style(StyleName::Dim),
    )
}

fn hints_of(model: &Model, form: &Form) -> Vec<Hint> {
    let scope = if form.editing {
        Scope::Field
    } else {
        Scope::Question
    };
    keys(form)
        .into_iter()
        .filter_map(|(action, word)| Some((model.keymap.key(scope, action)?, word)))
        .collect()
}

/// The keys of a form and what they do now.
pub fn keys(form: &Form) -> Vec<(Action, &'static str)> {
    let several = form.tab_count() > 1;
    let accept = match (form.shown(), several) {
        (None, _) if form.review_cursor < form.fields.len() => "change",
        (None, _) => "send",
        (Some(_), true) => "next",
        (Some((_, Field::Choice { count, cursor, .. })), _) if cursor == count && !form.editing => {
            "write"
        }
        (Some(_), false) => "send",
    };
    let is_multi = matches!(form.shown(), Some((_, Field::Multi { .. })));
    [
        (Action::Open, accept, true),
        (Action::Toggle, "tick", is_multi),
        (Action::NewLine, "newline", form.editing),
        (Action::NextRequest, "next question", several),
        (
            Action::Back,
            if form.editing { "back" } else { "later" },
            true,
        ),
        (Action::Decline, "decline", true),
    ]
    .into_iter()
    .filter(|(_, _, is_offered)| *is_offered)
    .map(|(action, word, _)| (action, word))
    .collect()
}
