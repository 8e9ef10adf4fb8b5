//! Draws the list: headings, entries, the keys that do something with them; or the form of a rule.

use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
};

use super::{
    form::{Form, ROWS},
    list::{Entry, Page, State, holds, stands},
};
use crate::{
    domain::permission::{Rule, Verdict},
    text::{sanitize::reveal_line, truncate::middle, width::columns},
    ui::{
        Model,
        keymap::{Action, Scope},
        overlays::surface,
        theme::StyleName,
        widgets::{
            frame::Title,
            scrollbar::{self, Extent},
            text::put,
        },
    },
};

/// Columns of the box at most.
const WIDTH: u16 = 110;
const LABEL_COLUMNS: u16 = 9;

/// One row of the list.
enum Line<'a> {
    Heading(&'static str),
    Empty(&'static str),
    Fact(&'static str, String),
    Gap,
    Entry(usize, Entry<'a>),
}

/// Draws it and returns where the cursor stands.
pub fn view(model: &Model, state: &State, body: Rect, buffer: &mut Buffer) -> Option<Position> {
    if let Some(form) = &state.form {
        return form_view(model, form, body, buffer);
    }
    let name = match &state.page {
        Page::Grants | Page::Rules => "What is allowed and forbidden".to_owned(),
        Page::Judged => "What was judged".to_owned(),
        Page::Agent(agent) => format!("What {} may do", reveal_line(agent.as_str()).text),
    };
    let lines = lines(state, model.clock.now_ms);
    let height = (lines.len() as u16).saturating_add(4).max(8);
    let area = surface::centred(body, WIDTH, height);
    let inside = surface::open(model, area, &Title::named(name), buffer);
    if inside.is_empty() {
        return None;
    }
    let keys_row = inside.bottom() - 1;
    let shown = usize::from(keys_row.saturating_sub(inside.y));
    let selected = state
        .selection
        .selected
        .min(state.entries(model.clock.now_ms).len().saturating_sub(1));
    let at = lines
        .iter()
        .position(|line| matches!(line, Line::Entry(index, _) if *index == selected))
        .unwrap_or(0);
    // What stands above the first entry has no selection of its own to be scrolled to.
    let first = if selected == 0 && at < shown {
        0
    } else {
        at.saturating_sub(shown / 2)
            .min(lines.len().saturating_sub(shown))
    };
    if state.rules.is_none() {
        let style = model.style(StyleName::Dim);
        put(buffer, inside.x, inside.y, inside.width, "looking…", style);
    }
    for (y, line) in (inside.y..keys_row).zip(lines.iter().skip(first)) {
        let row = Rect::new(inside.x, y, inside.width, 1);
        draw(model, line, row, buffer);
        if matches!(line, Line::Entry(index, _) if *index == selected) {
            let row = Rect::new(inside.x - 1, y, inside.width + 2, 1);
            buffer.set_style(
                row.intersection(buffer.area),
                model.style(StyleName::Selection),
            );
        }
    }
    let extent = Extent {
        first,
        shown,
        total: lines.len(),
    };
    let bar = Rect::new(area.right().saturating_sub(1), inside.y, 1, shown as u16);
    scrollbar::view(extent, bar, buffer, model.style(StyleName::BorderFocused));
    let keys = keys(state, model.clock.now_ms);
    let row = Rect::new(inside.x, keys_row, inside.width, 1);
    hints(model, Scope::Rules, &keys, row, buffer);
    None
}

fn lines(state: &State, now_ms: i64) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let mut index = 0;
    for section in state.sections(now_ms).unwrap_or_default() {
        if !lines.is_empty() {
            lines.push(Line::Gap);
        }
        lines.push(Line::Heading(section.name));
        let has_facts = !section.facts.is_empty();
        let facts = section.facts.into_iter();
        lines.extend(facts.map(|(label, words)| Line::Fact(label, words)));
        if section.entries.is_empty() && !has_facts {
            lines.push(Line::Empty(section.empty));
        }
        for entry in section.entries {
            lines.push(Line::Entry(index, entry));
            index += 1;
        }
    }
    lines
}

fn draw(model: &Model, line: &Line<'_>, row: Rect, buffer: &mut Buffer) {
    let (text, name, indent) = match line {
        Line::Gap => return,
        Line::Heading(text) => (*text, StyleName::Accent, 0),
        Line::Empty(text) => (*text, StyleName::Faint, 2),
        Line::Fact(label, words) => {
            let dim = model.style(StyleName::Dim);
            put(buffer, row.x + 2, row.y, LABEL_COLUMNS, label, dim);
            let x = row.x + 2 + LABEL_COLUMNS;
            let room = row.right().saturating_sub(x);
            let words = middle(words, usize::from(room));
            put(buffer, x, row.y, room, &words, model.style(StyleName::Text));
            return;
        }
        Line::Entry(_, entry) => return draw_entry(model, *entry, row, buffer),
    };
    let room = row.width.saturating_sub(indent);
    put(buffer, row.x + indent, row.y, room, text, model.style(name));
}

fn draw_entry(model: &Model, entry: Entry<'_>, row: Rect, buffer: &mut Buffer) {
    let (verdict, action, subject, note) = match entry {
        Entry::Grant(grant) => {
            let scope = holds(&grant.scope);
            let note = match grant.expires_ms {
                Some(end) => format!("{scope} · {}", model.clock.until(end)),
                None if grant.kind => format!("{scope} · while held"),
                None => scope,
            };
            let Rule {
                action, resource, ..
            } = &grant.rule;
            (grant.rule.verdict, action, resource, note)
        }
        Entry::Configured(rule, origin) => {
            let room = usize::from(row.width / 2);
            let note = origin.map_or_else(String::new, |origin| stands(origin, room));
            (rule.verdict, &rule.action, &rule.resource, note)
        }
        Entry::OfType(of, rule) => (
            rule.verdict,
            &rule.action,
            &rule.resource,
            format!("type {}", reveal_line(of).text),
        ),
        Entry::Judged(judged) => (
            judged.judgement.verdict,
            &judged.tool,
            &judged.subject,
            model.clock.age(judged.at_ms),
        ),
    };
    let name = match verdict {
        Verdict::Allow => StyleName::Good,
        Verdict::Ask => StyleName::Warn,
        Verdict::Deny => StyleName::Error,
    };
    let note_columns = (columns(&note) as u16).min(row.width / 2);
    let end = row.right().saturating_sub(note_columns);
    let dim = model.style(StyleName::Dim);
    put(buffer, end, row.y, note_columns, &note, dim);
    let end = end.saturating_sub(u16::from(!note.is_empty()) * 2);
    let mut x = row.x.saturating_add(2);
    let mut word = |text: &str, name: StyleName, least: u16| {
        let room = end.saturating_sub(x);
        let used = put(buffer, x, row.y, room, text, model.style(name));
        x = x.saturating_add(used.max(least) + 1);
    };
    word(verdict.name(), name, 5);
    word(&reveal_line(action).text, StyleName::Tool, 0);
    word(&reveal_line(subject).text, StyleName::Text, 0);
}

fn keys(state: &State, now_ms: i64) -> Vec<(Action, &'static str)> {
    let mut keys = Vec::new();
    match state.selected(now_ms) {
        Some(Entry::Grant(_)) => {
            keys.push((Action::Revoke, "takes it back"));
            keys.push((Action::Open, "whole"));
        }
        Some(Entry::Configured(..) | Entry::OfType(..)) => keys.push((Action::Open, "whole")),
        Some(Entry::Judged(_)) => keys.push((Action::Open, "why")),
        None => {}
    }
    if matches!(state.page, Page::Grants | Page::Rules) {
        keys.push((Action::Add, "adds a rule"));
    }
    keys.push((Action::Back, "closes"));
    keys
}

fn hints(model: &Model, scope: Scope, keys: &[(Action, &str)], row: Rect, buffer: &mut Buffer) {
    let mut x = row.x;
    for (action, words) in keys {
        let Some(key) = model.keymap.key(scope, *action) else {
            continue;
        };
        let wanted = (columns(&key) + 1 + columns(words)) as u16;
        if x + wanted > row.right() {
            continue;
        }
        x += put(buffer, x, row.y, wanted, &key, model.style(StyleName::Key)) + 1;
        x += put(buffer, x, row.y, wanted, words, model.style(StyleName::Dim)) + 2;
    }
}

fn form_view(model: &Model, form: &Form, body: Rect, buffer: &mut Buffer) -> Option<Position> {
    let area = surface::centred(body, 76, ROWS.len() as u16 + 4);
    let inside = surface::open(model, area, &Title::named("A rule of your own"), buffer);
    let mut cursor = None;
    for (index, (label, _)) in ROWS.iter().enumerate() {
        let y = inside.y + index as u16;
        if y >= inside.bottom() {
            break;
        }
        let is_here = index == form.at;
        let name = if is_here {
            StyleName::Accent
        } else {
            StyleName::Dim
        };
        let room = LABEL_COLUMNS.min(inside.width);
        put(buffer, inside.x, y, room, label, model.style(name));
        let x = inside.x + LABEL_COLUMNS;
        let width = inside.right().saturating_sub(x);
        if width == 0 {
            continue;
        }
        let place = Rect::new(x, y, width, 1);
        let text = model.style(StyleName::Text);
        let Some(field) = form.field(index) else {
            let words = if is_here {
                format!("‹ {} ›", form.choice(index))
            } else {
                form.choice(index).to_owned()
            };
            put(buffer, x, y, width, &words, text);
            if is_here {
                cursor = Some(Position::new(x, y));
            }
            continue;
        };
        if field.is_empty() {
            let rule = "·".repeat(usize::from(width));
            put(buffer, x, y, width, &rule, model.style(StyleName::Guide));
        }
        field.view(place, buffer, text);
        if is_here {
            let column = field.cursor_column(width).min(width - 1);
            cursor = Some(Position::new(x + column, y));
        }
    }
    let about = ROWS.get(form.at).map_or("", |(_, about)| about);
    let (words, name) = match form.wrong {
        Some(wrong) => (wrong, StyleName::Error),
        None => (about, StyleName::Dim),
    };
    let y = inside.y + ROWS.len() as u16;
    if y < inside.bottom() {
        put(buffer, inside.x, y, inside.width, words, model.style(name));
    }
    if y + 1 < inside.bottom() {
        let keys = [(Action::Open, "adds it"), (Action::Back, "goes back")];
        let row = Rect::new(inside.x, y + 1, inside.width, 1);
        hints(model, Scope::Field, &keys, row, buffer);
    }
    cursor
}
