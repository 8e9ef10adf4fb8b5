//! Pane 6: how full the shown agent's context window is, with what, and what the session has cost.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
};

use super::{
    agents,
    figures::{counted, money, tokens},
};
use crate::{
    domain::window::ContextGauge,
    text::width::columns,
    ui::{
        Effect, Model,
        focus::Pane,
        keymap::Action,
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
pub fn update(_model: &mut Model, _action: Action) -> Vec<Effect> {
    Vec::new()
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
        Some(gauge) => vec![
            fullness(model, gauge, width),
            shares(model, gauge, width),
            figures(model, Some(gauge)),
        ],
        None => vec![
            Line::styled("nothing was sent yet", model.style(StyleName::Dim)),
            figures(model, None),
        ],
    };
    for (y, row) in (area.y..area.bottom()).zip(&rows) {
        put_line(buffer, area.x, y, area.width, row);
    }
}

fn fullness(model: &Model, gauge: &ContextGauge, width: usize) -> Line<'static> {
    let about = if gauge.reported { "" } else { "≈" };
    let (Some(window), Some(percent)) = (gauge.window, gauge.percent()) else {
        let words = format!("{about}{} in use · window size unknown", tokens(gauge.used));
        return Line::styled(words, model.style(StyleName::Warn));
    };
    let used = tokens(gauge.used);
    let whole = tokens(window);
    let long = format!("  {about}{percent}%  {used} of {whole}");
    let short = format!("  {about}{percent}%");
    let words = if columns(&long) + LEAST_BAR <= width {
        long
    } else {
        short
    };
    let room = width.saturating_sub(columns(&words));
    let style = if percent >= gauge.ceiling_percent {
        StyleName::Warn
    } else {
        StyleName::Text
    };
    let mut spans = bar(model, gauge, window, room);
    spans.push(Span::styled(words, model.style(style)));
    Line::from(spans)
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

fn shares(model: &Model, gauge: &ContextGauge, width: usize) -> Line<'static> {
    let shares = [
        ("system", gauge.shares.system),
        ("tools", gauge.shares.tools),
        ("talk", gauge.shares.conversation),
        ("outputs", gauge.shares.outputs),
    ];
    let whole: usize = shares
        .iter()
        .map(|(name, amount)| columns(name) + columns(&tokens(*amount)) + 3)
        .sum();
    let wide_gap = if whole <= width + 2 { 2 } else { 1 };
    let mut spans = Vec::new();
    let mut taken = 0;
    for (name, amount) in shares {
        let amount = tokens(amount);
        let gap = if spans.is_empty() { 0 } else { wide_gap };
        let wanted = gap + columns(name) + 1 + columns(&amount);
        if taken + wanted > width {
            break;
        }
        taken += wanted;
        spans.push(Span::raw(" ".repeat(gap)));
        spans.push(Span::styled(
            format!("{name} "),
            model.style(StyleName::Dim),
        ));
        spans.push(Span::styled(amount, model.style(StyleName::Text)));
    }
    Line::from(spans)
}

fn figures(model: &Model, gauge: Option<&ContextGauge>) -> Line<'static> {
    let cost = match model.session.usage.cost {
        Some(cost) => money(cost),
        None => "price unknown".to_owned(),
    };
    let mut parts = vec![cost, counted(model.session.turns_done, "turn")];
    if let Some(gauge) = gauge.filter(|gauge| gauge.window.is_some()) {
        parts.push(format!("ceiling {}%", gauge.ceiling_percent));
    }
    Line::styled(parts.join(" · "), model.style(StyleName::Dim))
}
