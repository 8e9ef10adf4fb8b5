//! The mouse: a click focuses, borders are dragged, everything else goes to the pane or overlay under it.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;

use super::{
    Effect, Model, focus,
    focus::Pane,
    layout::{Arrangement, Drag, Layout},
    overlays, panes, view,
};

/// Takes the mouse.
pub fn update(model: &mut Model, mouse: MouseEvent) -> Vec<Effect> {
    if model.overlay.is_some() {
        return overlays::mouse(model, mouse);
    }
    let layout = view::layout(model);
    match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => {
            model.screen.drag = border(&layout, mouse.column, mouse.row);
            if model.screen.drag.is_some() {
                return Vec::new();
            }
        }
        MouseEventKind::Drag(MouseButton::Left) => {
            if let Some(drag) = model.screen.drag {
                resize(model, &layout, drag, mouse);
                return Vec::new();
            }
        }
        MouseEventKind::Up(_) if model.screen.drag.take().is_some() => return Vec::new(),
        _ => {}
    }
    // A text that is being marked has the mouse until the button is let go, wherever that is.
    if matches!(
        mouse.kind,
        MouseEventKind::Drag(MouseButton::Left) | MouseEventKind::Up(MouseButton::Left)
    ) && panes::conversation::is_marking(model)
    {
        return panes::conversation::drag(model, mouse);
    }
    if let Some(area) = layout.tabs
        && area.contains((mouse.column, mouse.row).into())
    {
        return click_tab(model, mouse, area);
    }
    if let Some(effects) = panes::goal::mouse(model, mouse, &layout) {
        return effects;
    }
    let Some(placed) = layout.at(mouse.column, mouse.row).copied() else {
        return Vec::new();
    };
    let on_title = mouse.row == placed.outer.y;
    if on_title && placed.pane.is_right() && layout.arrangement == Arrangement::Tabs {
        let area = panes::header::right_tabs_area(placed.outer);
        return click_tab(model, mouse, area);
    }
    let mut effects = Vec::new();
    if matches!(mouse.kind, MouseEventKind::Down(_)) && model.screen.focus != placed.pane {
        effects = focus::focus(model, placed.pane);
    }
    effects.extend(panes::mouse(model, placed.pane, mouse, placed.inner));
    effects
}

fn click_tab(model: &mut Model, mouse: MouseEvent, area: Rect) -> Vec<Effect> {
    if !matches!(mouse.kind, MouseEventKind::Down(MouseButton::Left)) {
        return Vec::new();
    }
    let tab = panes::header::tab_at(model, area, mouse.column);
    tab.map_or_else(Vec::new, |pane| focus::focus(model, pane))
}

/// The border under a cell that can be dragged.
fn border(layout: &Layout, x: u16, y: u16) -> Option<Drag> {
    let placed = layout.at(x, y)?;
    let right_edge = layout.of(Pane::Conversation).map(|left| left.outer.right());
    if right_edge.is_some_and(|edge| edge < layout.header.right() && (x == edge || x + 1 == edge)) {
        return Some(Drag::Columns);
    }
    (placed.joints.above && y == placed.outer.y).then_some(Drag::Top(placed.pane))
}

fn resize(model: &mut Model, layout: &Layout, drag: Drag, mouse: MouseEvent) {
    match drag {
        Drag::Columns => {
            model.screen.right_columns = Some(model.screen.columns.saturating_sub(mouse.column));
        }
        Drag::Top(pane) => {
            let Some(placed) = layout.of(pane) else {
                return;
            };
            let by = i32::from(placed.outer.y) - i32::from(mouse.row);
            grow(model, pane, by as i16);
        }
    }
}

/// Gives a pane more rows, or fewer.
pub fn grow(model: &mut Model, pane: Pane, by: i16) {
    let most = i16::try_from(model.screen.rows).unwrap_or(i16::MAX);
    let before = view::layout(model);
    let old = model.screen.extra_rows.get(&pane).copied().unwrap_or(0);
    let new = old.saturating_add(by).clamp(-most, most);
    model.screen.extra_rows.insert(pane, new);
    // What has no effect is not remembered: it would have to be undone row by row.
    if view::layout(model) == before {
        model.screen.extra_rows.insert(pane, old);
    }
}
