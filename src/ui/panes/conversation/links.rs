//! Where words on the screen lead.

use std::sync::Arc;

use ratatui::layout::{Position, Rect};

use super::pane::window;
use crate::ui::{Model, terminal::links::Link};

/// What of the shown rows leads somewhere.
pub fn links(model: &Model, area: Rect) -> Vec<Link> {
    let window = window(model, area);
    let mut links = Vec::new();
    for entry in window.placed(model.conversation.looking().scroll) {
        let begin = entry.top + entry.gap;
        let shown = window.rows.saturating_sub(begin);
        for (index, row) in entry.rows.rows_from(entry.skip).take(shown).enumerate() {
            let y = area.y + (begin + index) as u16;
            links.extend(row.links().filter_map(|(at, columns, address)| {
                let right = (at + columns).min(usize::from(area.width));
                let columns = right.checked_sub(at).filter(|columns| *columns > 0)?;
                Some(Link {
                    at: Position::new(area.x + at as u16, y),
                    columns: columns as u16,
                    address: Arc::clone(address),
                })
            }));
        }
    }
    links
}
