//! Where everything stands, as a pure function of the screen's size, what is hidden or zoomed, and how many rows the
//! composer wants. Every rectangle lies inside the screen, whatever its size.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use ratatui::layout::Rect;

use super::{focus::Pane, keymap::Chord, widgets::frame::Joints};

/// Under this size there is only one line that says so.
pub const SMALLEST: (u16, u16) = (20, 5);
/// Under this size there is one pane at a time.
pub const NARROW: (u16, u16) = (80, 20);
/// From this size on the right column shows all its panes.
pub const WIDE: (u16, u16) = (120, 30);

/// Rows from which on a form leaves some to the transcript.
const SHORT: u16 = 14;
/// Rows that a pane keeps at least, its title row included.
const LEAST_ROWS: u16 = 2;

/// What the person chose about the screen, and its size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Screen {
    /// Columns of the terminal.
    pub columns: u16,
    /// Rows of the terminal.
    pub rows: u16,
    /// The pane that has the keyboard.
    pub focus: Pane,
    /// The pane that has the whole screen.
    pub zoomed: Option<Pane>,
    /// The pane of the right column that is shown where only one fits.
    pub tab: Pane,
    /// Panes that are not shown.
    pub hidden: BTreeSet<Pane>,
    /// Columns of the right column; `None` for three eighths.
    pub right_columns: Option<u16>,
    /// Rows more (or less) than a pane has by itself.
    pub extra_rows: BTreeMap<Pane, i16>,
    /// Chords of a sequence that waits for its rest.
    pub pending: Vec<Chord>,
    /// Until when a second Ctrl+C leaves (`Clock::elapsed_ms`).
    pub quit_armed_until: Option<u64>,
    /// Whether the terminal window has the keyboard.
    pub has_focus: bool,
    /// Whether the mouse is ours (else the terminal selects text with it).
    pub has_mouse: bool,
    /// What the mouse drags.
    pub drag: Option<Drag>,
    /// Whether the page of a first run is shown when there is no profile yet.
    pub welcomes: bool,
    /// The person's home folder, shown as `~`; empty when unknown.
    pub home: PathBuf,
}

/// A border that follows the mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drag {
    /// The border between the columns.
    Columns,
    /// The upper border of a pane.
    Top(Pane),
}

/// How the screen is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrangement {
    /// Two columns, all panes.
    Wide,
    /// Two columns, the right one shows one pane with tabs.
    Tabs,
    /// One pane at a time with a tab line.
    Single,
    /// Nothing fits.
    TooSmall,
}

/// A pane's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Which.
    pub pane: Pane,
    /// With its border.
    pub outer: Rect,
    /// Without border and padding.
    pub inner: Rect,
    /// Rows shared with neighbours.
    pub joints: Joints,
}

/// Where everything stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// How it is divided.
    pub arrangement: Arrangement,
    /// The top line.
    pub header: Rect,
    /// The line of tabs of a single pane.
    pub tabs: Option<Rect>,
    /// The panes that are shown.
    pub panes: Vec<Placed>,
    /// The bottom line.
    pub footer: Rect,
}

/// Rows that panes want for their content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Rows of the draft or of the form in its place.
    pub composer: u16,
    /// Whether a form stands in the composer's place; it may take more of the screen.
    pub form: bool,
    /// Rows for what must be seen of an approval that has the keyboard.
    pub boxed: u16,
}

impl Screen {
    /// A screen of this size, the composer focused.
    pub fn new(columns: u16, rows: u16) -> Self {
        Self {
            columns,
            rows,
            focus: Pane::Composer,
            zoomed: None,
            tab: Pane::Agents,
            hidden: BTreeSet::new(),
            right_columns: None,
            extra_rows: BTreeMap::new(),
            pending: Vec::new(),
            quit_armed_until: None,
            has_focus: true,
            has_mouse: true,
            drag: None,
            welcomes: true,
            home: PathBuf::new(),
        }
    }

    /// Does not show a pane any more. Where only one pane of the right column fits, the next one takes its place.
    pub fn hide(&mut self, pane: Pane) {
        self.hidden.insert(pane);
        let behind = Pane::RIGHT
            .iter()
            .skip_while(|other| **other != self.tab)
            .chain(&Pane::RIGHT);
        let next = behind.copied().find(|other| !self.hidden.contains(other));
        self.tab = next.unwrap_or(self.tab);
    }

