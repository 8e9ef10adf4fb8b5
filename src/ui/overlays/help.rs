//! The manual: the keys that work where the keyboard was when help was asked for, then the pages of `src/manual`.

use std::cell::OnceCell;

use crossterm::event::{KeyEvent, MouseEvent, MouseEventKind};
use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
};

use super::surface;
use crate::{
    text::{find, sanitize::clean_line, width::columns},
    ui::{
        Model,
        highlight::Highlights,
        keymap::{Action, Scope},
        markdown::Document,
        rows::{Flow, Piece, Row, Stack, draw, flow},
        theme::StyleName,
        widgets::{
            field::Field,
            frame::Title,
            list::Selection,
            scrollbar::{self, Extent},
            text::put,
        },
    },
};

/// Columns of the box.
const WIDTH: u16 = 100;
/// Columns of the keys in front of their meaning.
const KEYS: usize = 26;
/// With fewer columns than this a meaning stands below its keys.
const SIDE_BY_SIDE: usize = 56;

/// The page behind which the tools of the configuration stand.
const TOOLS: &str = "tools";

/// The pages behind the keys of the pane: name and text.
const PAGES: [(&str, &str); 4] = [
    ("guide", include_str!("../../manual/guide.md")),
    ("all keys", include_str!("../../manual/keys.md")),
    (TOOLS, include_str!("../../manual/tools.md")),
    ("settings", include_str!("../../manual/settings.md")),
];

/// Which page is shown, and how far it is scrolled.
#[derive(Debug)]
pub struct State {
    scope: Scope,
    /// 0 is the page of the keys, the others are those of [`PAGES`].
    page: usize,
    top: Selection,
    /// What is searched.
    query: String,
    /// The row of the present match.
    found: Option<usize>,
    /// The search being typed.
    typing: Option<Field>,
    documents: [OnceCell<Document>; PAGES.len()],
}

impl State {
    /// The keys of a scope.
    pub fn of(scope: Scope) -> Self {
        Self {
            scope,
            page: 0,
            top: Selection::default(),
            query: String::new(),
            found: None,
            typing: None,
            documents: Default::default(),
        }
    }

    /// The scope of its keys.
    pub fn scope(&self) -> Scope {
        match self.typing {
            Some(_) => Scope::Field,
            None => Scope::List,
        }
    }

    /// Takes an action: scrolls, turns the page, searches. False when the manual is to be closed.
    pub fn update(&mut self, model: &Model, action: Action) -> bool {
        match (action, self.typing.take()) {
            (Action::Open, Some(field)) => {
                field.text().trim().clone_into(&mut self.query);
                self.found = None;
                self.find(model, true);
            }
            (_, Some(_)) => {}
            (Action::Back, None) => return false,
            (Action::Search, None) => self.typing = Some(Field::default()),
            (Action::NextMatch | Action::PreviousMatch, None) if !self.query.is_empty() => {
                self.find(model, action == Action::NextMatch);
            }
            (Action::Open | Action::NextMatch, None) => self.turn(1),
            (Action::PreviousMatch, None) => self.turn(Self::COUNT - 1),
            (_, None) => {
                let (width, height) = size(model);
                let rows = self.rows(model, width).len();
                let last = rows.saturating_sub(height) + 1;
                self.top.update(action, last, height.saturating_sub(1));
            }
        }
        true
    }

    /// Whether an action that is called by name does something now.
    pub fn offers(&self, action: Action) -> bool {
        matches!(
            action,
            Action::Open
                | Action::NextMatch
                | Action::PreviousMatch
                | Action::Search
                | Action::Back
        )
    }

    /// How many pages there are.
    const COUNT: usize = PAGES.len() + 1;

    fn turn(&mut self, by: usize) {
        self.page = (self.page + by) % Self::COUNT;
        self.top = Selection::default();
        self.found = None;
    }

    /// Takes a key of the search.
    pub fn input(&mut self, key: KeyEvent) {
        if let Some(field) = &mut self.typing {
            field.input(key);
        }
    }

    /// Takes pasted text into the search.
    pub fn paste(&mut self, text: &str) -> usize {
        self.typing.as_mut().map_or(0, |field| field.insert(text))
    }

    /// Goes to the next row with what is searched, through all pages and round again.
    fn find(&mut self, model: &Model, forward: bool) {
        let (width, height) = size(model);
        let step = if forward { 1 } else { Self::COUNT - 1 };
        let begin = (self.page, self.found);
        let Some(pattern) = find::words(&self.query) else {
            return;
        };
        // The page where the search began is looked at last as well, for what lies before that row.
        for turn in 0..=Self::COUNT {
            self.page = (begin.0 + turn * step) % Self::COUNT;
            let rows: Vec<Row> = self.rows(model, width).rows_from(0).cloned().collect();
            let is_match = |at: &usize| {
                let row = rows.get(*at);
                row.is_some_and(|row| pattern.is_match(&row.text()))
            };
            let from = begin.1.filter(|_| turn == 0);
            let found = if forward {
                (from.map_or(0, |at| at + 1)..rows.len()).find(is_match)
            } else {
                (0..from.unwrap_or(rows.len())).rev().find(is_match)
            };
            if let Some(at) = found {
                self.found = Some(at);
                let last = rows.len().saturating_sub(height);
                self.top.selected = at.saturating_sub(height / 3).min(last);
                return;
            }
        }
        (self.page, self.found) = (begin.0, None);
    }

