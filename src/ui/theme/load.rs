//! Reads theme files: `is_light`, `sixteen_colors`, the background that the colours were chosen for, and a line per meaning:
//! `accent = { fg = "#7cc4c0", ansi = "cyan", bold = true }`.
//!
//! `ansi` and `ansi_bg` name the colour where there are only sixteen; `mono` lists what is used where there is none.
//! A meaning that a file leaves out looks like its fallback. Mistakes are reported with their line and the rest
//! counts.

use std::sync::atomic::{AtomicU64, Ordering};

use ratatui::style::{Color, Modifier, Style};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{
    Depth, StyleName,
    color::{NAMED, Rgb},
};
use crate::ui::files::problem::{Problem, Reporter, did_you_mean};

/// The files of the themes that are built in.
const FILES: [(&str, &str); 5] = [
    ("default", include_str!("../../../themes/default.toml")),
    ("light", include_str!("../../../themes/light.toml")),
    ("contrast", include_str!("../../../themes/contrast.toml")),
    (
        "colorblind",
        include_str!("../../../themes/colorblind.toml"),
    ),
    ("sixteen", include_str!("../../../themes/sixteen.toml")),
];

/// The names of the themes that are built in.
pub const BUILTIN: [&str; 5] = ["default", "light", "contrast", "colorblind", "sixteen"];

const MODIFIERS: [(&str, Modifier); 6] = [
    ("bold", Modifier::BOLD),
    ("dim", Modifier::DIM),
    ("italic", Modifier::ITALIC),
    ("underline", Modifier::UNDERLINED),
    ("reverse", Modifier::REVERSED),
    ("strike", Modifier::CROSSED_OUT),
];

static LAST_REVISION: AtomicU64 = AtomicU64::new(0);

/// A style for every meaning.
#[derive(Clone, Debug, PartialEq)]
pub struct Theme {
    /// The name it was loaded by.
    pub name: String,
    /// Changes with every load, so that caches of styled lines can be keyed by it.
    pub revision: u64,
    /// Whether it is made for a light background.
    pub is_light: bool,
    styles: Vec<Style>,
}

/// A line of a theme file.
#[derive(Clone, Debug, Default, PartialEq)]
struct Entry {
    fg: Option<Rgb>,
    bg: Option<Rgb>,
    ansi: Option<Color>,
    ansi_bg: Option<Color>,
    modifiers: Modifier,
    mono: Option<Modifier>,
}

/// A theme file before the terminal's depth is applied to it.
#[derive(Clone, Debug, Default)]
struct Document {
    is_light: bool,
    /// Whether only the sixteen colours are used, whatever the terminal could show.
    is_sixteen: bool,
    background: Option<Rgb>,
    entries: Vec<Option<Entry>>,
}

impl Theme {
    /// A theme without any colour.
    pub fn plain() -> Self {
        Self::from_styles("plain", vec![Style::default(); StyleName::ALL.len()])
    }

    /// A theme of these styles, one for each of [`StyleName::ALL`].
    pub fn from_styles(name: &str, styles: Vec<Style>) -> Self {
        Self {
            name: name.to_owned(),
            revision: LAST_REVISION.fetch_add(1, Ordering::Relaxed) + 1,
            is_light: false,
            styles,
        }
    }

    /// A built-in theme; `None` for an unknown name.
    pub fn builtin(name: &str, depth: Depth) -> Option<Self> {
        let (_, source) = FILES.iter().find(|(known, _)| *known == name)?;
        Some(Self::parse(name, source, depth).0)
    }

    /// Reads a theme file for a terminal of this depth.
    pub fn parse(name: &str, source: &str, depth: Depth) -> (Self, Vec<Problem>) {
        let file = format!("{name}.toml");
        let mut reporter = Reporter::new(&file, source);
        let document = Document::read(source, &mut reporter);
        let depth = if document.is_sixteen {
            depth.min(Depth::Sixteen)
        } else {
            depth
        };
        let styles = StyleName::ALL
            .iter()
            .map(|style| document.entry(*style).style(depth))
            .collect();
        let mut theme = Self::from_styles(name, styles);
        theme.is_light = document.is_light;
        (theme, reporter.problems)
    }

    /// How a meaning looks.
    pub fn style(&self, name: StyleName) -> Style {
        self.styles.get(name as usize).copied().unwrap_or_default()
    }
}

