//! Colours as numbers: reading them, bringing them down to what the terminal has, and how well they can be read.

use ratatui::style::Color;

use super::Depth;

/// A colour of 24 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rgb(pub u8, pub u8, pub u8);

/// The sixteen colours by name.
pub const NAMED: [(&str, Color); 17] = [
    ("default", Color::Reset),
    ("black", Color::Black),
    ("red", Color::Red),
    ("green", Color::Green),
    ("yellow", Color::Yellow),
    ("blue", Color::Blue),
    ("magenta", Color::Magenta),
    ("cyan", Color::Cyan),
    ("white", Color::Gray),
    ("bright_black", Color::DarkGray),
    ("bright_red", Color::LightRed),
    ("bright_green", Color::LightGreen),
    ("bright_yellow", Color::LightYellow),
    ("bright_blue", Color::LightBlue),
    ("bright_magenta", Color::LightMagenta),
    ("bright_cyan", Color::LightCyan),
    ("bright_white", Color::White),
];

/// The steps of the 6×6×6 cube in the palette of 256.
const CUBE: [u8; 6] = [0, 95, 135, 175, 215, 255];

impl Rgb {
    /// Reads `#7aa2f7`.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
        let number = u32::from_str_radix(digits, 16).ok()?;
        let [_, red, green, blue] = number.to_be_bytes();
        Some(Self(red, green, blue))
    }

    /// Reads what a terminal answers: `rgb:1e1e/2020/2828`, with one to four digits a part.
    pub fn parse_answer(text: &str) -> Option<Self> {
        let mut parts = text.strip_prefix("rgb:")?.split('/').map(|part| {
            let most = 16_u32.pow(part.len().clamp(1, 4) as u32) - 1;
            let value = u32::from_str_radix(part, 16).ok()?;
            (value <= most).then(|| (value * 255 / most) as u8)
        });
        let color = Self(parts.next()??, parts.next()??, parts.next()??);
        parts.next().is_none().then_some(color)
    }

    /// The colour as the terminal's depth allows; `None` where only a named colour helps.
    pub fn at(self, depth: Depth) -> Option<Color> {
        match depth {
            Depth::True => Some(Color::Rgb(self.0, self.1, self.2)),
            Depth::Palette => Some(Color::Indexed(self.nearest_of_palette())),
            Depth::Sixteen | Depth::None => None,
        }
    }

    /// Relative luminance, 0 to 1, as WCAG defines it.
    pub fn luminance(self) -> f64 {
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.040_45 {
                part / 12.92
            } else {
                ((part + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * linear(self.0) + 0.7152 * linear(self.1) + 0.0722 * linear(self.2)
    }

    /// Contrast of two colours, 1 to 21, as WCAG defines it.
    pub fn contrast(self, other: Self) -> f64 {
        let (a, b) = (self.luminance(), other.luminance());
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// Whether dark text is to be put on it.
    pub fn is_light(self) -> bool {
        self.luminance() > 0.4
    }

    fn nearest_of_palette(self) -> u8 {
        let step = |part: u8| {
            (0..CUBE.len())
                .min_by_key(|index| CUBE.get(*index).map_or(255, |level| level.abs_diff(part)))
                .unwrap_or(0)
        };
        let (red, green, blue) = (step(self.0), step(self.1), step(self.2));
        let level = |index: usize| CUBE.get(index).copied().unwrap_or(255);
        let cube = Self(level(red), level(green), level(blue));
        let mean = (u16::from(self.0) + u16::from(self.1) + u16::from(self.2)) / 3;
        let grey_step = (mean.saturating_sub(3) / 10).min(23) as u8;
        let grey_level = 8 + 10 * grey_step;
        let grey = Self(grey_level, grey_level, grey_level);
        if self.distance(grey) < self.distance(cube) {
            232 + grey_step
        } else {
            (16 + 36 * red + 6 * green + blue) as u8
        }
    }

    fn distance(self, other: Self) -> u32 {
        let part = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
        part(self.0, other.0) + part(self.1, other.1) + part(self.2, other.2)
    }
}

/// Whether `COLORFGBG` (`15;0`, `0;default;15`) says that the background is light; `None` when it says nothing.
pub fn is_light_by_colorfgbg(value: &str) -> Option<bool> {
    let background: u8 = value.rsplit(';').next()?.parse().ok()?;
    Some(matches!(background, 7 | 9..=15))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminals_answer_is_read_in_every_width() {
        assert_eq!(
            Rgb::parse_answer("rgb:ffff/8080/0000"),
            Some(Rgb(255, 128, 0))
        );
        assert_eq!(Rgb::parse_answer("rgb:f/8/0"), Some(Rgb(255, 136, 0)));
        assert_eq!(Rgb::parse_answer("rgb:ff/ff"), None);
        assert_eq!(Rgb::parse_answer("rgb:fffff/0/0"), None);
        assert_eq!(Rgb::parse("#7aa2f7"), Some(Rgb(0x7a, 0xa2, 0xf7)));
        assert_eq!(Rgb::parse("7aa2f7"), None);
    }

    #[test]
    fn colours_come_down_to_the_nearest_of_the_palette() {
        let nearest = |rgb: Rgb| rgb.at(Depth::Palette);

        assert_eq!(nearest(Rgb(255, 0, 0)), Some(Color::Indexed(196)));
        assert_eq!(nearest(Rgb(128, 128, 128)), Some(Color::Indexed(244)));
        assert_eq!(nearest(Rgb(0, 0, 0)), Some(Color::Indexed(16)));
        assert_eq!(Rgb(255, 0, 0).at(Depth::Sixteen), None);
    }

    #[test]
    fn black_on_white_has_the_highest_contrast() {
        let contrast = Rgb(0, 0, 0).contrast(Rgb(255, 255, 255));

        assert!((contrast - 21.0).abs() < 0.01);
        assert!(Rgb(255, 255, 255).is_light() && !Rgb(30, 30, 40).is_light());
    }

    #[test]
    fn colorfgbg_names_the_background_last() {
        assert_eq!(is_light_by_colorfgbg("0;15"), Some(true));
        assert_eq!(is_light_by_colorfgbg("15;default;0"), Some(false));
        assert_eq!(is_light_by_colorfgbg("15;default"), None);
    }
}
