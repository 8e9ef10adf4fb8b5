//! The model as cells. A pure function: the same model gives the same frame.

use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
    style::Style,
};

use super::{
    Model,
    focus::Pane,
    layout::{Arrangement, Layout, Placed, Screen, Wanted},
    overlays, panes,
    terminal::links::Link,
    theme::StyleName,
    widgets::{
        frame::{self, Look, Title},
        text::put,
    },
};

/// Draws everything and returns where the terminal's cursor stands.
pub fn view(model: &Model, buffer: &mut Buffer) -> Option<Position> {
    let layout = layout(model);
    if layout.arrangement == Arrangement::TooSmall {
        too_small(model, buffer);
        return None;
    }
    panes::header::view(model, layout.header, buffer);
    if let Some(area) = layout.tabs {
        panes::header::tabs(model, area, buffer);
    }
    for placed in ordered(&layout, model.screen.focus) {
        let has_tabs = layout.arrangement == Arrangement::Tabs
            && model.screen.zoomed.is_none()
            && placed.pane.is_right();
        if has_tabs {
            pane(model, placed, &Title::default(), buffer);
            panes::header::right_tabs(model, placed.outer, buffer);
        } else {
            pane(model, placed, &panes::title(model, placed.pane), buffer);
        }
    }
    panes::goal::view(model, &layout, buffer);
    panes::footer::view(model, layout.footer, buffer);
    if let Some(overlay) = model.overlay.top() {
        return overlays::view(model, overlay, body(&layout, model), buffer);
    }
    let focused = layout.of(model.screen.focus)?;
    panes::cursor(model, focused.pane, focused.inner)
        .filter(|position| focused.inner.contains(*position))
}

/// Where everything stands for this model.
pub fn layout(model: &Model) -> Layout {
    layout_of(model, &model.screen)
}

/// What on the screen leads somewhere; nothing while something lies over it.
pub fn links(model: &Model) -> Vec<Link> {
    if model.overlay.is_some() {
        return Vec::new();
    }
    let layout = layout(model);
    let conversation = layout.of(Pane::Conversation);
    conversation.map_or_else(Vec::new, |placed| {
        panes::conversation::links(model, placed.inner)
    })
}

/// Where the panes would stand if this were the screen.
pub fn layout_of(model: &Model, screen: &Screen) -> Layout {
    let width = screen.left_inner_width();
    let form = panes::requests::takes_composer(model);
    let composer = if form {
        panes::requests::wanted_rows(model, width)
    } else {
        panes::composer::wanted_rows(model, width)
    };
    let boxed = panes::conversation::rows_for_box(model, width);
    let mut layout = screen.layout(Wanted {
        composer,
        form,
        boxed,
    });
    panes::goal::make_room(model, &mut layout);
    layout
}

/// Everything between header and footer: where overlays stand.
pub fn body(layout: &Layout, model: &Model) -> Rect {
    let area = model.screen.area();
    let top = layout.header.bottom();
    Rect::new(0, top, area.width, layout.footer.top().saturating_sub(top))
}

/// The focused pane last, so that its colour wins on shared borders.
fn ordered(layout: &Layout, focus: Pane) -> impl Iterator<Item = &Placed> {
    let (focused, others): (Vec<&Placed>, Vec<&Placed>) =
        layout.panes.iter().partition(|placed| placed.pane == focus);
    others.into_iter().chain(focused)
}

fn pane(model: &Model, placed: &Placed, title: &Title, buffer: &mut Buffer) {
    let focused = placed.pane == model.screen.focus && model.overlay.is_none();
    let (border, name) = if focused {
        (StyleName::BorderFocused, StyleName::TitleFocused)
    } else {
        (StyleName::Border, StyleName::Title)
    };
    let look = Look {
        border: model.style(border),
        title: model.style(name),
        note: model.style(StyleName::Dim),
    };
    frame::view(placed.outer, buffer, title, look, placed.joints);
    if !placed.inner.is_empty() {
        panes::view(model, placed.pane, placed.inner, buffer);
    }
}

fn too_small(model: &Model, buffer: &mut Buffer) {
    let area = buffer.area;
    if area.is_empty() {
        return;
    }
    buffer.set_style(area, Style::default());
    let text = format!("too small: {}×{}", model.screen.columns, model.screen.rows);
    put(
        buffer,
        area.x,
        area.y,
        area.width,
        &text,
        model.style(StyleName::Warn),
    );
}
