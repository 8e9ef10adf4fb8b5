//! Pane 6: how full the shown agent's context window is, with what, and what the session has cost.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
};

use super::agents;
use crate::{
    domain::window::{ContextGauge, WindowItem},
    text::{
        figures::{counted, money, short},
        sanitize::clean_line,
        width::columns,
    },
    ui::{
        Effect, Model,
        focus::Pane,
        keymap::Action,
        overlays::viewer::{self, Source},
        theme::StyleName,
        widgets::{frame::Title, text::put_line},
    },
};

/// Fewest columns that make a bar readable.
const LEAST_BAR: usize = 8;

/// What the pane remembers: nothing, it shows.
#[derive(Debug, Default)]
pub struct State {}

/// Takes an action.
pub fn update(model: &mut Model, action: Action) -> Vec<Effect> {
    if action != Action::Open {
        return Vec::new();
    }
    let agent = model.conversation.shown.clone();
    let title = format!("Context of {}", clean_line(agent.as_str()));
    viewer::open(model, title, Source::Window(agent))
}

/// The lines that say what stands in the window, part by part.
pub fn breakdown(items: &[WindowItem]) -> Vec<String> {
    let whole: u64 = items.iter().map(|item| item.tokens).sum();
    let mut lines = vec![
        format!(
            "≈{} tokens in {}, estimated by length; the largest first",
            short(whole),
            counted(items.len(), "part", "parts")
        ),
        String::new(),
    ];
    lines.extend(items.iter().map(|item| {
        let percent = item.tokens * 100 / whole.max(1);
        let name = clean_line(&item.name);
        format!(
            "{:>6} {percent:>3}%  {:<6}  {name}",
            short(item.tokens),
            item.part.name()
        )
    }));
    lines
}

/// What stands in the upper border.
pub fn title(model: &Model) -> Title {
    agents::titled(model, Pane::Context)
}

/// Draws the content.
pub fn view(model: &Model, area: Rect, buffer: &mut Buffer) {
    let gauge = model.session.gauges.get(&model.conversation.shown);
    let width = usize::from(area.width);
    let rows = match gauge {
        Some(gauge) => {
            let figures = figures(model, Some(gauge), width);
            let spare = usize::from(area.height).saturating_sub(3);
            let mut rows = fullness(model, gauge, width, spare > 0);
            let more = usize::from(area.height).saturating_sub(rows.len() + figures.len());
            rows.extend(shares(model, gauge, width, more.max(1)));
            rows.extend(figures);
            rows
        }
        None => {
            let words = "nothing was sent yet";
            let mut rows = vec![Line::styled(words, model.style(StyleName::Dim))];
            rows.extend(figures(model, None, width));
            rows
        }
    };
    for (y, row) in (area.y..area.bottom()).zip(&rows) {
        put_line(buffer, area.x, y, area.width, row);
    }
}

/// The bar and how full it is; the figures on a row of their own where they do not fit and there is one.
fn fullness(
    model: &Model,
    gauge: &ContextGauge,
    width: usize,
    has_room: bool,
) -> Vec<Line<'static>> {
    let about = if gauge.reported { "" } else { "≈" };
    let (Some(window), Some(percent)) = (gauge.window, gauge.percent()) else {
        let words = format!("{about}{} in use · window size unknown", short(gauge.used));
        return vec![Line::styled(words, model.style(StyleName::Warn))];
    };
    let used = short(gauge.used);
    let whole = short(window);
    let long = format!("  {about}{percent}%  {used} of {whole}");
    let brief = format!("  {about}{percent}%");
    let fits = columns(&long) + LEAST_BAR <= width;
    let words = if fits { long } else { brief };
    let room = width.saturating_sub(columns(&words));
    let style = if percent >= u64::from(gauge.ceiling_percent) {
        StyleName::Warn
    } else {
        StyleName::Text
    };
    let mut spans = bar(model, gauge, window, room);
    spans.push(Span::styled(words, model.style(style)));
    let mut rows = vec![Line::from(spans)];
    if !fits && has_room {
        let words = format!("{about}{used} of {whole}");
        rows.push(Line::styled(words, model.style(style)));
    }
    rows
}

/// Used, outputs, free, and the ceiling as a mark between cells.
fn bar(model: &Model, gauge: &ContextGauge, window: u64, width: usize) -> Vec<Span<'static>> {
    if width < LEAST_BAR || window == 0 {
        return Vec::new();
    }
    let cells = |amount: u64| {
        let exact = u128::from(amount) * width as u128 / u128::from(window);
        (exact as usize).min(width)
    };
    // Something that is there takes a cell at least.
    let used = cells(gauge.used).max(usize::from(gauge.used > 0));
    let outputs = cells(gauge.shares.outputs.min(gauge.used)).min(used);
    let ceiling = (width * usize::from(gauge.ceiling_percent) / 100).min(width - 1);
    (0..width)
        .map(|cell| {
            let (symbol, style) = if cell == ceiling {
                ("│", StyleName::GaugeCeiling)
            } else if cell + outputs < used {
                ("▓", StyleName::GaugeUsed)
            } else if cell < used {
                ("▒", StyleName::GaugeOutputs)
            } else {
                ("░", StyleName::GaugeFree)
            };
            Span::styled(symbol, model.style(style))
        })
        .collect()
}

/// The share of each source, on as many rows as it takes and there are.
fn shares(model: &Model, gauge: &ContextGauge, width: usize, rows: usize) -> Vec<Line<'static>> {
    let shares = [
        ("system", gauge.shares.system),
        ("tools", gauge.shares.tools),
        ("talk", gauge.shares.conversation),
        ("outputs", gauge.shares.outputs),
    ];
    let whole: usize = shares
        .iter()
        .map(|(name, amount)| columns(name) + columns(&short(*amount)) + 3)
        .sum();
    let wide_gap = if whole <= width + 2 { 2 } else { 1 };
    let mut lines: Vec<Line<'static>> = vec![Line::default()];
    let mut taken = 0;
    for (name, amount) in shares {
        let amount = short(amount);
        let own = columns(name) + 1 + columns(&amount);
        let mut gap = if taken == 0 { 0 } else { wide_gap };
        if taken + gap + own > width {
            if lines.len() >= rows || taken == 0 {
                break;
            }
            lines.push(Line::default());
            (taken, gap) = (0, 0);
        }
        taken += gap + own;
        if let Some(line) = lines.last_mut() {
            line.push_span(Span::raw(" ".repeat(gap)));
            line.push_span(Span::styled(
                format!("{name} "),
                model.style(StyleName::Dim),
            ));
            line.push_span(Span::styled(amount, model.style(StyleName::Text)));
        }
    }
    lines
}

/// What the session has cost so far. A narrow pane has the ceiling on a row of its own.
fn figures(model: &Model, gauge: Option<&ContextGauge>, width: usize) -> Vec<Line<'static>> {
    let cost = match model.session.usage.cost {
        Some(cost) => money(cost),
        None => "price unknown".to_owned(),
    };
    let mut rows = vec![format!(
        "{cost} · {}",
        counted(model.session.turns_done as usize, "turn", "turns")
    )];
    if let Some(gauge) = gauge.filter(|gauge| gauge.window.is_some()) {
        let ceiling = format!("ceiling {}%", gauge.ceiling_percent);
        match rows.last_mut() {
            Some(last) if columns(last) + 3 + columns(&ceiling) <= width => {
                last.push_str(&format!(" · {ceiling}"));
            }
            _ => rows.push(ceiling),
        }
    }
    let style = model.style(StyleName::Dim);
    rows.into_iter()
        .map(|row| Line::styled(row, style))
        .collect()
}
