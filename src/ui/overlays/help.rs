//! The keys that work where the keyboard was when help was asked for, nearest scope first.

use crossterm::event::{MouseEvent, MouseEventKind};
use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
};
use unicode_width::UnicodeWidthStr;

use super::surface;
use crate::ui::{
    Model,
    keymap::{Action, Scope},
    theme::StyleName,
    widgets::{
        frame::Title,
        list::Selection,
        scrollbar::{self, Extent},
        text::put,
    },
};

/// Columns of the box.
const WIDTH: u16 = 92;
/// Columns of the keys.
const KEYS: u16 = 26;

/// A line of the page.
enum Line {
    Heading(&'static str),
    Key(String, &'static str),
    Blank,
}

/// Which keys are shown, and how far the page is scrolled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    scope: Scope,
    top: Selection,
}

impl State {
    /// The keys of a scope.
    pub fn of(scope: Scope) -> Self {
        Self {
            scope,
            top: Selection::default(),
        }
    }

    /// Takes an action.
    pub fn update(&mut self, model: &Model, action: Action) {
        let height = usize::from(model.screen.rows.saturating_sub(4)).max(1);
        let rows = lines(model, self.scope).len().saturating_sub(height) + 1;
        self.top.update(action, rows, height.saturating_sub(1));
    }

    /// Takes the mouse.
    pub fn mouse(&mut self, model: &Model, mouse: MouseEvent) {
        for _ in 0..3 {
            match mouse.kind {
                MouseEventKind::ScrollUp => self.update(model, Action::Up),
                MouseEventKind::ScrollDown => self.update(model, Action::Down),
                _ => {}
            }
        }
    }
}

fn heading(scope: Scope) -> &'static str {
    match scope {
        Scope::Global => "everywhere",
        Scope::List => "moving",
        Scope::Field => "in a text field",
        Scope::Conversation => "in the conversation",
        Scope::Composer => "while you write",
        Scope::Agents => "in the agents",
        Scope::Checklist => "in the checklist",
        Scope::Scratchpad => "in the scratchpad",
        Scope::Context => "in the context gauge",
        Scope::Approval => "in an approval",
        Scope::Question => "in a form",
        Scope::Viewer => "in the viewer",
    }
}

fn lines(model: &Model, scope: Scope) -> Vec<Line> {
    let mut lines = Vec::new();
    for part in scope.chain() {
        let actions = Action::ALL
            .iter()
            .filter(|action| action.scopes().contains(part));
        let keys: Vec<Line> = actions
            .map(|action| {
                let keys = model.keymap.keys(scope, *action);
                (keys.join("  "), action.doc())
            })
            .filter(|(keys, _)| !keys.is_empty())
            .map(|(keys, doc)| Line::Key(keys, doc))
            .collect();
        if keys.is_empty() {
            continue;
        }
        if !lines.is_empty() {
            lines.push(Line::Blank);
        }
        lines.push(Line::Heading(heading(*part)));
        lines.extend(keys);
    }
    lines
}

/// Draws the page.
pub fn view(model: &Model, state: &State, body: Rect, buffer: &mut Buffer) -> Option<Position> {
    let lines = lines(model, state.scope);
    let area = surface::centred(body, WIDTH, (lines.len() as u16).saturating_add(2));
    let title = Title::named("Keys").note(heading(state.scope));
    let inside = surface::open(model, area, &title, buffer);
    let height = usize::from(inside.height);
    let first = state.top.selected.min(lines.len().saturating_sub(height));
    for (y, line) in (inside.y..inside.bottom()).zip(lines.iter().skip(first)) {
        draw(model, line, Rect::new(inside.x, y, inside.width, 1), buffer);
    }
    let extent = Extent {
        first,
        shown: height,
        total: lines.len(),
    };
    let bar = Rect::new(area.right().saturating_sub(1), inside.y, 1, inside.height);
    scrollbar::view(extent, bar, buffer, model.style(StyleName::BorderFocused));
    None
}

fn draw(model: &Model, line: &Line, area: Rect, buffer: &mut Buffer) {
    match line {
        Line::Blank => {}
        Line::Heading(text) => {
            put(
                buffer,
                area.x,
                area.y,
                area.width,
                text,
                model.style(StyleName::Heading),
            );
        }
        Line::Key(keys, doc) => {
            let columns = (keys.width() as u16 + 2).max(KEYS).min(area.width);
            put(
                buffer,
                area.x,
                area.y,
                columns,
                keys,
                model.style(StyleName::Key),
            );
            let x = area.x + columns;
            let room = area.right().saturating_sub(x);
            put(buffer, x, area.y, room, doc, model.style(StyleName::Text));
        }
    }
}
