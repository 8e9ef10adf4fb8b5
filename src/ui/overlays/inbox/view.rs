//! Draws the list and, below it, the box of the selected request.

use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
};

use super::keys::{selected, selected_row};
use crate::{
    text::{sanitize::reveal_line, width::columns},
    ui::{
        Model,
        cells::{self, Scene},
        keymap::{Action, Scope},
        overlays::surface,
        panes::{
            conversation,
            requests::{
                LEAST_BOX_ROWS, Waiting, answering::several, approval::Approval, state::Request,
            },
        },
        rows::{Row, draw},
        theme::StyleName,
        view,
        widgets::{
            frame::Title,
            scrollbar::{self, Extent},
            text::put,
        },
    },
};

/// The list and the box below it.
struct Parts {
    list: Rect,
    below: Rect,
}

fn parts(model: &Model, body: Rect) -> Parts {
    let inside = Rect::new(
        body.x + 2,
        body.y + 1,
        body.width.saturating_sub(4),
        body.height.saturating_sub(2),
    );
    let rows = several::groups(&model.requests).len() as u16;
    let list = rows.min((inside.height / 3).max(1)).min(inside.height);
    let gap = u16::from(inside.height > list + 6);
    let top = inside.y + list + gap;
    Parts {
        list: Rect {
            height: list,
            ..inside
        },
        below: Rect {
            y: top,
            height: inside.bottom().saturating_sub(top),
            ..inside
        },
    }
}

fn body(model: &Model) -> Rect {
    view::body(&view::layout(model), model)
}

/// How much of the selected request is in sight below the list: `None` when it is nothing, else whether all that must
/// be seen before it is allowed is.
pub fn box_in_sight(model: &Model) -> Option<bool> {
    let below = parts(model, body(model)).below;
    let approval = model.requests.focused_approval()?;
    let (_, is_whole) = drawn(model, approval, below);
    (usize::from(below.height) >= LEAST_BOX_ROWS).then_some(is_whole)
}

/// The first row of the list that is shown.
fn first_row(model: &Model, height: u16) -> usize {
    let rows = several::groups(&model.requests).len();
    let height = usize::from(height);
    selected_row(model)
        .saturating_sub(height / 2)
        .min(rows.saturating_sub(height))
}

/// The row of the list at a place.
pub(super) fn row_at(model: &Model, body: Rect, place: (u16, u16)) -> Option<usize> {
    let list = parts(model, body).list;
    let hit = list.contains(place.into());
    hit.then(|| first_row(model, list.height) + usize::from(place.1 - list.y))
}

/// Draws it.
pub fn view(model: &Model, body: Rect, buffer: &mut Buffer) -> Option<Position> {
    let count = model.requests.open().count();
    let marked = model.requests.marked.len();
    let mut title = Title::named("Inbox").note(format!("{count} wait for you"));
    if marked > 0 {
        title = title.right(format!("{marked} marked"));
    }
    let inside = surface::open(model, body, &title, buffer);
    if inside.is_empty() {
        return None;
    }
    let Parts { list, below } = parts(model, body);
    let groups = several::groups(&model.requests);
    let first = first_row(model, list.height);
    let here = selected_row(model);
    for (y, (index, group)) in (list.y..list.bottom()).zip(groups.iter().enumerate().skip(first)) {
        let area = Rect::new(list.x, y, list.width, 1);
        row(model, group, area, buffer);
        if index == here {
            let area = Rect::new(list.x - 1, y, list.width + 2, 1);
            let style = model.style(StyleName::Selection);
            buffer.set_style(area.intersection(buffer.area), style);
        }
    }
    let extent = Extent {
        first,
        shown: usize::from(list.height),
        total: groups.len(),
    };
    let bar = Rect::new(body.right().saturating_sub(1), list.y, 1, list.height);
    scrollbar::view(extent, bar, buffer, model.style(StyleName::BorderFocused));
    asked(model, below, buffer);
    None
}

/// One row: marked, who, what, how often, since when.
fn row(model: &Model, group: &[&Waiting], area: Rect, buffer: &mut Buffer) {
    let Some(first) = group.first() else { return };
    let is_marked = model.requests.marked.contains(&first.id);
    let (tool, subject) = match &first.request {
        Request::Approval(approval) => (
            reveal_line(&approval.request.tool).text,
            reveal_line(&approval.request.subject).text,
        ),
        Request::Form(form) => (
            "asks".to_owned(),
            form.form
                .questions
                .first()
                .map_or_else(String::new, |question| reveal_line(&question.text).text),
        ),
    };
    let count = match group.len() {
        1 => String::new(),
        count => format!("{count}× · "),
    };
    let note = format!("{count}{}", model.clock.age(first.at_ms));
    let note_columns = (columns(&note) as u16).min(area.width / 2);
    let end = area.right().saturating_sub(note_columns);
    put(
        buffer,
        end,
        area.y,
        note_columns,
        &note,
        model.style(StyleName::Dim),
    );
    let end = end.saturating_sub(2);
    let mut x = area.x;
    let mut word = |text: &str, name: StyleName, gap: u16| {
        let room = end.saturating_sub(x);
        x += put(buffer, x, area.y, room, text, model.style(name)) + gap;
    };
    word(if is_marked { "✓" } else { " " }, StyleName::Good, 1);
    word(
        &reveal_line(first.agent().as_str()).text,
        StyleName::Approval,
        1,
    );
    word(&tool, StyleName::Tool, 1);
    word(&subject, StyleName::Text, 0);
}

fn drawn(model: &Model, approval: &Approval, area: Rect) -> (Vec<Row>, bool) {
    let scene = Scene {
        model,
        highlights: conversation::highlights(model),
        diff: model.conversation.diff,
        width: usize::from(area.width),
        rows: usize::from(area.height),
    };
    cells::approval_rows(&approval.request, usize::from(area.height), &scene)
}

/// The box of the selected request, or where a form is answered.
fn asked(model: &Model, area: Rect, buffer: &mut Buffer) {
    let Some(approval) = model.requests.focused_approval() else {
        if selected(model).is_some() && !area.is_empty() {
            let key = model.keymap.key(Scope::Approval, Action::Open);
            let words = format!("{} opens the form", key.unwrap_or_default());
            let style = model.style(StyleName::Dim);
            put(buffer, area.x, area.y, area.width, &words, style);
        }
        return;
    };
    let (rows, _) = drawn(model, approval, area);
    for (y, row) in (area.y..area.bottom()).zip(&rows) {
        let area = Rect::new(area.x, y, area.width, 1);
        draw(row, &model.theme, area, buffer);
    }
}
