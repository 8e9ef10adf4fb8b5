//! The composer on the screen: waiting messages, the draft or the search in earlier messages, and the list above.
//!
//! The caret is the terminal's own, so an input method opens its window beside it.

use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
    style::Style,
    text::{Line, Span},
};

use super::{
    completion::Word,
    editor::Editor,
    popup::{self, Row, Rows},
    update::target,
    wrapping::{PieceKind, WrappedRow},
};
use crate::{
    domain::record::Lane,
    engine::event::Queued,
    text::{sanitize::clean_line, width::columns},
    ui::{
        Model,
        focus::Pane,
        keymap::{Action, Scope},
        panes::requests,
        theme::StyleName,
        view::layout,
        widgets::{
            frame::Title,
            list::Selection,
            scrollbar::{self, Extent},
            text::{put, put_line},
        },
    },
};

/// Most waiting messages that are shown; more are counted.
const QUEUE_ROWS: usize = 3;
/// Columns that the title needs beside every way to send and the agent's name.
const BESIDE_WAYS: usize = 16;

/// How many rows the draft wants at this width.
pub fn wanted_rows(model: &Model, width: u16) -> u16 {
    let rows = queue_rows(model).len() + editor(model).rows(usize::from(width)).len();
    rows.min(usize::from(u16::MAX)) as u16
}

/// The width that the text has now.
pub fn text_width(model: &Model) -> usize {
    let layout = layout(model);
    let width = layout
        .of(Pane::Composer)
        .map_or(model.screen.columns, |placed| placed.inner.width);
    usize::from(width)
}

/// What stands in the upper border.
pub fn title(model: &Model) -> Title {
    if let Some(title) = requests::title(model) {
        return title;
    }
    let title = Title::of(Pane::Composer);
    if model.composer.search.is_some() {
        return title.note("search in earlier messages");
    }
    let (agent, lane) = target(model, None);
    let agent = clean_line(agent.as_str()).into_owned();
    let title = match &model.composer.aim {
        Some(_) => Title::named(format!("{} to {agent}", title.name)),
        None => title,
    };
    let text = model.composer.editor.before_cursor();
    if model.composer.editor.is_on_first_line() && text.starts_with('!') {
        let is_kept_out = text.starts_with("!!");
        return title.right(if is_kept_out {
            "run here, kept from the model"
        } else {
            "run here, shown to the model"
        });
    }
    if !model.session.is_agent_busy(&target(model, None).0) {
        return match model.composer.aim {
            Some(_) => title,
            None => title.right(format!("▸ {agent}")),
        };
    }
    let ways = ways(model);
    if model.composer.aim.is_some() {
        return title.right(lane_name(lane));
    }
    // The name of the pane and its borders stand beside them.
    let wanted = columns(&ways) + columns(&agent) + BESIDE_WAYS;
    // Keys are named where they work.
    let is_here = model.screen.focus == Pane::Composer;
    title.right(
        if is_here && text_width(model) >= wanted && !ways.is_empty() {
            format!("{ways} ▸ {agent}")
        } else {
            format!("{} ▸ {agent}", lane_name(lane))
        },
    )
}

/// Draws the content.
pub fn view(model: &Model, area: Rect, buffer: &mut Buffer) {
    let queue = queue_rows(model);
    let queue_height = (queue.len() as u16).min(area.height.saturating_sub(1));
    for (y, row) in (area.y..area.y + queue_height).zip(&queue) {
        draw_queue_row(
            model,
            row,
            Rect {
                y,
                height: 1,
                ..area
            },
            buffer,
        );
    }
    let text = Rect {
        y: area.y + queue_height,
        height: area.height - queue_height,
        ..area
    };
    if let Some(search) = &model.composer.search {
        draw_editor(model, &search.query, text, buffer);
    } else if model.composer.editor.is_empty() {
        put(
            buffer,
            text.x,
            text.y,
            text.width,
            placeholder(model),
            model.style(StyleName::Faint),
        );
    } else {
        draw_editor(model, &model.composer.editor, text, buffer);
    }
    if let Some(rows) = popup_rows(model) {
        popup::view(model, area, &rows, buffer);
    }
}

