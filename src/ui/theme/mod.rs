//! Named meanings of colour, loaded from `themes/*.toml`.
//!
//! Code says what a thing *means* ([`StyleName`]); a theme decides how that looks.

pub mod style_name;

use ratatui::style::Style;
pub use style_name::StyleName;

/// A style for every meaning.
#[derive(Clone, Debug, PartialEq)]
pub struct Theme {
    /// Changes with every load, so that caches of styled lines can be keyed by it.
    pub revision: u64,
    /// Whether the terminal's background is light (chooses syntax colours).
    pub is_light: bool,
    styles: Vec<Style>,
}

impl Theme {
    /// A theme without any colour.
    pub fn plain() -> Self {
        Self {
            revision: 0,
            is_light: false,
            styles: vec![Style::default(); StyleName::ALL.len()],
        }
    }

    /// How a meaning looks.
    pub fn style(&self, name: StyleName) -> Style {
        self.styles.get(name as usize).copied().unwrap_or_default()
    }
}
