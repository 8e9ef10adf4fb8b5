//! The pane as cells: the entries in the window, marks of search, selection and focus, and a status row below.

use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
    style::Style,
};

use super::{
    at_work::{spinner, waits_only_for_person},
    pane::window,
    scroll::{Placed, Scroll, Window},
};
use crate::{
    domain::{agent::AgentStatus, ids::AgentId},
    text::{
        figures::duration,
        sanitize::clean_line,
        truncate::{grouped, head},
        width::columns,
    },
    ui::{
        Model, cells,
        focus::Pane,
        keymap::{Action, Scope},
        panes::{requests, typing},
        rows::{Flow, Piece, Row, draw, flow},
        theme::StyleName,
        widgets::{
            frame::Title,
            scrollbar::{self, Extent},
        },
    },
};

/// What stands in the upper border: whose transcript it is.
pub fn title(model: &Model) -> Title {
    let mut title = Title::of(Pane::Conversation);
    let lineage = lineage(model, &model.conversation.shown);
    title.name = format!("{} · {}", title.name, lineage.join(" › "));
    title
}

/// Names from the root to an agent.
fn lineage(model: &Model, agent: &AgentId) -> Vec<String> {
    let mut names = Vec::new();
    let mut at = Some(agent.clone());
    while let Some(agent) = at {
        names.push(clean_line(agent.as_str()).into_owned());
        at = model
            .session
            .agent(&agent)
            .and_then(|node| node.parent.clone())
            .filter(|_| names.len() < 32);
    }
    names.reverse();
    names
}

/// Whether the last row of the pane is a status row.
pub(super) fn has_status(model: &Model) -> bool {
    let state = &model.conversation;
    state.search.is_active()
        || state.looking().scroll != Scroll::Follow
        || model.session.is_agent_busy(&state.shown)
}

/// Draws the content.
pub fn view(model: &Model, area: Rect, buffer: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let window = window(model, area);
    let scroll = model.conversation.looking().scroll;
    if window.transcript.is_empty() {
        empty(model, area, buffer);
    }
    let placed = window.placed(scroll);
    for entry in &placed {
        draw_entry(model, entry, &window, area, buffer);
    }
    scroll_bar(model, &window, &placed, area, buffer);
    if has_status(model) {
        let line = Rect {
            y: area.bottom() - 1,
            height: 1,
            ..area
        };
        draw(&status(model, &window, scroll), &model.theme, line, buffer);
    }
}

fn draw_entry(model: &Model, entry: &Placed, window: &Window<'_>, area: Rect, buffer: &mut Buffer) {
    let is_focused = model.conversation.looking().focus == Some(entry.key)
        && model.screen.focus == Pane::Conversation;
    let begin = entry.top + entry.gap;
    let shown = window.rows.saturating_sub(begin);
    for (index, row) in entry.rows.rows_from(entry.skip).take(shown).enumerate() {
        let line = Rect {
            y: area.y + (begin + index) as u16,
            height: 1,
            ..area
        };
        draw(row, &model.theme, line, buffer);
        mark_matches(model, row, line, buffer);
        let number = entry.skip + index;
        let marked = model
            .conversation
            .selection
            .and_then(|selection| selection.columns(entry.key, number));
        if let Some((start, end)) = marked {
            let start = start.max(row.gutter);
            let end = end.min(row.columns());
            patch(line, start, end, model.style(StyleName::Selection), buffer);
        }
        if is_focused {
            focus_mark(model, line, index == 0, buffer);
        }
    }
}

/// A bar in the margin beside the focused entry; without a margin its first row is marked.
fn focus_mark(model: &Model, line: Rect, is_first: bool, buffer: &mut Buffer) {
    let margin = line.x.checked_sub(1).map(|x| Position::new(x, line.y));
    if let Some(position) = margin
        && let Some(cell) = buffer.cell_mut(position)
        && cell.symbol() == " "
    {
        cell.set_symbol("▎")
            .set_style(model.style(StyleName::Accent));
        return;
    }
    if is_first {
        buffer.set_style(line, model.style(StyleName::Selection));
    }
}

fn mark_matches(model: &Model, row: &Row, line: Rect, buffer: &mut Buffer) {
    let Some(pattern) = model.conversation.search.pattern() else {
        return;
    };
    let text = row.text();
    for found in pattern.find_iter(&text) {
        let start = columns(text.get(..found.start()).unwrap_or_default());
        let end = start + columns(found.as_str());
        patch(line, start, end, model.style(StyleName::Match), buffer);
    }
}