/// Where the cursor stands.
pub fn cursor(model: &Model, area: Rect) -> Option<Position> {
    let text = text_area(model, area);
    caret_in(editor(model), text)
}

/// Where the caret of an editor stands in an area that [`draw_editor`] draws.
pub fn caret_in(editor: &Editor, area: Rect) -> Option<Position> {
    if area.is_empty() {
        return None;
    }
    let rows = editor.rows(usize::from(area.width));
    let (row, column) = editor.caret(&rows);
    let first = first_row(row, rows.len(), area);
    let x = area.x + (column as u16).min(area.width.saturating_sub(1));
    Some(Position::new(x, area.y + row.saturating_sub(first) as u16))
}

/// Puts the cursor where the mouse clicked.
pub fn place_cursor(model: &mut Model, area: Rect, x: u16, y: u16) {
    let text = text_area(model, area);
    if y < text.y || model.composer.search.is_some() {
        return;
    }
    let editor = &mut model.composer.editor;
    let rows = editor.rows(usize::from(text.width));
    let (caret, _) = editor.caret(&rows);
    let first = first_row(caret, rows.len(), text);
    if let Some(row) = rows.get(first + usize::from(y - text.y)) {
        editor.place(row.line, row.char_at(usize::from(x.saturating_sub(text.x))));
    }
}

/// Draws a text being edited; the row of the caret is always shown.
pub fn draw_editor(model: &Model, editor: &Editor, area: Rect, buffer: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let rows = editor.rows(usize::from(area.width));
    let (caret, _) = editor.caret(&rows);
    let first = first_row(caret, rows.len(), area);
    for (y, row) in (area.y..area.bottom()).zip(rows.iter().skip(first)) {
        put_line(buffer, area.x, y, area.width, &editor_line(model, row));
    }
    let extent = Extent {
        first,
        shown: usize::from(area.height),
        total: rows.len(),
    };
    let bar = Rect {
        x: area.right(),
        width: 1,
        ..area
    };
    scrollbar::view(extent, bar, buffer, model.style(StyleName::Dim));
}

/// A row of a text being edited.
pub fn editor_line<'row>(model: &Model, row: &'row WrappedRow) -> Line<'row> {
    let spans = row.spans().into_iter();
    spans
        .map(|(text, kind)| Span::styled(text, piece_style(model, kind)))
        .collect()
}

fn piece_style(model: &Model, kind: PieceKind) -> Style {
    model.style(match kind {
        PieceKind::Plain | PieceKind::Space => StyleName::Text,
        PieceKind::Chip => StyleName::Accent,
        PieceKind::Hidden => StyleName::Suspicious,
    })
}

fn first_row(caret: usize, rows: usize, area: Rect) -> usize {
    Selection { selected: caret }.first_shown(rows, usize::from(area.height))
}

fn editor(model: &Model) -> &Editor {
    match &model.composer.search {
        Some(search) => &search.query,
        None => &model.composer.editor,
    }
}

fn text_area(model: &Model, area: Rect) -> Rect {
    let queue = (queue_rows(model).len() as u16).min(area.height.saturating_sub(1));
    Rect {
        y: area.y + queue,
        height: area.height - queue,
        ..area
    }
}

fn placeholder(model: &Model) -> &'static str {
    if model.session.info.is_none() {
        return "";
    }
    "Ask for something, @ names a file, / a command, ! runs one"
}

/// One line of the waiting messages.
struct QueueRow {
    mark: String,
    text: String,
    /// What stands at the right end.
    tail: String,
}

fn draw_queue_row(model: &Model, row: &QueueRow, area: Rect, buffer: &mut Buffer) {
    let dim = model.style(StyleName::Dim);
    let tail = columns(&row.tail) as u16;
    let has_tail = tail > 0 && area.width > tail + 30;
    let room = if has_tail {
        area.width - tail - 2
    } else {
        area.width
    };
    let used = put(
        buffer,
        area.x,
        area.y,
        room,
        &row.mark,
        model.style(StyleName::Accent),
    );
    put(buffer, area.x + used, area.y, room - used, &row.text, dim);
    if has_tail {
        put(buffer, area.right() - tail, area.y, tail, &row.tail, dim);
    }
}

