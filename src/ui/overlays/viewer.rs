//! A whole output with its own scroll, search and follow. Positions are lines of the text, so that a resize or a
//! change of wrapping keeps what is read at the top; nothing is measured but what is shown.

use std::{ops::Range, sync::Arc};

use crossterm::event::{KeyEvent, MouseEvent, MouseEventKind};

use crate::{
    domain::ids::{AgentId, ArtifactId},
    engine::{
        command::{Command, Fetch},
        event::{Event, EventKind, Fetched},
    },
    text::{
        sanitize::clean,
        width::{TAB_STOP, expand_tabs},
        wrap::{Row, wrap},
    },
    ui::{
        Effect, Model,
        keymap::{Action, Scope},
        overlays::Overlay,
        panes,
        rows::Row as DrawnLine,
        widgets::field::Field,
    },
};

/// Where the text comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Text that is here.
    Text(Arc<str>),
    /// Lines that are here, in their looks.
    Rows(Arc<[DrawnLine]>),
    /// A stored output; fetched.
    Artifact(ArtifactId),
    /// A scratchpad entry; fetched.
    Scratchpad(AgentId, String),
}

/// What is shown and where.
#[derive(Debug)]
pub struct State {
    /// What it is: `shell_execute cargo test -q`.
    pub title: String,
    /// Where it comes from.
    pub source: Source,
    /// The lines; `None` until they have come.
    pub lines: Option<Vec<String>>,
    /// Why they will not come.
    pub failed: Option<String>,
    /// The line at the top, and how many of its rows are above.
    pub top: (usize, usize),
    /// Whether the end is to be shown.
    pub follows: bool,
    /// Whether long lines are wrapped; else they are cut.
    pub wraps: bool,
    /// What is searched.
    pub query: String,
    /// The line of the present match.
    pub found: Option<usize>,
    /// The search being typed.
    pub typing: Option<Field>,
    /// Columns and rows for text.
    size: (usize, usize),
}

/// Opens a viewer.
pub fn open(model: &mut Model, title: impl Into<String>, source: Source) -> Vec<Effect> {
    let fetch = match &source {
        Source::Text(_) | Source::Rows(_) => None,
        Source::Artifact(id) => Some(Fetch::Artifact(id.clone())),
        Source::Scratchpad(agent, name) => Some(Fetch::Scratchpad {
            agent: agent.clone(),
            name: name.clone(),
        }),
    };
    let lines = match &source {
        Source::Text(text) => Some(split(text)),
        Source::Rows(rows) => Some(rows.iter().map(DrawnLine::text).collect()),
        _ => None,
    };
    model.overlay.open(Overlay::Viewer(State {
        title: title.into(),
        source,
        lines,
        failed: None,
        top: (0, 0),
        follows: false,
        wraps: true,
        query: String::new(),
        found: None,
        typing: None,
        size: size(model),
    }));
    fetch
        .map(|fetch| Effect::Send(Command::Fetch(fetch)))
        .into_iter()
        .collect()
}

/// Columns and rows that the viewer has on this screen.
pub fn size(model: &Model) -> (usize, usize) {
    let columns = usize::from(model.screen.columns).saturating_sub(4);
    let rows = usize::from(model.screen.rows).saturating_sub(4);
    (columns.max(1), rows.max(1))
}

fn split(text: &str) -> Vec<String> {
    clean(text)
        .lines()
        .map(|line| expand_tabs(line, 0, TAB_STOP).into_owned())
        .collect()
}

impl State {
    /// The scope of its keys.
    pub fn scope(&self) -> Scope {
        match self.typing {
            Some(_) => Scope::Field,
            None => Scope::Viewer,
        }
    }

    /// The text has come.
    pub fn apply(&mut self, event: &Event) {
        let EventKind::Fetched(fetched) = &event.kind else {
            return;
        };
        match (fetched, &self.source) {
            (Fetched::Artifact { id, text }, Source::Artifact(wanted)) if id == wanted => {
                match text {
                    Ok(text) => self.lines = Some(split(text)),
                    Err(error) => self.failed = Some(error.clone()),
                }
            }
            (Fetched::Scratchpad(entry), Source::Scratchpad(agent, name)) => match entry {
                Some(entry) if entry.info.name == *name && entry.info.agent == *agent => {
                    self.lines = Some(split(&entry.content));
                }
                Some(_) => {}
                None => self.failed = Some("the entry is gone".to_owned()),
            },
            _ => {}
        }
    }

    /// Takes a key of the search.
    pub fn input(&mut self, key: KeyEvent) {
        if let Some(field) = &mut self.typing {
            field.input(key);
        }
    }

    /// Takes pasted text into the search.
    pub fn paste(&mut self, text: &str) {
        if let Some(field) = &mut self.typing {
            field.insert(text);
        }
    }

    /// Takes the mouse.
    pub fn mouse(&mut self, mouse: MouseEvent) {
        match mouse.kind {
            MouseEventKind::ScrollUp => self.scroll(-3),
            MouseEventKind::ScrollDown => self.scroll(3),
            _ => {}
        }
    }