/// Lays a style over some columns of a row.
fn patch(line: Rect, start: usize, end: usize, style: Style, buffer: &mut Buffer) {
    let width = usize::from(line.width);
    let (start, end) = (start.min(width), end.min(width));
    if start < end {
        let part = Rect {
            x: line.x + start as u16,
            width: (end - start) as u16,
            ..line
        };
        buffer.set_style(part.intersection(buffer.area), style);
    }
}

fn scroll_bar(
    model: &Model,
    window: &Window<'_>,
    placed: &[Placed],
    area: Rect,
    buffer: &mut Buffer,
) {
    let scroll = model.conversation.looking().scroll;
    let (key, line) = window.top(scroll);
    let shown: usize = placed
        .iter()
        .map(|placed| placed.gap + placed.rows.len().saturating_sub(placed.skip))
        .sum();
    let is_all = (key, line) <= (window.transcript.first(), 0) && shown <= window.rows;
    let (above, guessed) = window.transcript.extent(key, &window.scene);
    let total = guessed.max(window.rows + 1);
    let end = total - window.rows;
    let first = match scroll {
        Scroll::Follow => end,
        // The thumb touches the ends only at the ends.
        Scroll::At(_) => (above + line).min(end.saturating_sub(1)),
    };
    if is_all {
        return;
    }
    let extent = Extent {
        first,
        shown: window.rows,
        total,
    };
    // Over the border: one column of padding beyond the content where there is one.
    let padding = u16::from(area.x >= 2);
    let bar = Rect {
        x: area.right() + padding,
        width: 1,
        ..area
    };
    let is_focused = model.screen.focus == Pane::Conversation;
    let name = if is_focused {
        StyleName::BorderFocused
    } else {
        StyleName::Border
    };
    scrollbar::view(extent, bar, buffer, model.style(name));
}

/// The status row: what the agent does or what is searched, and how much is new below.
fn status(model: &Model, window: &Window<'_>, scroll: Scroll) -> Row {
    let mut left = if model.conversation.search.is_active() {
        searching(model)
    } else {
        working(model)
    };
    let right = below(model, window, scroll);
    let width = window.scene.width;
    let right_columns: usize = right.iter().map(Piece::columns).sum();
    let room = width.saturating_sub(right_columns + 1);
    let mut taken = 0;
    for piece in &mut left {
        piece.text = head(&piece.text, room.saturating_sub(taken)).into_owned();
        taken += piece.columns();
    }
    if right_columns < width {
        left.push(Piece::blank(
            width - right_columns - taken.min(width - right_columns),
        ));
        left.extend(right);
    }
    Row::new(left)
}

fn searching(model: &Model) -> Vec<Piece> {
    let search = &model.conversation.search;
    let mut pieces = vec![
        Piece::new("/ ", StyleName::Accent),
        Piece::new(search.field.text(), StyleName::Text),
        Piece::new(format!("  {}", search.note()), StyleName::Dim),
    ];
    if !search.is_typing {
        let next = model.keymap.key(Scope::Conversation, Action::NextMatch);
        let before = model.keymap.key(Scope::Conversation, Action::PreviousMatch);
        let keys = format!(
            "  {} {}",
            next.unwrap_or_default(),
            before.unwrap_or_default()
        );
        pieces.push(Piece::new(keys, StyleName::Faint));
    }
    pieces
}

/// What the agent does now, and for how long.
fn working(model: &Model) -> Vec<Piece> {
    let agent = &model.conversation.shown;
    if !model.session.is_agent_busy(agent) {
        return Vec::new();
    }
    let spinner = Piece::new(format!("{} ", spinner(model)), StyleName::Accent);
    if let Some(retry) = model.session.running.retries.get(agent) {
        let wait = retry
            .at_elapsed_ms
            .saturating_sub(model.clock.elapsed_ms)
            .div_ceil(1_000);
        let text = format!(
            "asks again in {wait}s ({} of {}): {}",
            retry.attempt,
            retry.of,
            clean_line(&retry.reason)
        );
        return vec![spinner, Piece::new(text, StyleName::Warn)];
    }
    let node = model.session.agent(agent);
    let word = match node.map(|node| &node.status) {
        Some(AgentStatus::Running { .. }) if requests::waits_for(model, agent) => {
            "waits for you".to_owned()
        }
        Some(AgentStatus::Running { tool }) => format!("running {}", clean_line(tool)),
        Some(AgentStatus::Asking) => "waits for you".to_owned(),
        Some(AgentStatus::Waiting) => "waits for its agents".to_owned(),
        Some(AgentStatus::Queued) => "waits for its turn".to_owned(),
        Some(AgentStatus::Compacting) => "making room in the window".to_owned(),
        Some(AgentStatus::Retrying) => "asks again soon".to_owned(),
        _ => "thinking".to_owned(),
    };
    let mut pieces = vec![spinner, Piece::new(word, StyleName::Dim)];
    // A time that stands still tells nothing.
    let node = node.filter(|_| !waits_only_for_person(model));
    let elapsed = node.and_then(|node| u64::try_from(model.clock.now_ms - node.started_ms).ok());
    if let Some(elapsed) = elapsed.filter(|elapsed| *elapsed >= 1_000) {
        let time = duration(elapsed / 1_000 * 1_000).replace(".0s", "s");
        pieces.push(Piece::new(format!(" · {time}"), StyleName::Faint));
    }
    pieces
}

