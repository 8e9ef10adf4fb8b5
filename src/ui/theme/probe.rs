//! A theme for tests: every meaning has a colour of its own, so that a cell's meaning can be read off its style.
//! Meanings that are laid over others (selection, matches, changed words) have only a background.

use ratatui::style::{Color, Style};

use super::{StyleName, Theme};

const FOREGROUND: u8 = 1;
const BACKGROUND: u8 = 2;

/// The probe theme.
pub fn theme() -> Theme {
    let styles = StyleName::ALL.iter().map(|name| {
        let number = *name as usize as u8;
        if is_overlaid(*name) {
            Style::new().bg(Color::Rgb(BACKGROUND, number, 0))
        } else {
            Style::new().fg(Color::Rgb(FOREGROUND, number, 0))
        }
    });
    Theme::from_styles("probe", styles.collect())
}

/// The meanings that a cell drawn with the probe theme has, the one laid over the other last.
pub fn names(style: Style) -> Vec<StyleName> {
    [(style.fg, FOREGROUND), (style.bg, BACKGROUND)]
        .into_iter()
        .filter_map(|(color, kind)| match color {
            Some(Color::Rgb(is, number, 0)) if is == kind => {
                StyleName::ALL.get(usize::from(number)).copied()
            }
            _ => None,
        })
        .collect()
}

fn is_overlaid(name: StyleName) -> bool {
    matches!(
        name,
        StyleName::Selection
            | StyleName::Match
            | StyleName::DiffAddWord
            | StyleName::DiffDeleteWord
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_meaning_can_be_read_off_its_style() {
        let theme = theme();
        for name in StyleName::ALL {
            assert_eq!(names(theme.style(*name)), [*name]);
        }
        let both = theme
            .style(StyleName::Good)
            .patch(theme.style(StyleName::Selection));
        assert_eq!(names(both), [StyleName::Good, StyleName::Selection]);
    }
}