    /// The whole screen.
    pub fn area(&self) -> Rect {
        Rect::new(0, 0, self.columns, self.rows)
    }

    /// How the screen is divided at its size.
    pub fn arrangement(&self) -> Arrangement {
        let fits = |size: (u16, u16)| self.columns >= size.0 && self.rows >= size.1;
        if !fits(SMALLEST) {
            Arrangement::TooSmall
        } else if !fits(NARROW) {
            Arrangement::Single
        } else if !fits(WIDE) {
            Arrangement::Tabs
        } else {
            Arrangement::Wide
        }
    }

    /// Columns of the right column.
    pub fn right_width(&self) -> u16 {
        let width = self.right_columns.unwrap_or(part(self.columns, 3, 8));
        width.clamp(24, (self.columns / 2).max(24))
    }

    /// Columns inside the left column's border, as the composer and the conversation get them.
    pub fn left_inner_width(&self) -> u16 {
        let shows_right = Pane::RIGHT.iter().any(|pane| !self.hidden.contains(pane));
        let columns = match self.arrangement() {
            Arrangement::Wide | Arrangement::Tabs if shows_right && self.zoomed.is_none() => {
                self.columns - self.right_width()
            }
            _ => self.columns,
        };
        inner(Rect::new(0, 0, columns, 3)).width
    }

    /// Divides the screen.
    pub fn layout(&self, wanted: Wanted) -> Layout {
        let area = self.area();
        let arrangement = self.arrangement();
        if arrangement == Arrangement::TooSmall {
            return Layout {
                arrangement,
                header: Rect::new(0, 0, area.width, area.height.min(1)),
                tabs: None,
                panes: Vec::new(),
                footer: Rect::default(),
            };
        }
        let header = Rect::new(0, 0, area.width, 1);
        let footer = Rect::new(0, area.height - 1, area.width, 1);
        let body = Rect::new(0, 1, area.width, area.height - 2);
        let mut tabs = None;
        let panes = if arrangement == Arrangement::Single {
            tabs = Some(Rect::new(0, 1, area.width, 1));
            let body = Rect::new(0, 2, area.width, body.height - 1);
            self.single(body, wanted)
        } else if let Some(pane) = self.zoomed {
            vec![placed(pane, body, Joints::default())]
        } else {
            self.columns_of(body, arrangement, wanted)
        };
        Layout {
            arrangement,
            header,
            tabs,
            panes,
            footer,
        }
    }

    /// One pane; the transcript keeps the composer below it where both fit.
    fn single(&self, body: Rect, wanted: Wanted) -> Vec<Placed> {
        let talks = matches!(self.focus, Pane::Conversation | Pane::Composer);
        if talks && self.zoomed.is_none() && body.height >= 6 {
            return self.left_column(body, wanted);
        }
        vec![placed(self.focus, body, Joints::default())]
    }

    fn columns_of(&self, body: Rect, arrangement: Arrangement, wanted: Wanted) -> Vec<Placed> {
        let right: Vec<Pane> = match arrangement {
            Arrangement::Wide => Pane::RIGHT.to_vec(),
            _ => vec![self.tab],
        };
        let right: Vec<Pane> = right
            .into_iter()
            .filter(|pane| !self.hidden.contains(pane))
            .collect();
        if right.is_empty() {
            return self.left_column(body, wanted);
        }
        let right_width = self.right_width().min(body.width);
        let left = Rect {
            width: body.width - right_width,
            ..body
        };
        let column = Rect {
            x: left.right(),
            width: right_width,
            ..body
        };
        let mut panes = self.left_column(left, wanted);
        panes.extend(self.right_column(column, &right));
        panes
    }

    fn left_column(&self, area: Rect, wanted: Wanted) -> Vec<Placed> {
        let shown: Vec<Pane> = [Pane::Conversation, Pane::Composer]
            .into_iter()
            .filter(|pane| !self.hidden.contains(pane))
            .collect();
        match shown.as_slice() {
            [pane] => vec![placed(*pane, area, Joints::default())],
            _ => {
                let share = if wanted.form { (3, 5) } else { (2, 5) };
                let most = part(area.height, share.0, share.1).max(1);
                // Short of rows, a form that has the keyboard gets all of them.
                let is_short = area.height < SHORT && wanted.composer > most;
                if wanted.form && is_short && self.focus == Pane::Composer {
                    return vec![placed(Pane::Composer, area, Joints::default())];
                }
                let extra = self.extra_rows.get(&Pane::Composer).copied().unwrap_or(0);
                let rows = wanted.composer.min(most).saturating_add_signed(extra);
                let rows = rows.max(1).min(area.height.saturating_sub(4)).max(1);
                let below = rows + 2;
                let above = area.height - below.min(area.height) + 1;
                // So does an approval of which not all that must be seen has room beside the message.
                let has_room = |rows: u16| rows >= wanted.boxed.saturating_add(2);
                if self.focus == Pane::Conversation && !has_room(above) && has_room(area.height) {
                    return vec![placed(Pane::Conversation, area, Joints::default())];
                }
                stack(
                    area,
                    &[(Pane::Conversation, above), (Pane::Composer, below)],
                )
            }
        }
    }