/// How much has come below what is read, and the key that goes there.
fn below(model: &Model, window: &Window<'_>, scroll: Scroll) -> Vec<Piece> {
    if scroll == Scroll::Follow {
        return Vec::new();
    }
    let new = window.new_entries(scroll);
    let key = model
        .keymap
        .key(Scope::Conversation, Action::Last)
        .unwrap_or_default();
    let mut pieces = Vec::new();
    if new > 0 {
        pieces.push(Piece::new(
            format!("↓ {} new ", grouped(new)),
            StyleName::Accent,
        ));
    }
    pieces.push(Piece::new(key, StyleName::Key));
    pieces.push(Piece::new(" follows", StyleName::Dim));
    pieces
}

/// What stands where nothing was said yet.
fn empty(model: &Model, area: Rect, buffer: &mut Buffer) {
    let mut rows = Vec::new();
    let is_script = model
        .session
        .settings
        .as_ref()
        .is_some_and(|settings| settings.model.is_script);
    let width = usize::from(area.width);
    rows.push(Row::of("Nothing was said yet.", StyleName::Dim));
    if is_script {
        let words = [
            Piece::new("script", StyleName::Script),
            Piece::new(
                " · a script and no language model will answer",
                StyleName::Dim,
            ),
        ];
        rows.extend(flow(&words, &Flow::words(width)));
    }
    rows.push(Row::empty());
    let hints = [
        (Scope::Composer, Action::Send, "sends what you write below"),
        (Scope::Global, Action::Palette, "shows every command"),
        (Scope::Global, Action::Help, "opens the manual"),
    ];
    for (scope, action, words) in hints {
        let Some(key) = model.keymap.key(scope, action) else {
            continue;
        };
        let how = Flow {
            first: &[Piece::new(format!("{key:>8}  "), StyleName::Key)],
            rest: &[Piece::blank(10)],
            ..Flow::words(width)
        };
        rows.extend(flow(&[Piece::new(words, StyleName::Dim)], &how));
    }
    let height = rows.len() as u16;
    let top = area.height.saturating_sub(height) / 3;
    let widest = rows.iter().map(Row::columns).max().unwrap_or(0) as u16;
    let left = area.width.saturating_sub(widest) / 2;
    for (index, row) in rows.iter().enumerate() {
        let line = Rect::new(
            area.x + left,
            area.y + top + index as u16,
            area.width - left,
            1,
        );
        draw(row, &model.theme, line.intersection(area), buffer);
    }
}

/// Where the cursor stands: in the words of a search, or in what the person writes into an approval box.
pub fn cursor(model: &Model, area: Rect) -> Option<Position> {
    if area.is_empty() {
        return None;
    }
    let search = &model.conversation.search;
    if search.is_typing {
        let room = area.width.saturating_sub(3);
        return Some(Position::new(
            area.x + 2 + search.field.cursor_column(room).min(room),
            area.bottom() - 1,
        ));
    }
    let call = typing::written_in(model)?;
    let window = window(model, area);
    let key = window.transcript.key_of(call)?;
    let placed = window.placed(model.conversation.looking().scroll);
    let placed = placed.iter().find(|placed| placed.key == key)?;
    let entry = window.transcript.get(key)?;
    let (row, column) = cells::draw(entry, &window.scene).caret?;
    let row = (placed.top + placed.gap + row).checked_sub(placed.skip)?;
    (row < window.rows).then(|| {
        Position::new(
            area.x + column.min(usize::from(area.width - 1)) as u16,
            area.y + row as u16,
        )
    })
}