    /// Rows of a line.
    pub fn rows_of(&self, line: &str) -> Vec<Range<usize>> {
        if !self.wraps {
            return std::iter::once(0..line.len()).collect();
        }
        let rows: Vec<Range<usize>> = wrap(line, self.size.0).iter().map(Row::range).collect();
        if rows.is_empty() {
            std::iter::once(0..0).collect()
        } else {
            rows
        }
    }

    /// The line and row that stands at the top now.
    pub fn first(&self) -> (usize, usize) {
        if self.follows {
            self.last_top()
        } else {
            self.top
        }
    }

    fn all(&self) -> &[String] {
        self.lines.as_deref().unwrap_or_default()
    }

    /// The top at which the last line stands at the bottom.
    fn last_top(&self) -> (usize, usize) {
        let mut left = self.size.1;
        for (index, line) in self.all().iter().enumerate().rev() {
            let rows = self.rows_of(line).len();
            if rows >= left {
                return (index, rows - left);
            }
            left -= rows;
        }
        (0, 0)
    }

    /// Scrolls by rows; down stops at the end.
    fn scroll(&mut self, by: isize) {
        let (mut line, mut row) = self.first();
        self.follows = false;
        let lines = self.lines.take().unwrap_or_default();
        for _ in 0..by.unsigned_abs() {
            let rows = lines.get(line).map_or(1, |line| self.rows_of(line).len());
            if by > 0 {
                row += 1;
                if row >= rows {
                    (line, row) = (line + 1, 0);
                }
            } else if row > 0 {
                row -= 1;
            } else if line > 0 {
                line -= 1;
                row = lines.get(line).map_or(1, |line| self.rows_of(line).len()) - 1;
            }
        }
        self.lines = Some(lines);
        self.top = (line, row).min(self.last_top());
    }

    fn find(&mut self, forward: bool) {
        let count = self.all().len();
        if self.query.is_empty() || count == 0 {
            return;
        }
        // Before the first step stands the line above the top, or the top itself when going back.
        let above = usize::from(forward);
        let from = self.found.unwrap_or_else(|| self.first().0 + count - above);
        let found = (1..=count)
            .map(|step| (from + if forward { step } else { count - step }) % count)
            .find(|index| {
                let line = self.all().get(*index);
                line.is_some_and(|line| !matches(line, &self.query).is_empty())
            });
        self.found = found;
        if let Some(line) = found {
            self.follows = false;
            let above = line.saturating_sub(self.size.1 / 3);
            self.top = (above, 0).min(self.last_top());
        }
    }

    /// The lines on the screen.
    fn shown(&self) -> String {
        let (first, _) = self.first();
        let mut left = self.size.1;
        let mut shown = Vec::new();
        for line in self.all().iter().skip(first) {
            if left == 0 {
                break;
            }
            left = left.saturating_sub(self.rows_of(line).len());
            shown.push(line.as_str());
        }
        shown.join("\n")
    }
}

/// Where a text is found in a line: case counts only when the text has capitals.
pub fn matches(line: &str, query: &str) -> Vec<Range<usize>> {
    if query.is_empty() {
        return Vec::new();
    }
    let minds_case = query.chars().any(char::is_uppercase);
    if minds_case {
        return line
            .match_indices(query)
            .map(|(at, found)| at..at + found.len())
            .collect();
    }
    // Only characters whose small form has the same length can be searched without losing places.
    let small: String = line
        .chars()
        .map(|c| {
            let mut small = c.to_lowercase();
            match (small.next(), small.next()) {
                (Some(small), None) if small.len_utf8() == c.len_utf8() => small,
                _ => c,
            }
        })
        .collect();
    small
        .match_indices(query)
        .map(|(at, found)| at..at + found.len())
        .collect()
}

/// Takes an action. `None` when the viewer is to be closed.
pub fn update(model: &mut Model, state: &mut State, action: Action) -> Option<Vec<Effect>> {
    state.size = size(model);
    let page = state.size.1 as isize;
    match action {
        Action::Back if state.typing.take().is_some() => {}
        Action::Back => return None,
        Action::Open => {
            if let Some(field) = state.typing.take() {
                field.text().clone_into(&mut state.query);
                state.found = None;
                state.find(true);
            }
        }
        Action::Up => state.scroll(-1),
        Action::Down => state.scroll(1),
        Action::PageUp => state.scroll(1 - page),
        Action::PageDown => state.scroll(page - 1),
        Action::HalfPageUp => state.scroll(-(page / 2).max(1)),
        Action::HalfPageDown => state.scroll((page / 2).max(1)),
        Action::First => (state.top, state.follows) = ((0, 0), false),
        Action::Last | Action::Follow => state.follows = true,
        Action::Wrap => {
            state.top = (state.first().0, 0);
            state.wraps = !state.wraps;
        }
        Action::Search => state.typing = Some(Field::default()),
        Action::NextMatch => state.find(true),
        Action::PreviousMatch => state.find(false),
        Action::Copy => return Some(vec![Effect::Copy(state.all().join("\n"))]),
        Action::Quote => {
            let quoted = format!("```\n{}\n```\n", state.shown());
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
