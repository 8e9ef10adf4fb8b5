//! A whole output with its own scroll, search and follow. Positions are lines of the text, so that a resize or a
//! change of wrapping keeps what is read at the top; nothing is measured but what is shown.

use crossterm::event::{KeyEvent, MouseEvent, MouseEventKind};
use regex::Regex;

use super::viewer_rows::{Lines, Shape};
pub use super::viewer_source::Source;
use crate::{
    text::{find, width::columns},
    ui::{
        Effect, Model,
        keymap::{Action, Scope},
        overlays::Overlay,
        panes::{self, requests::answering::in_full::Reading},
        widgets::field::Field,
    },
};

/// What is shown and where.
#[derive(Debug)]
pub struct State {
    /// What it is: `shell_execute cargo test -q`.
    pub title: String,
    /// Where it comes from.
    pub source: Source,
    /// Why the text will not come.
    pub failed: Option<String>,
    /// Whether the end is to be shown.
    pub follows: bool,
    /// The search being typed.
    pub typing: Option<Field>,
    /// The lines; `None` until they have come.
    pub(super) lines: Option<Lines>,
    /// Lines of a running call that were known once and are not any more.
    pub(super) dropped: usize,
    /// The line at the top, and the byte of it where the top row begins: what is read stays at the top however wide
    /// the rows are.
    pub(super) top: (usize, usize),
    /// Whether long lines are wrapped; else they are cut.
    wraps: bool,
    /// What is searched.
    pub(super) pattern: Option<Regex>,
    /// Line and byte of the present match.
    pub(super) found: Option<(usize, usize)>,
    /// The request that is read here, and can be answered.
    pub reading: Option<Reading>,
}

/// Columns and rows for text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    /// Columns.
    pub(super) columns: usize,
    /// Rows.
    pub(super) rows: usize,
}

/// Opens a viewer.
pub fn open(model: &mut Model, title: impl Into<String>, source: Source) -> Vec<Effect> {
    let mut state = State::of(title.into(), source);
    let effects = state.fill(&model.conversation);
    model.overlay.open(Overlay::Viewer(state));
    effects
}

/// Opens a viewer of a request that can be answered in it.
pub fn open_request(
    model: &mut Model,
    title: impl Into<String>,
    source: Source,
    reading: Reading,
) -> Vec<Effect> {
    let effects = open(model, title, source);
    if let Some(Overlay::Viewer(state)) = model.overlay.top_mut() {
        state.reading = Some(reading);
    }
    effects
}

/// Columns and rows that the viewer has on this screen.
pub(super) fn size(model: &Model) -> Size {
    let columns = usize::from(model.screen.columns).saturating_sub(4);
    let rows = usize::from(model.screen.rows).saturating_sub(4);
    Size {
        columns: columns.max(1),
        rows: rows.max(1),
    }
}

impl State {
    /// The scope of its keys.
    pub fn scope(&self) -> Scope {
        match self.typing {
            Some(_) => Scope::Field,
            None => Scope::Viewer,
        }
    }

