//! A one-column mark of how much of something is shown, drawn over a pane's right border.

use ratatui::{buffer::Buffer, layout::Rect, style::Style};

/// What is shown of how much.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// The first shown row.
    pub first: usize,
    /// How many rows are shown.
    pub shown: usize,
    /// How many there are.
    pub total: usize,
}

impl Extent {
    /// Offset and length of the thumb in a bar of this height; `None` when everything is shown.
    pub fn thumb(&self, height: u16) -> Option<(u16, u16)> {
        if self.total <= self.shown || height == 0 {
            return None;
        }
        let height = usize::from(height);
        let length = (self.shown * height / self.total).clamp(1, height);
        let room = height - length;
        let last = self.total - self.shown;
        let offset = (self.first.min(last) * room + last / 2) / last;
        Some((offset as u16, length as u16))
    }
}

/// Draws the thumb over the column `area.x`, as high as `area`.
pub fn view(extent: Extent, area: Rect, buffer: &mut Buffer, style: Style) {
    let Some((offset, length)) = extent.thumb(area.height) else {
        return;
    };
    for row in offset..offset + length {
        let Some(cell) = buffer.cell_mut((area.x, area.y + row)) else {
            continue;
        };
        cell.set_symbol("┃").set_style(style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_thumb_touches_the_ends_only_at_the_ends() {
        let thumb = |first| {
            Extent {
                first,
                shown: 10,
                total: 100_000,
            }
            .thumb(10)
        };

        assert_eq!(thumb(0), Some((0, 1)));
        assert_eq!(thumb(99_990), Some((9, 1)));
        assert_eq!(thumb(50_000), Some((5, 1)));
        assert_eq!(
            Extent {
                first: 0,
                shown: 10,
                total: 10
            }
            .thumb(10),
            None
        );
    }
}
