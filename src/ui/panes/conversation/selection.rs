//! The mouse over the transcript, and text that leaves it: what is copied is what is read, without bars, guides and
//! line numbers, rows of one line joined.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;

use super::{
    actions::scroll_by,
    entry::{Body, Entry, EntryKey},
    pane::window,
};
use crate::{
    text::{sanitize::clean, width::offset_at},
    ui::{
        Effect, Model,
        cells::default_fold,
        panes::requests,
        rows::{Joint, Row, plain},
    },
};

/// Rows that a turn of the wheel goes.
const WHEEL: isize = 3;

/// A place in the text: entry, row of it, column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    /// The entry.
    pub key: EntryKey,
    /// Its row, without the gap.
    pub row: usize,
    /// The column.
    pub column: usize,
}

/// What the mouse has marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Selection {
    /// Where the button went down.
    pub from: Place,
    /// Where the mouse is.
    pub to: Place,
}

impl Selection {
    /// Both ends in reading order.
    pub(super) fn ends(&self) -> (Place, Place) {
        (self.from.min(self.to), self.from.max(self.to))
    }

    /// The marked columns of a row; the end is not part of it.
    pub(super) fn columns(&self, key: EntryKey, row: usize) -> Option<(usize, usize)> {
        let (from, to) = self.ends();
        if (key, row) < (from.key, from.row) || (key, row) > (to.key, to.row) {
            return None;
        }
        let start = if (key, row) == (from.key, from.row) {
            from.column
        } else {
            0
        };
        let end = if (key, row) == (to.key, to.row) {
            to.column + 1
        } else {
            usize::MAX
        };
        Some((start, end))
    }
}

/// Takes the mouse over the content.
pub fn mouse(model: &mut Model, mouse: MouseEvent, area: Rect) -> Vec<Effect> {
    match mouse.kind {
        MouseEventKind::ScrollUp => wheel(model, -WHEEL),
        MouseEventKind::ScrollDown => wheel(model, WHEEL),
        MouseEventKind::Down(MouseButton::Left) => {
            model.conversation.selection = None;
            if let Some(place) = place(model, mouse, area) {
                model.conversation.selection = Some(Selection {
                    from: place,
                    to: place,
                });
            }
            Vec::new()
        }
        MouseEventKind::Drag(MouseButton::Left) => {
            if mouse.row < area.y {
                scroll_by(model, -1);
            } else if mouse.row >= area.bottom() {
                scroll_by(model, 1);
            }
            let to = place(model, mouse, area);
            if let (Some(selection), Some(to)) = (&mut model.conversation.selection, to) {
                selection.to = to;
            }
            Vec::new()
        }
        MouseEventKind::Up(MouseButton::Left) => release(model),
        _ => Vec::new(),
    }
}

/// Whether the button went down over the text and was not let go yet.
pub fn is_marking(model: &Model) -> bool {
    model.conversation.selection.is_some()
}

/// Goes on with marking, wherever the mouse is.
pub fn drag(model: &mut Model, event: MouseEvent) -> Vec<Effect> {
    let area = super::pane::area(model);
    mouse(model, event, area)
}

fn wheel(model: &mut Model, rows: isize) -> Vec<Effect> {
    scroll_by(model, rows);
    let area = super::pane::area(model);
    let is_near = super::actions::is_near_top(&window(model, area), model);
    model.conversation.want_past(is_near)
}

/// The place under the mouse, or the nearest one in the window.
fn place(model: &Model, mouse: MouseEvent, area: Rect) -> Option<Place> {
    let window = window(model, area);
    let row = usize::from(mouse.row.saturating_sub(area.y)).min(window.rows.saturating_sub(1));
    let column = usize::from(mouse.column.saturating_sub(area.x));
    let placed = window.placed(model.conversation.looking().scroll);
    let found = placed.iter().rev().find(|placed| placed.top <= row)?;
    let inside = (row - found.top).saturating_sub(found.gap) + found.skip;
    let last = found.rows.len().saturating_sub(1);
    Some(Place {
        key: found.key,
        row: inside.min(last),
        column,
    })
}

/// A click focuses (and folds, on the glyph); a drag copies.
fn release(model: &mut Model) -> Vec<Effect> {
    let Some(selection) = model.conversation.selection.take() else {
        return Vec::new();
    };
    if selection.from == selection.to {
        return click(model, selection.from);
    }
    let text = selected_text(model, &selection);
    if text.trim().is_empty() {
        return Vec::new();
    }
    vec![Effect::Copy(text)]
}

/// A click on a box that asks goes there.
fn click(model: &mut Model, place: Place) -> Vec<Effect> {
    model.conversation.look().focus = Some(place.key);
    let asking = match model.conversation.transcript().get(place.key) {
        Some(Entry {
            body: Body::Call(call),
            ..
        }) => call.open_request().map(|request| request.id),
        _ => None,
    };
    if let Some(request) = asking {
        return requests::keyboard::go_to(model, request);
    }
    let agent = model.conversation.shown.clone();
    if place.row == 0
        && place.column < 2
        && let Some(transcript) = model.conversation.transcripts.get_mut(&agent)
        && let Some(entry) = transcript.change(place.key)
    {
        let fold = entry.fold.unwrap_or_else(|| default_fold(entry));
        entry.fold = Some(fold.next());
    }
    Vec::new()
}

/// What is marked, as it is read.
fn selected_text(model: &Model, selection: &Selection) -> String {
    let (from, to) = selection.ends();
    let window = window(model, super::pane::area(model));
    let mut text = String::new();
    for key in from.key..=to.key {
        let rows = window.transcript.rows(key, &window.scene);
        for (index, row) in rows.iter().enumerate() {
            let Some((start, end)) = selection.columns(key, index) else {
                continue;
            };
            let part = part(row, start.max(row.gutter), end);
            if !text.is_empty() {
                match row.joint {
                    Joint::Line => text.push('\n'),
                    Joint::Blank => text.push(' '),
                    Joint::Cut => {}
                }
            }
            text.push_str(part.trim_end());
        }
    }
    text
}

fn part(row: &Row, start: usize, end: usize) -> String {
    let whole = row.text();
    let from = offset_at(&whole, start);
    let to = if end == usize::MAX {
        whole.len()
    } else {
        offset_at(&whole, end).max(from)
    };
    whole.get(from..to).unwrap_or_default().to_owned()
}

/// An entry as text: as it is read, or as it was written.
pub(super) fn entry_text(model: &Model, key: EntryKey, entry: &Entry, as_markdown: bool) -> String {
    let source = match &entry.body {
        Body::Said { text, .. } | Body::Reasoning { text, .. } => text.clone(),
        Body::Reply { document, .. } if as_markdown => document.source().to_owned(),
        Body::Call(call) if as_markdown => {
            let output = call
                .result
                .as_ref()
                .map_or(call.output.as_str(), |result| result.text.as_str());
            let fence = "`".repeat(longest_run(output).max(2) + 1);
            let arguments = call.arguments();
            format!(
                "**{}** `{arguments}`\n\n{fence}\n{}\n{fence}\n",
                call.call.name,
                output.trim_end()
            )
        }
        Body::Call(call) => match &call.result {
            Some(result) => result.text.clone(),
            None => call.output.clone(),
        },
        _ => {
            let window = window(model, super::pane::area(model));
            let rows: Vec<Row> = window
                .transcript
                .rows(key, &window.scene)
                .iter()
                .cloned()
                .collect();
            plain(&rows)
        }
    };
    clean(&source).into_owned()
}

/// The longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|character| character != '`')
        .map(str::len)
        .max()
        .unwrap_or(0)
}