    pub(super) fn of(title: String, source: Source) -> Self {
        Self {
            title,
            follows: matches!(source, Source::Running(..)),
            source,
            failed: None,
            typing: None,
            lines: None,
            dropped: 0,
            top: (0, 0),
            wraps: true,
            pattern: None,
            found: None,
            reading: None,
        }
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

    /// Whether an action that is called by name does something now.
    pub fn offers(&self, model: &Model, action: Action) -> bool {
        let has_text = self.lines.is_some() && self.failed.is_none();
        match action {
            Action::Back => true,
            Action::Wrap => {
                let width = size(model).columns;
                self.all().iter().any(|line| columns(line) > width)
            }
            Action::Search | Action::Copy | Action::Quote => has_text,
            Action::NextMatch | Action::PreviousMatch => self.pattern.is_some(),
            Action::Follow => !self.follows,
            _ => false,
        }
    }

    /// Takes the mouse.
    pub(super) fn mouse(&mut self, mouse: MouseEvent, size: Size) {
        match mouse.kind {
            MouseEventKind::ScrollUp => self.scroll(-3, size),
            MouseEventKind::ScrollDown => self.scroll(3, size),
            _ => {}
        }
    }

    /// How lines become rows now.
    pub(super) fn shape(&self, size: Size) -> Shape {
        Shape {
            columns: size.columns,
            wraps: self.wraps,
        }
    }

    /// The line and row that stands at the top now.
    pub(super) fn first(&self, size: Size) -> (usize, usize) {
        let Some(lines) = &self.lines else {
            return (0, 0);
        };
        let last = last_top(lines, self.shape(size), size.rows);
        if self.follows {
            return last;
        }
        let (line, byte) = self.top;
        (line, lines.row_at(line, byte, self.shape(size))).min(last)
    }

    fn all(&self) -> &[String] {
        self.lines.as_ref().map_or(&[], Lines::all)
    }

    /// Scrolls by rows; down stops at the end.
    fn scroll(&mut self, by: isize, size: Size) {
        let (mut line, mut row) = self.first(size);
        self.follows = false;
        let shape = self.shape(size);
        let Some(lines) = &self.lines else { return };
        let mut left = by.unsigned_abs();
        while left > 0 {
            if by > 0 {
                let below = lines.rows(line, shape).len() - row;
                if left < below {
                    row += left;
                    break;
                }
                if line + 1 >= lines.all().len() {
                    break;
                }
                (line, row) = (line + 1, 0);
                left -= below;
            } else {
                if left <= row {
                    row -= left;
                    break;
                }
                left -= row + 1;
                let Some(above) = line.checked_sub(1) else {
                    row = 0;
                    break;
                };
                line = above;
                row = lines.rows(line, shape).len() - 1;
            }
        }
        let to = (line, row).min(last_top(lines, shape, size.rows));
        self.top = begin_of(lines, to, shape);
    }

    /// Goes to the next row with what is searched, or the one before; round the ends.
    fn find(&mut self, forward: bool, size: Size) {
        let shape = self.shape(size);
        let first = self.first(size);
        let (Some(pattern), Some(lines)) = (&self.pattern, &self.lines) else {
            return;
        };
        let count = lines.all().len();
        if count == 0 {
            return;
        }
        let here = match self.found {
            Some((line, byte)) => (line, lines.row_at(line, byte, shape)),
            None => first,
        };
        let is_new = self.found.is_none();
        // The line where the search begins is looked at last as well, for what lies on its other side.
        let found = (0..=count).find_map(|step| {
            let line = (here.0 + if forward { step } else { count - step % count }) % count;
            let rows = lines.rows(line, shape);
            let begin = |row: usize| rows.get(row).map(|row| row.start);
            let text = lines.get(line);
            let byte = if forward {
                let from = match step {
                    0 if is_new => begin(here.1).unwrap_or(0),
                    0 => begin(here.1 + 1)?,
                    _ => 0,
                };
                pattern.find_at(text, from)?.start()
            } else {
                let to = if step == 0 {
                    begin(here.1).unwrap_or(0)
                } else {
                    text.len()
                };
                pattern
                    .find_iter(text)
                    .map(|found| found.start())
                    .take_while(|start| *start < to || (step > 0 && *start <= to))
                    .last()?
            };
            Some((line, byte))
        });
        self.found = found;
        if let Some((line, byte)) = found {
            self.follows = false;
            let to = (line, lines.row_at(line, byte, shape));
            let to = up_from(lines, to, size.rows / 3, shape);
            self.top = begin_of(lines, to.min(last_top(lines, shape, size.rows)), shape);
        }
    }

    /// The frame on the screen shows this since this moment. What is cut at the right is not seen.
    pub(super) fn painted(&mut self, size: Size, now_ms: u64) {
        let (shape, first) = (self.shape(size), self.first(size));
        let (Some(lines), Some(reading), true) = (&self.lines, &mut self.reading, self.wraps)
        else {
            return;
        };
        let from = begin_of(lines, first, shape);
        let mut to = (first.0, 0);
        let mut left = size.rows + first.1;
        while left > 0 && to.0 < lines.all().len() {
            let rows = lines.rows(to.0, shape);
            match rows.get(left) {
                Some(next) => {
                    to.1 = next.start;
                    left = 0;
                }
                None => {
                    left -= rows.len();
                    to = (to.0 + 1, 0);
                }
            }
        }
        reading.painted(from, to, now_ms);
    }

    /// What stands on the screen.
    fn shown(&self, size: Size) -> String {
        let shape = self.shape(size);
        let (first, skipped) = self.first(size);
        let mut left = size.rows;
        let mut shown = Vec::new();
        let Some(lines) = &self.lines else {
            return String::new();
        };
        for (number, line) in lines.all().iter().enumerate().skip(first) {
            if left == 0 {
                break;
            }
            let rows = lines.rows(number, shape);
            let skip = if number == first { skipped } else { 0 };
            let count = rows.len().saturating_sub(skip).min(left);
            left -= count;
            let begin = rows.get(skip).map_or(0, |row| row.start);
            let end = rows.get(skip + count).map_or(line.len(), |row| row.start);
            shown.push(line.get(begin..end).unwrap_or_default().trim_end());
        }
        shown.join("\n")
    }
}

/// The top at which the last line stands at the bottom.
fn last_top(lines: &Lines, shape: Shape, rows: usize) -> (usize, usize) {
    up_from(lines, (lines.all().len(), 0), rows, shape)
}

/// The row so many rows above another one; the first one at most.
fn up_from(lines: &Lines, from: (usize, usize), rows: usize, shape: Shape) -> (usize, usize) {
    let (mut line, mut row) = from;
    let mut left = rows;
    while left > row {
        left -= row;
        let Some(above) = line.checked_sub(1) else {
            return (0, 0);
        };
        line = above;
        row = lines.rows(line, shape).len();
    }
    (line, row - left)
}

/// Line and byte where a row begins.
fn begin_of(lines: &Lines, (line, row): (usize, usize), shape: Shape) -> (usize, usize) {
    let rows = lines.rows(line, shape);
    (line, rows.get(row).map_or(0, |row| row.start))
}

/// Takes an action. `None` when the viewer is to be closed.
pub fn update(model: &mut Model, state: &mut State, action: Action) -> Option<Vec<Effect>> {
    let size = size(model);
    let page = size.rows as isize;
    match action {
        Action::Back if state.typing.take().is_some() => {}
        Action::Back => return None,
        Action::Open => {
            if let Some(field) = state.typing.take() {
                state.pattern = find::words(field.text());
                state.found = None;
                state.find(true, size);
            }
        }
        Action::Up => state.scroll(-1, size),
        Action::Down => state.scroll(1, size),
        Action::PageUp => state.scroll(1 - page, size),
        Action::PageDown => state.scroll(page - 1, size),
        Action::HalfPageUp => state.scroll(-(page / 2).max(1), size),
        Action::HalfPageDown => state.scroll((page / 2).max(1), size),
        Action::First => (state.top, state.follows) = ((0, 0), false),
        Action::Last | Action::Follow => state.follows = true,
        Action::Wrap => state.wraps = !state.wraps,
        Action::Search => state.typing = Some(Field::default()),
        Action::NextMatch => state.find(true, size),
        Action::PreviousMatch => state.find(false, size),
        Action::Copy => return Some(vec![Effect::Copy(state.all().join("\n"))]),
        Action::Quote => {
            let quoted = format!("```\n{}\n```\n", state.shown(size));
            let mut effects = crate::ui::focus::focus(model, crate::ui::focus::Pane::Composer);
            effects.extend(panes::composer::insert(model, &quoted));
            state.follows = false;
            return Some(effects);
        }
        _ => {}
    }
    Some(Vec::new())
}

#[cfg(test)]
#[path = "viewer_tests.rs"]
mod tests;