    /// Takes the mouse.
    pub fn mouse(&mut self, model: &Model, mouse: MouseEvent) {
        let action = match mouse.kind {
            MouseEventKind::ScrollUp => Action::Up,
            MouseEventKind::ScrollDown => Action::Down,
            _ => return,
        };
        for _ in 0..3 {
            self.update(model, action);
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
        let document = cell.get_or_init(|| {
            let mut text = without_comments(text);
            if PAGES.get(index).is_some_and(|(name, _)| *name == TOOLS) {
                text.push_str(&declared(model));
            }
            Document::new(text)
        });
        document.rows(width, 0, &Highlights::default())
    }

    fn title(&self) -> Title {
        let name = match self.page.checked_sub(1).and_then(|index| PAGES.get(index)) {
            Some((name, _)) => name,
            None => heading(self.scope),
        };
        Title::named("Manual")
            .note(format!("{name} ({} of {})", self.page + 1, PAGES.len() + 1))
            .right(match (self.query.as_str(), self.found) {
                ("", _) => "Enter next page".to_owned(),
                (query, Some(_)) => format!("/{query}"),
                (query, None) => format!("/{query} is nowhere"),
            })
    }
}

/// Columns and rows that a page has on this screen.
fn size(model: &Model) -> (usize, usize) {
    let columns = model.screen.columns.min(WIDTH).saturating_sub(4);
    let rows = model.screen.rows.saturating_sub(4).max(1);
    (usize::from(columns), usize::from(rows))
}

/// The marks between which the tables are generated are not for readers.
fn without_comments(text: &str) -> String {
    let lines = text.split_inclusive('\n');
    lines.filter(|line| !line.starts_with("<!--")).collect()
}

/// The tools of the configuration, as they are now. What they say of themselves is text and nothing else.
fn declared(model: &Model) -> String {
    let tools = &model.session.declared;
    if tools.is_empty() {
        return String::new();
    }
    let cell = |text: &str| {
        let text = clean_line(text);
        let plain = |letter: char| match letter {
            letter if letter.is_ascii_punctuation() => format!("\\{letter}"),
            letter => letter.to_string(),
        };
        text.chars().map(plain).collect::<String>()
    };
    let rows = tools.iter().map(|(name, does)| {
        let (name, does) = (cell(name), cell(does));
        format!("| {name} | {does} |\n")
    });
    let rows: String = rows.collect();
    format!("\n## Tools of your configuration\n\n| tool | what it does |\n|---|---|\n{rows}")
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
        Scope::Rules => "keys in the list of rules",
        Scope::Viewer => "keys in the viewer",
        Scope::Terminal => "keys while you type into a program",
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
    let shown = rows.rows_from(first).enumerate();
    let pattern = find::words(&state.query);
    for (y, (number, row)) in (inside.y..inside.bottom()).zip(shown) {
        let line = Rect::new(inside.x, y, inside.width, 1);
        draw(row, &model.theme, line, buffer);
        let text = row.text();
        for found in pattern.iter().flat_map(|pattern| pattern.find_iter(&text)) {
            let before = columns(text.get(..found.start()).unwrap_or_default()) as u16;
            let taken = columns(found.as_str()) as u16;
            let place = Rect::new(line.x + before, y, taken, 1);
            buffer.set_style(place.intersection(line), model.style(StyleName::Match));
        }
        if state.found == Some(first + number) {
            let bar = Rect::new(line.x - 1, y, 1, 1);
            put(buffer, bar.x, y, 1, "▎", model.style(StyleName::Accent));
        }
    }
    let extent = Extent {
        first,
        shown: height,
        total: rows.len(),
    };
    let bar = Rect::new(area.right().saturating_sub(1), inside.y, 1, inside.height);
    scrollbar::view(extent, bar, buffer, model.style(StyleName::BorderFocused));
    let field = state.typing.as_ref().filter(|_| !inside.is_empty())?;
    let y = inside.bottom() - 1;
    let line = Rect::new(inside.x, y, inside.width, 1);
    for position in line.positions() {
        if let Some(cell) = buffer.cell_mut(position) {
            cell.reset();
        }
    }
    let used = put(buffer, line.x, y, 2, "/ ", model.style(StyleName::Accent));
    let place = Rect::new(line.x + used, y, line.width - used, 1);
    field.view(place, buffer, model.style(StyleName::Text));
    let column = field.cursor_column(place.width);
    Some(Position::new(
        place.x + column.min(place.width.saturating_sub(1)),
        y,
    ))
}
