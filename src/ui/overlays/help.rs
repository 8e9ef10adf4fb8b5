//! The manual: the keys that work where the keyboard was when help was asked for, then the pages of `src/manual`.

use std::cell::OnceCell;

use crossterm::event::{MouseEvent, MouseEventKind};
use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
};

use super::surface;
use crate::ui::{
    Model,
    highlight::Highlights,
    keymap::{Action, Scope},
    markdown::Document,
    rows::{Flow, Piece, Row, Stack, draw, flow},
    theme::StyleName,
    widgets::{
        frame::Title,
        list::Selection,
        scrollbar::{self, Extent},
    },
};

/// Columns of the box.
const WIDTH: u16 = 100;
/// Columns of the keys in front of their meaning.
const KEYS: usize = 26;
/// With fewer columns than this a meaning stands below its keys.
const SIDE_BY_SIDE: usize = 56;

/// The pages behind the keys of the pane: name and text.
const PAGES: [(&str, &str); 4] = [
    ("guide", include_str!("../../manual/guide.md")),
    ("all keys", include_str!("../../manual/keys.md")),
    ("tools", include_str!("../../manual/tools.md")),
    ("settings", include_str!("../../manual/settings.md")),
];

/// Which page is shown, and how far it is scrolled.
#[derive(Debug)]
pub struct State {
    scope: Scope,
    /// 0 is the page of the keys, the others are those of [`PAGES`].
    page: usize,
    top: Selection,
    documents: [OnceCell<Document>; PAGES.len()],
}

impl State {
    /// The keys of a scope.
    pub fn of(scope: Scope) -> Self {
        Self {
            scope,
            page: 0,
            top: Selection::default(),
            documents: Default::default(),
        }
    }

    /// Takes an action: scrolls, or turns the page.
    pub fn update(&mut self, model: &Model, action: Action) {
        let pages = PAGES.len() + 1;
        let page = match action {
            Action::Open | Action::NextMatch => (self.page + 1) % pages,
            Action::PreviousMatch => (self.page + pages - 1) % pages,
            _ => self.page,
        };
        if page != self.page {
            self.page = page;
            self.top = Selection::default();
            return;
        }
        let height = usize::from(model.screen.rows.saturating_sub(4)).max(1);
        let width = usize::from(model.screen.columns.min(WIDTH).saturating_sub(4));
        let rows = self.rows(model, width).len();
        let last = rows.saturating_sub(height) + 1;
        self.top.update(action, last, height.saturating_sub(1));
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

    fn rows(&self, model: &Model, width: usize) -> Stack {
        let Some(index) = self.page.checked_sub(1) else {
            let mut stack = Stack::default();
            stack.push(keys(model, self.scope, width).into());
            return stack;
        };
        let (Some(cell), Some((_, text))) = (self.documents.get(index), PAGES.get(index)) else {
            return Stack::default();
        };
        let document = cell.get_or_init(|| Document::new(without_comments(text)));
        document.rows(width, 0, &Highlights::default())
    }

    fn title(&self) -> Title {
        let name = match self.page.checked_sub(1).and_then(|index| PAGES.get(index)) {
            Some((name, _)) => name,
            None => heading(self.scope),
        };
        Title::named("Manual")
            .note(format!("{name} ({} of {})", self.page + 1, PAGES.len() + 1))
            .right("Enter next page")
    }
}

/// The marks between which the tables are generated are not for readers.
fn without_comments(text: &str) -> String {
    let lines = text.split_inclusive('\n');
    lines.filter(|line| !line.starts_with("<!--")).collect()
}

fn heading(scope: Scope) -> &'static str {
    match scope {
        Scope::Global => "keys everywhere",
        Scope::List => "keys to move",
        Scope::Field => "keys in a text field",
        Scope::Conversation => "keys in the conversation",
        Scope::Composer => "keys while you write",
        Scope::Agents => "keys in the agents",
        Scope::Checklist => "keys in the checklist",
        Scope::Scratchpad => "keys in the scratchpad",
        Scope::Context => "keys in the context gauge",
        Scope::Approval => "keys in an approval",
        Scope::Question => "keys in a form",
        Scope::Viewer => "keys in the viewer",
    }
}

/// The keys of a scope, nearest scope first.
fn keys(model: &Model, scope: Scope, width: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    for part in scope.chain() {
        let actions = Action::ALL
            .iter()
            .filter(|action| action.scopes().contains(part));
        let own: Vec<Row> = actions
            .map(|action| (model.keymap.keys(scope, *action).join("  "), action.doc()))
            .filter(|(keys, _)| !keys.is_empty())
            .flat_map(|(keys, doc)| key(&keys, doc, width))
            .collect();
        if own.is_empty() {
            continue;
        }
        if !rows.is_empty() {
            rows.push(Row::empty());
        }
        rows.push(Row::of(heading(*part), StyleName::Heading));
        rows.extend(own);
    }
    rows
}

/// Keys and their meaning: side by side, or one below the other where there is no room.
fn key(keys: &str, doc: &str, width: usize) -> Vec<Row> {
    let keys = Piece::new(keys, StyleName::Key);
    let is_wide = width >= SIDE_BY_SIDE;
    let indent = if is_wide { KEYS } else { 2 };
    let mut rows = Vec::new();
    let mut first = vec![Piece::blank(indent)];
    if is_wide && keys.columns() < KEYS {
        first = vec![Piece::blank(KEYS - keys.columns())];
        first.insert(0, keys);
    } else {
        rows.push(Row::new(vec![keys]));
    }
    let how = Flow {
        width,
        first: &first,
        rest: &[Piece::blank(indent)],
        words: true,
    };
    rows.extend(flow(&[Piece::text(doc)], &how));
    rows
}

/// Draws the page.
pub fn view(model: &Model, state: &State, body: Rect, buffer: &mut Buffer) -> Option<Position> {
    let area = surface::centred(body, WIDTH, u16::MAX);
    let inside = surface::open(model, area, &state.title(), buffer);
    let rows = state.rows(model, usize::from(inside.width));
    let height = usize::from(inside.height);
    let first = state.top.selected.min(rows.len().saturating_sub(height));
    for (y, row) in (inside.y..inside.bottom()).zip(rows.rows_from(first)) {
        draw(
            row,
            &model.theme,
            Rect::new(inside.x, y, inside.width, 1),
            buffer,
        );
    }
    let extent = Extent {
        first,
        shown: height,
        total: rows.len(),
    };
    let bar = Rect::new(area.right().saturating_sub(1), inside.y, 1, inside.height);
    scrollbar::view(extent, bar, buffer, model.style(StyleName::BorderFocused));
    None
}
