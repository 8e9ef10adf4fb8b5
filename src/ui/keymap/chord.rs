//! A key with its modifiers, and how it is written: `ctrl+p`, `alt+enter`, `f2`, `shift+tab`, `ctrl+w 1`.
//!
//! Two spellings of one key are one chord: `G` is `shift+g`, and what terminals send as back-tab is `shift+tab`.

use std::{fmt, str::FromStr};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// How many chords a sequence may hold.
pub const SEQUENCE_MAX: usize = 3;

/// A key with its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Chord {
    /// The key; letters are lower case, back-tab is tab.
    pub code: KeyCode,
    /// Control, alt and shift; shift only where the character does not show it.
    pub modifiers: KeyModifiers,
}

/// Chords pressed one after the other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sequence(pub Vec<Chord>);

/// Why a chord cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChordError {
    /// Nothing is there.
    #[error("a key is missing")]
    Empty,
    /// Something before the last `+` is no modifier.
    #[error("`{0}` is no modifier; use ctrl, alt or shift")]
    Modifier(String),
    /// The key is not known.
    #[error("`{0}` is no key; use one character or a name such as enter, tab, f2, pageup")]
    Key(String),
    /// Too many chords one after the other.
    #[error("a sequence holds at most {SEQUENCE_MAX} chords")]
    TooLong,
}

const NAMES: &[(&str, KeyCode)] = &[
    ("enter", KeyCode::Enter),
    ("esc", KeyCode::Esc),
    ("tab", KeyCode::Tab),
    ("space", KeyCode::Char(' ')),
    ("backspace", KeyCode::Backspace),
    ("delete", KeyCode::Delete),
    ("insert", KeyCode::Insert),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("pageup", KeyCode::PageUp),
    ("pagedown", KeyCode::PageDown),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("plus", KeyCode::Char('+')),
];

impl Chord {
    /// The chord of a key event; `None` for keys that cannot be bound (media keys, lone modifiers) and for those with
    /// a modifier that no chord has: Super and A together is no A.
    pub fn from_event(event: &KeyEvent) -> Option<Self> {
        let known = KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SHIFT;
        if !known.contains(event.modifiers) {
            return None;
        }
        Self::normal(event.code, event.modifiers)
    }

    /// Whether it would type a character where text is taken.
    pub fn is_text(&self) -> bool {
        matches!(self.code, KeyCode::Char(_))
            && !self
                .modifiers
                .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
    }

    fn normal(code: KeyCode, mut modifiers: KeyModifiers) -> Option<Self> {
        let code = match code {
            KeyCode::BackTab => {
                modifiers |= KeyModifiers::SHIFT;
                KeyCode::Tab
            }
            KeyCode::Char(character) if character.is_ascii_uppercase() => {
                modifiers |= KeyModifiers::SHIFT;
                KeyCode::Char(character.to_ascii_lowercase())
            }
            // The character itself shows that shift was held (`?`, `É`).
            KeyCode::Char(character) if !character.is_ascii_lowercase() && character != ' ' => {
                modifiers -= KeyModifiers::SHIFT;
                KeyCode::Char(character)
            }
            KeyCode::F(number) if (1..=24).contains(&number) => KeyCode::F(number),
            known if NAMES.iter().any(|(_, code)| *code == known) => known,
            KeyCode::Char(character) => KeyCode::Char(character),
            _ => return None,
        };
        Some(Self { code, modifiers })
    }
}

impl FromStr for Chord {
    type Err = ChordError;

    fn from_str(text: &str) -> Result<Self, ChordError> {
        let text = text.trim();
        let (before, key) = match text.rfind('+') {
            // A lone `+`, or one behind a modifier: `ctrl++`.
            Some(at) if at + 1 == text.len() => {
                (text[..at].strip_suffix('+').unwrap_or(&text[..at]), "+")
            }
            Some(at) => (&text[..at], &text[at + 1..]),
            None => ("", text),
        };
        let mut modifiers = KeyModifiers::NONE;
        for part in before.split('+').filter(|part| !part.is_empty()) {
            modifiers |= match part.to_ascii_lowercase().as_str() {
                "ctrl" | "control" => KeyModifiers::CONTROL,
                "alt" | "meta" | "option" => KeyModifiers::ALT,
                "shift" => KeyModifiers::SHIFT,
                _ => return Err(ChordError::Modifier(part.to_owned())),
            };
        }
        let code = parse_code(key)?;
        Self::normal(code, modifiers).ok_or_else(|| ChordError::Key(key.to_owned()))
    }
}

fn parse_code(key: &str) -> Result<KeyCode, ChordError> {
    let mut characters = key.chars();
    match (characters.next(), characters.next()) {
        (None, _) => return Err(ChordError::Empty),
        (Some(character), None) if !character.is_control() && !character.is_whitespace() => {
            return Ok(KeyCode::Char(character));
        }
        _ => {}
    }
    let lower = key.to_ascii_lowercase();
    if let Some(number) = lower.strip_prefix('f').and_then(|n| n.parse::<u8>().ok()) {
        return if (1..=24).contains(&number) {
            Ok(KeyCode::F(number))
        } else {
            Err(ChordError::Key(key.to_owned()))
        };
    }
    NAMES
        .iter()
        .find(|(name, _)| *name == lower)
        .map(|(_, code)| *code)
        .ok_or_else(|| ChordError::Key(key.to_owned()))
}

impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (modifier, name) in [
            (KeyModifiers::CONTROL, "ctrl+"),
            (KeyModifiers::ALT, "alt+"),
            (KeyModifiers::SHIFT, "shift+"),
        ] {
            if self.modifiers.contains(modifier) {
                f.write_str(name)?;
            }
        }
        match self.code {
            KeyCode::F(number) => write!(f, "f{number}"),
            code => match NAMES.iter().find(|(_, named)| *named == code) {
                Some((name, _)) => f.write_str(name),
                None => match code {
                    KeyCode::Char(character) => write!(f, "{character}"),
                    _ => f.write_str("?"),
                },
            },
        }
    }
}

impl FromStr for Sequence {
    type Err = ChordError;

    fn from_str(text: &str) -> Result<Self, ChordError> {
        let chords = text
            .split_whitespace()
            .map(str::parse)
            .collect::<Result<Vec<Chord>, _>>()?;
        match chords.len() {
            0 => Err(ChordError::Empty),
            1..=SEQUENCE_MAX => Ok(Self(chords)),
            _ => Err(ChordError::TooLong),
        }
    }
}

impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, chord) in self.0.iter().enumerate() {
            if at > 0 {
                f.write_str(" ")?;
            }
            chord.fmt(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "chord_tests.rs"]
mod tests;