impl Document {
    fn read(source: &str, reporter: &mut Reporter<'_>) -> Self {
        let mut document = Self {
            entries: vec![None; StyleName::ALL.len()],
            ..Self::default()
        };
        let table = match DeTable::parse(source) {
            Ok(table) => table.into_inner(),
            Err(error) => {
                reporter.report_syntax(&error);
                return document;
            }
        };
        for (key, value) in &table {
            let at = key.span().start;
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("is_light", DeValue::Boolean(is_light)) => document.is_light = *is_light,
                ("sixteen_colors", DeValue::Boolean(only)) => document.is_sixteen = *only,
                ("background", DeValue::String(color)) => {
                    document.background = Rgb::parse(color);
                }
                ("styles", DeValue::Table(styles)) => document.read_styles(styles, reporter),
                (name, _) => reporter.report(
                    at,
                    format!("`{name}` is not known; use is_light, sixteen_colors, background and [styles]"),
                ),
            }
        }
        document
    }

    fn read_styles(&mut self, styles: &DeTable<'_>, reporter: &mut Reporter<'_>) {
        for (key, value) in styles {
            let name = key.get_ref().as_ref();
            let at = key.span().start;
            let Some(style) = StyleName::ALL.iter().find(|style| style.name() == name) else {
                let hint = did_you_mean(name, StyleName::ALL.iter().map(|style| style.name()));
                reporter.report(at, format!("there is no meaning `{name}`{hint}"));
                continue;
            };
            let Some(table) = value.get_ref().as_table() else {
                reporter.report(at, format!("`{name}` has to be a table: {{ fg = \"#…\" }}"));
                continue;
            };
            let mut entry = Entry::default();
            for (key, value) in table {
                entry.read(key.get_ref(), value, key.span().start, reporter);
            }
            if let Some(place) = self.entries.get_mut(*style as usize) {
                *place = Some(entry);
            }
        }
    }

    /// The entry of a meaning, or of its nearest fallback that has one.
    fn entry(&self, name: StyleName) -> Entry {
        let mut at = Some(name);
        while let Some(name) = at {
            if let Some(Some(entry)) = self.entries.get(name as usize) {
                return entry.clone();
            }
            at = name.fallback();
        }
        Entry::default()
    }
}

impl Entry {
    fn read(
        &mut self,
        key: &str,
        value: &Spanned<DeValue<'_>>,
        at: usize,
        reporter: &mut Reporter<'_>,
    ) {
        let modifier = MODIFIERS.iter().find(|(name, _)| *name == key);
        match (key, value.get_ref()) {
            ("fg" | "bg", DeValue::String(text)) => match Rgb::parse(text) {
                Some(color) if key == "fg" => self.fg = Some(color),
                Some(color) => self.bg = Some(color),
                None => reporter.report(
                    value.span().start,
                    format!("`{text}` is no colour; write it as #7aa2f7"),
                ),
            },
            ("ansi" | "ansi_bg", DeValue::String(text)) => {
                match NAMED.iter().find(|(name, _)| name == text) {
                    Some((_, color)) if key == "ansi" => self.ansi = Some(*color),
                    Some((_, color)) => self.ansi_bg = Some(*color),
                    None => {
                        let hint = did_you_mean(text, NAMED.iter().map(|(name, _)| *name));
                        reporter.report(
                            value.span().start,
                            format!("`{text}` is none of the sixteen colours{hint}"),
                        );
                    }
                }
            }
            ("mono", DeValue::Array(names)) => {
                self.mono = Some(read_modifiers(names, reporter));
            }
            (_, DeValue::Boolean(on)) if modifier.is_some() => {
                if let Some((_, modifier)) = modifier {
                    self.modifiers.set(*modifier, *on);
                }
            }
            _ => reporter.report(
                at,
                format!(
                    "`{key}` is not known here; use fg, bg, ansi, ansi_bg, mono = [\"bold\"], or \
                     bold, dim, italic, underline, reverse, strike = true"
                ),
            ),
        }
    }

    fn style(&self, depth: Depth) -> Style {
        let modifiers = match depth {
            Depth::None => self.mono.unwrap_or(self.modifiers),
            _ => self.modifiers,
        };
        let mut style = Style::new().add_modifier(modifiers);
        let pick = |rgb: Option<Rgb>, ansi: Option<Color>| match depth {
            Depth::None => None,
            Depth::Sixteen => ansi,
            _ => rgb.and_then(|rgb| rgb.at(depth)),
        };
        style.fg = pick(self.fg, self.ansi);
        style.bg = pick(self.bg, self.ansi_bg);
        style
    }
}

fn read_modifiers(names: &[Spanned<DeValue<'_>>], reporter: &mut Reporter<'_>) -> Modifier {
    let mut modifiers = Modifier::empty();
    for name in names {
        let text = name.get_ref().as_str().unwrap_or_default();
        match MODIFIERS.iter().find(|(known, _)| *known == text) {
            Some((_, modifier)) => modifiers |= *modifier,
            None => reporter.report(
                name.span().start,
                "`mono` lists bold, dim, italic, underline, reverse, strike",
            ),
        }
    }
    modifiers
}

#[cfg(test)]
#[path = "load_tests.rs"]
mod tests;
