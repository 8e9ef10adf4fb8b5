//! The box that an overlay stands in.

use ratatui::{buffer::Buffer, layout::Rect};

use crate::ui::{
    Model,
    theme::StyleName,
    widgets::frame::{self, Joints, Look, Title},
};

/// A rectangle of at most this size in the middle of `area`, a little above the middle when there is room.
pub fn centred(area: Rect, width: u16, height: u16) -> Rect {
    let width = width.min(area.width);
    let height = height.min(area.height);
    Rect::new(
        area.x + (area.width - width) / 2,
        area.y + (area.height - height) / 3,
        width,
        height,
    )
}

/// Clears the box, draws its frame and returns what is inside.
pub fn open(model: &Model, area: Rect, title: &Title, buffer: &mut Buffer) -> Rect {
    let area = area.intersection(buffer.area);
    for position in area.positions() {
        if let Some(cell) = buffer.cell_mut(position) {
            cell.reset();
        }
    }
    let look = Look {
        border: model.style(StyleName::BorderFocused),
        title: model.style(StyleName::TitleFocused),
        note: model.style(StyleName::Dim),
    };
    frame::view(area, buffer, title, look, Joints::default());
    if area.width < 5 || area.height < 3 {
        return Rect::new(area.x, area.y, 0, 0);
    }
    Rect::new(area.x + 2, area.y + 1, area.width - 4, area.height - 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_never_leaves_its_area() {
        let area = Rect::new(0, 1, 30, 6);

        assert_eq!(centred(area, 80, 40), area);
        assert_eq!(centred(area, 10, 3), Rect::new(10, 2, 10, 3));
    }
}