    fn right_column(&self, area: Rect, panes: &[Pane]) -> Vec<Placed> {
        // Every pane has its title row; the last one closes with a row of its own.
        let rows = area.height.saturating_sub(1);
        let wishes: Vec<u16> = panes
            .iter()
            .map(|pane| {
                let by_itself = match pane {
                    Pane::Context => 4,
                    Pane::Scratchpad => part(rows, 2, 9),
                    Pane::Checklist => part(rows, 3, 9),
                    _ => rows,
                };
                let extra = self.extra_rows.get(pane).copied().unwrap_or(0);
                by_itself.saturating_add_signed(extra).max(LEAST_ROWS)
            })
            .collect();
        let heights = share_rows(rows, &wishes);
        let stacked: Vec<(Pane, u16)> = panes
            .iter()
            .zip(heights)
            .map(|(pane, height)| (*pane, height + 1))
            .collect();
        stack(area, &stacked)
    }
}

/// So many parts of a whole; also of one that is larger than any real screen.
fn part(whole: u16, parts: u16, of: u16) -> u16 {
    (u32::from(whole) * u32::from(parts) / u32::from(of)) as u16
}

/// Gives the panes from the second on what they wish as far as it goes, and the first one what is left.
fn share_rows(rows: u16, wishes: &[u16]) -> Vec<u16> {
    let mut left = rows;
    let mut heights = vec![0; wishes.len()];
    for (index, wish) in wishes.iter().enumerate().skip(1).rev() {
        let others = LEAST_ROWS.saturating_mul(index as u16);
        let height = (*wish).min(left.saturating_sub(others));
        if let Some(place) = heights.get_mut(index) {
            *place = height;
        }
        left -= height;
    }
    if let Some(first) = heights.first_mut() {
        *first = left;
    }
    heights
}

/// Puts panes on each other so that neighbours share a row. Heights count both border rows.
fn stack(area: Rect, panes: &[(Pane, u16)]) -> Vec<Placed> {
    let mut result = Vec::new();
    let mut y = area.y;
    for (index, (pane, height)) in panes.iter().enumerate() {
        let is_last = index + 1 == panes.len();
        let bottom = if is_last {
            area.bottom()
        } else {
            (y + height).min(area.bottom())
        };
        let outer = Rect::new(area.x, y, area.width, bottom.saturating_sub(y));
        let joints = Joints {
            above: index > 0,
            below: !is_last,
        };
        result.push(placed(*pane, outer, joints));
        y = bottom.saturating_sub(1).max(area.y);
    }
    result
}

fn placed(pane: Pane, outer: Rect, joints: Joints) -> Placed {
    Placed {
        pane,
        outer,
        inner: inner(outer),
        joints,
    }
}

/// The content's rectangle: a column of padding inside the border where there is room for it.
fn inner(outer: Rect) -> Rect {
    let margin = if outer.width >= 30 { 2 } else { 1 };
    let width = outer.width.saturating_sub(2 * margin);
    let height = outer.height.saturating_sub(2);
    if width == 0 || height == 0 {
        return Rect::new(outer.x, outer.y, 0, 0);
    }
    Rect::new(outer.x + margin, outer.y + 1, width, height)
}

impl Layout {
    /// The pane under a cell, its border included; a shared row belongs to the lower pane.
    pub fn at(&self, x: u16, y: u16) -> Option<&Placed> {
        self.panes
            .iter()
            .rev()
            .find(|placed| placed.outer.contains((x, y).into()))
    }

    /// The place of a pane, when it is shown.
    pub fn of(&self, pane: Pane) -> Option<&Placed> {
        self.panes.iter().find(|placed| placed.pane == pane)
    }
}

#[cfg(test)]
#[path = "layout_tests.rs"]
mod tests;