/// Whether messages were left when a turn was stopped: nothing sends them but the next message.
pub fn waits_for_next(model: &Model) -> bool {
    let (agent, _) = target(model, None);
    let waits = model.session.queue.get(&agent);
    waits.is_some_and(|queue| !queue.is_empty()) && !model.session.is_agent_busy(&agent)
}

fn queue_rows(model: &Model) -> Vec<QueueRow> {
    let (agent, _) = target(model, None);
    let empty = Vec::new();
    let queue = model.session.queue.get(&agent).unwrap_or(&empty);
    let mut rows: Vec<QueueRow> = queue.iter().take(QUEUE_ROWS).map(queue_row).collect();
    let more = queue.len().saturating_sub(QUEUE_ROWS);
    if let Some(last) = rows.last_mut()
        && more > 0
    {
        last.tail = format!("+{more} more");
    }
    if let Some(first) = rows.first_mut()
        && let Some(key) = model.keymap.key(Scope::Composer, Action::TakeBack)
    {
        first.tail = if queue.len() > 1 {
            format!("{key} takes the last one back")
        } else {
            format!("{key} takes it back")
        };
    }
    if waits_for_next(model) {
        let row = QueueRow {
            mark: "waits: ".to_owned(),
            text: "sent with your next message".to_owned(),
            tail: String::new(),
        };
        rows.insert(0, row);
    }
    rows
}

fn queue_row(queued: &Queued) -> QueueRow {
    let mut lines = queued.text.trim().lines();
    let first = clean_line(lines.next().unwrap_or_default()).into_owned();
    let more = lines.count();
    QueueRow {
        mark: format!("⋯ {:<10} ", lane_name(queued.lane)),
        tail: String::new(),
        text: if more > 0 {
            format!("{first} (+{more} lines)")
        } else {
            first
        },
    }
}

fn lane_name(lane: Lane) -> &'static str {
    match lane {
        Lane::Steer => "steer",
        Lane::Queue => "queue",
        Lane::Interrupt => "interrupt",
    }
}

fn ways(model: &Model) -> String {
    [
        (Action::Send, Lane::Steer),
        (Action::Queue, Lane::Queue),
        (Action::SendNow, Lane::Interrupt),
    ]
    .into_iter()
    .filter_map(|(action, lane)| {
        let key = model.keymap.key(Scope::Composer, action)?;
        Some(format!("{key} {}", lane_name(lane)))
    })
    .collect::<Vec<_>>()
    .join(" · ")
}

fn popup_rows(model: &Model) -> Option<Rows<'_>> {
    if let Some(search) = &model.composer.search {
        let found = search.found();
        let row = |at: usize| Row {
            label: found.get(at).map(|text| preview(text)).unwrap_or_default(),
            note: String::new(),
        };
        return Some(Rows {
            count: found.len(),
            row: Box::new(row),
            selected: search.selected,
            empty: "no earlier message has these words",
        });
    }
    let list = model.composer.list.as_ref()?;
    let empty = match list.word {
        Word::File { .. } if model.composer.files.is_none() => "reading the names of files…",
        Word::File { .. } => "no file of that name",
        // A slash that begins no command is words or a path: no list stands in the way.
        Word::Slash { .. } if list.offers.is_empty() => return None,
        Word::Slash { .. } => "",
    };
    let row = |at: usize| {
        let offer = list.offers.get(at);
        Row {
            label: offer
                .map(|offer| clean_line(&offer.label).into_owned())
                .unwrap_or_default(),
            note: offer.map(|offer| offer.note.clone()).unwrap_or_default(),
        }
    };
    Some(Rows {
        count: list.offers.len(),
        row: Box::new(row),
        selected: list.selected,
        empty,
    })
}

fn preview(text: &str) -> String {
    let lines = text.trim().lines().count();
    let first = clean_line(text.trim().lines().next().unwrap_or_default()).into_owned();
    if lines > 1 {
        format!("{first}  (+{} lines)", lines - 1)
    } else {
        first
    }
}
