//! Words in the user's role, beside a bar.

use super::scene::Scene;
use crate::{
    domain::record::{Lane, Speaker},
    text::{sanitize::clean_line, truncate::head, width::columns},
    ui::{
        displays::{Amount, fold_row, select, shown},
        panes::conversation::Fold,
        rows::{Flow, Paint, Piece, Row, flow},
        theme::StyleName,
    },
};

/// Lines of a long message that are shown folded.
const FOLDED: usize = 16;

pub(super) fn draw(
    speaker: &Speaker,
    lane: Lane,
    text: &str,
    at_ms: Option<i64>,
    fold: Fold,
    scene: &Scene<'_>,
) -> Vec<Row> {
    let bar = [Piece::new("▌ ", StyleName::UserBar)];
    let mut rows = vec![header(speaker, lane, at_ms, scene)];
    let selected = select(text.trim_end_matches(['\n', '\r']), Amount::Whole);
    let total = selected.head.len() + selected.folded;
    let most = match fold {
        Fold::Line => 1,
        Fold::Preview => FOLDED,
        Fold::Whole => usize::MAX,
    };
    let most = if total <= most.saturating_add(1) {
        total
    } else {
        most
    };
    let how = Flow {
        width: scene.width,
        first: &bar,
        rest: &bar,
        words: true,
    };
    for line in selected.head.iter().take(most) {
        rows.extend(flow(&[Piece::new(shown(line), StyleName::User)], &how));
    }
    let folded = total - selected.head.len().min(most);
    if folded > 0 {
        rows.push(
            fold_row(folded, &scene.open_key(), scene.width.saturating_sub(2)).indented(&bar),
        );
    }
    rows
}

/// Who speaks, and when at the right end.
fn header(speaker: &Speaker, lane: Lane, at_ms: Option<i64>, scene: &Scene<'_>) -> Row {
    let name = match speaker {
        Speaker::Person => "You".to_owned(),
        Speaker::Parent { agent } => clean_line(agent.as_str()).into_owned(),
        Speaker::Program => "quarterdeck".to_owned(),
    };
    let note = match lane {
        Lane::Steer => "",
        Lane::Queue => " · after the turn",
        Lane::Interrupt => " · cutting in",
    };
    let time = at_ms.map_or_else(String::new, |at| scene.model.clock.hour_minute(at));
    let room = scene.width.saturating_sub(2);
    let name = head(&name, room).into_owned();
    let mut pieces = vec![
        Piece::new("▌ ", StyleName::UserBar),
        Piece::new(name.as_str(), Paint::of(StyleName::UserBar)),
    ];
    let mut used = 2 + columns(&name);
    if used + columns(note) <= scene.width {
        pieces.push(Piece::new(note, StyleName::Dim));
        used += columns(note);
    }
    if used + columns(&time) + 2 <= scene.width {
        pieces.push(Piece::blank(scene.width - used - columns(&time)));
        pieces.push(Piece::new(time, StyleName::Dim));
    }
    Row::new(pieces).with_gutter(2)
}
